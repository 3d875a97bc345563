import type { Key } from '../../lib/i18n';
import { length } from '../../lib/input';
import type { ReceiptOf } from '../../lib/receipt';

export const CATEGORIES = ['account', 'deposit', 'withdrawal', 'trade', 'other'] as const;
export type Category = (typeof CATEGORIES)[number];

/** The subject of a request that was started from a receipt, and the start of its title. */
const BEGUN = {
  withdrawal: { category: 'withdrawal', title: 'tickets.category.withdrawal' },
  plan: { category: 'other', title: 'tickets.receipt.plan' },
  coin: { category: 'other', title: 'tickets.receipt.coin' },
  loan: { category: 'other', title: 'tickets.receipt.loan' },
  order: { category: 'trade', title: 'trade.receipt' },
  contract: { category: 'trade', title: 'tickets.receipt.contract' },
  option: { category: 'trade', title: 'tickets.receipt.option' },
  conversion: { category: 'trade', title: 'tickets.receipt.conversion' },
} as const satisfies Record<ReceiptOf, { category: Category; title: Key }>;

/** The receipt in an address, if there is one. */
export function receiptIn(query: URLSearchParams): { number: string; category: Category; title: Key } | undefined {
  const [number, of] = [query.get('number') ?? '', query.get('of') ?? 'withdrawal'];
  return /^\d+$/.test(number) && Object.hasOwn(BEGUN, of) ? { number, ...BEGUN[of as ReceiptOf] } : undefined;
}

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

/** Text and tone of a ticket's state: 1 open, 2 answered, 3 closed. */
export const STATES = {
  1: { text: 'tickets.open', tone: 'info' },
  2: { text: 'tickets.answered', tone: 'done' },
  3: { text: 'tickets.closed', tone: 'info' },
} as const;
export const stateOf = (status: number) => STATES[status as keyof typeof STATES] ?? STATES[1];
