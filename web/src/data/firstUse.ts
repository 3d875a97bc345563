import { useSyncExternalStore } from 'react';
import type { RiskText } from '../generated/api';
import { read, write } from '../lib/storage';
import { useConfig } from './config';
import { useSession } from './session';

/** Products in which everything can be lost: the member reads their risk text and answers its questions before the first purchase. */

/** Risk texts that were read before a first purchase. */
const KEY = 'meridian.firstUse';
const readSeen = () => read<{ seen: string[] }>(KEY).seen ?? [];

const listeners = new Set<() => void>();
const mark = (user: number | undefined, { product, version }: RiskText) => `${user ?? 0} ${product} ${version}`;

/** Products that require this. */
export type Asked = 'option' | 'contract' | 'plan' | 'subscription';

export interface FirstUse {
  /** The text to read; undefined while the configuration loads. */
  text: RiskText | undefined;
  /** Its present version has not been read yet. */
  needed: boolean;
  accept: () => void;
}

/** Stored on the device per member, product and version of the text, so a new version has to be read again. */
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
