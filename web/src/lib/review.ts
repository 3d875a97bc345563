import { useState } from 'react';

/** The whole value as one text; amounts contain bigints, which JSON cannot write. */
const print = (value: unknown): string => JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ?? '';

export const same = (one: unknown, other: unknown): boolean => print(one) === print(other);

declare const confirmed: unique symbol;
/** What a person reviewed and confirmed. Only `confirm` makes one, so a write that takes it sends nothing else. */
export type Confirmed<T> = T & { readonly [confirmed]: true };

/** What is reviewed before it is sent. */
export interface Review<T> {
  shown: boolean;
  /** The value when the person opened the review; kept while the sheet closes. */
  value: T | undefined;
  /** What would be sent now differs from what is on the screen. */
  stale: boolean;
  /** There is nothing left to review. */
  gone: boolean;
  /** Number of the version under review: a tick for one does not count for the next. */
  look: number;
  /** Takes what would be sent now, because the person asked for it. */
  open: () => void;
  close: () => void;
  /** Sends what was reviewed, and nothing else. */
  confirm: (send: (value: Confirmed<T>) => unknown) => void;
}

/**
 * A review is frozen when the person opens it. `live` is all that would be sent and shown now. If it differs, the review is stale and
 * sends nothing until the person reviews it again.
 */
export function useReview<T>(live: T | undefined, opened = false): Review<T> {
  const [frozen, setFrozen] = useState({ value: live, shown: opened, look: 0 });
  const { value, shown, look } = frozen;
  const gone = live === undefined;
  const stale = shown && !same(live, value);
  return {
    shown,
    value,
    stale,
    gone,
    look,
    open: () => setFrozen(gone ? frozen : { value: live, shown: true, look: look + 1 }),
    close: () => setFrozen({ ...frozen, shown: false }),
    confirm: (send) => {
      if (shown && !stale && value !== undefined) void send(value as Confirmed<T>);
    },
  };
}

/** A review for as long as its sheet is open: it is frozen each time the sheet opens. */
export function useOpenReview<T>(live: T | undefined, open: boolean): Review<T> {
  const review = useReview(live, open);
  const [was, setWas] = useState(open);
  if (open !== was) {
    setWas(open);
    if (open) review.open();
    else review.close();
  }
  return review;
}
