import type { OptionOrder } from '../../generated/api';
import type { PriceLine } from '../../lib/priceLines';
import { SIDE } from './model';
import { leftText } from './text';

/** The chart's marks for options: each running one from its open price to its delivery, with the time left. */
export const linesOf = (options: readonly OptionOrder[], now: number): PriceLine[] =>
  options.flatMap(({ id, status, type, open_price: price, open_time_ms: from, delivery_time_ms: to }) =>
    status === 1 ? { id: `o${id}`, kind: 'open' as const, price, label: leftText(to - now), from, to, ...(type !== 0 && { direction: SIDE[type] as 'up' | 'down' }) } : [],
  );
