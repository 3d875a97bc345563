import type { Key } from '../../lib/i18n';
import { length } from '../../lib/input';

export const CATEGORIES = ['account', 'deposit', 'withdrawal', 'trade', 'other'] as const;
export type Category = (typeof CATEGORIES)[number];

export const MOST_LETTERS = 2_000;
export const MOST_PICTURES = 3;
const MOST_TITLE = 100;

/** What is wrong with a message; an empty one is only not ready yet. */
export function messageReason(text: string): Key | undefined {
  if (text.trim() === '') return 'tickets.needText';
  return length(text.trim()) > MOST_LETTERS ? 'tickets.longText' : undefined;
}

export interface Draft {
  title: string;
  content: string;
}
export type DraftField = 'title' | 'content';

export function draftReasons({ title, content }: Draft): { field: DraftField; text: Key }[] {
  const text = messageReason(content);
  return [
    ...(title.trim() === '' || length(title.trim()) > MOST_TITLE ? [{ field: 'title' as const, text: 'tickets.needTitle' as const }] : []),
    ...(text ? [{ field: 'content' as const, text }] : []),
  ];
}

/** Words and tone of a ticket's state: 1 open, 2 answered, 3 closed. */
export const STATES = {
  1: { text: 'tickets.open', tone: 'info' },
  2: { text: 'tickets.answered', tone: 'done' },
  3: { text: 'tickets.closed', tone: 'info' },
} as const;
export const stateOf = (status: number) => STATES[status as keyof typeof STATES] ?? STATES[1];
