import { create } from 'zustand';

/** What was typed survives leaving the page, a logout included, for ten minutes; it is never stored. */
interface Draft {
  text: string;
  at: number;
}
const LIFE = 600_000;
const useDraft = create<Draft>(() => ({ text: '', at: 0 }));

export const readDraft = (): string => {
  const { text, at } = useDraft.getState();
  return Date.now() - at < LIFE ? text : '';
};
export const keepDraft = (text: string) => useDraft.setState({ text, at: Date.now() });
