import { create } from 'zustand';
import type { Typed } from '../../ui/AmountField';

/** What was typed survives leaving the page, a logout included, for ten minutes; it is never stored. */
interface Draft {
  typed: Typed | undefined;
  at: number;
}
const LIFE = 600_000;
const useDraft = create<Draft>(() => ({ typed: undefined, at: 0 }));

export const readDraft = (): Typed | undefined => {
  const { typed, at } = useDraft.getState();
  return Date.now() - at < LIFE ? typed : undefined;
};
export const keepDraft = (typed: Typed | undefined) => useDraft.setState({ typed, at: Date.now() });
