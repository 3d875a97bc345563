import { PERIODS, type Gap, type PeriodName } from '../../lib/candles';

const MINUTE = 60_000;
/** The longest duration of a candle of each type, ms. */
const LENGTH = { minute: MINUTE, hour: 60 * MINUTE, day: 1_440 * MINUTE, week: 7 * 1_440 * MINUTE, month: 31 * 1_440 * MINUTE } as const;

/** The gaps between candles. */
export function gapsIn(rows: readonly { timestamp: number }[], period: PeriodName): Gap[] {
  const { type, span } = PERIODS.find(({ value }) => value === period) ?? PERIODS[0];
  const length = LENGTH[type] * span;
  return rows.flatMap(({ timestamp: to }, n) => {
    const after = rows[n - 1]?.timestamp;
    return after !== undefined && to - after > length ? { after, from: after + length, to } : [];
  });
}
