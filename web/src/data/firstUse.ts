import { useSyncExternalStore } from 'react';
import type { RiskText } from '../generated/api';
import { read, write } from '../lib/storage';
import { useConfig } from './config';
import { useSession } from './session';

/** Products in which everything can be lost: their risk text is read, and its questions answered, before the first purchase. */

/** Risk texts that were read before a first purchase. */
const KEY = 'meridian.firstUse';
const readSeen = () => read<{ seen: string[] }>(KEY).seen ?? [];

const listeners = new Set<() => void>();
const mark = (user: number | undefined, { product, version }: RiskText) => `${user ?? 0} ${product} ${version}`;

/** Products whose risk text is asked about. */
export type Asked = 'option' | 'contract' | 'plan' | 'subscription';

export interface FirstUse {
  /** The text to be read; none while the configuration is on its way. */
  text: RiskText | undefined;
  /** It has not been read yet in its present version. */
  needed: boolean;
  accept: () => void;
}

/** Kept on the device for each member, product and version of the text: a new version is asked for again. */
export function useFirstUse(product: Asked): FirstUse {
  const user = useSession((session) => session.user?.id);
  const text = useConfig()?.risk_texts.find((one) => one.product === product);
  const seen = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => readSeen().join(),
  );
  return {
    text,
    needed: text !== undefined && !seen.split(',').includes(mark(user, text)),
    accept: () => {
      if (text) write(KEY, { seen: [...readSeen(), mark(user, text)] });
      for (const listener of listeners) listener();
    },
  };
}
