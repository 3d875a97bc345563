import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readOpenOptions } from '../../data/options';
import type { OptionOrder } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { activate, t, withProductWords } from '../../lib/i18n';
import { clock } from '../../lib/time';
import { Follow, Running } from './Running';

vi.mock('../../data/options', () => ({ readOpenOptions: vi.fn() }));

const NOW = 1_767_225_600_000;
const END = NOW + 60_000;
const OPEN = { id: 7, type: 1, status: 1, result: 'open', outcome: null, number: '10.000000', currency_name: 'USDT', seconds: 60, open_price: '97432.15', open_time_ms: NOW, delivery_time_ms: END, fee: '0.050000', profit: '7.000000', tolerance: '0.005', tie_rule: 'refund', fact_profits: null } as OptionOrder;
const WON = { ...OPEN, status: 3, result: 'won', outcome: 1, fact_profits: '6.950000' } as OptionOrder;

beforeEach(async () => {
  await activate('en');
  await withProductWords(async () => ({}))();
  vi.mocked(readOpenOptions).mockClear();
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** The tab over time; the server's clock is that of the device. */
function Tab({ option }: { option: OptionOrder }) {
  const now = useNow(1_000);
  return (
    <>
      <Running option={option} now={now} price="97500.00" />
      <Follow options={[option]} now={now} />
    </>
  );
}
const show = (option: OptionOrder) => {
  const { rerender } = render(<Tab option={option} />);
  return (next: OptionOrder) => rerender(<Tab option={next} />);
};
/** Advances second by second to this many milliseconds before the end; negative ones are after it. */
const until = (left: number) => {
  while (END - Date.now() > left) act(() => vi.advanceTimersByTime(1_000));
};
/** The colours of the ring, in order. */
const colours = () => [...screen.getByRole('timer').querySelectorAll('circle')].map((circle) => circle.getAttribute('stroke'));
const row = () => screen.getByRole('link').textContent ?? '';
const said = () => screen.getByRole('status').textContent;
const TRACK = 'var(--surface-3)';

test('in the last ten seconds the ring turns amber, once, and it is said', () => {
  show(OPEN);
  for (const left of [60_000, 30_000, 11_000]) {
    until(left);
    expect(colours()).toEqual([TRACK, 'var(--accent)']);
    expect(said()).toBe('');
  }
  const soon = t('options.soon', { direction: t('options.up') });
  for (const left of [10_000, 9_000, 5_000, 1_000]) {
    until(left);
    expect(colours()).toEqual([TRACK, 'var(--caution)']);
    expect(screen.getByRole('timer').getAttribute('aria-label')).toBe(t('options.left', { left: `0:${String(left / 1_000).padStart(2, '0')}` }));
    expect(said()).toBe(soon);
  }
  expect(row()).toContain(t('options.ifNow'));
  // The ring is gone and no result is predicted, because it is decided.
  until(0);
  expect(colours()).toEqual([TRACK]);
  expect(row()).toContain(t('options.settling'));
  expect(row()).not.toContain(t('options.ifNow'));
});

test('what was found in its last ten seconds is not said to have ten left', () => {
  vi.setSystemTime(END - 8_000);
  show(OPEN);
  until(1_000);
  expect(colours()).toEqual([TRACK, 'var(--caution)']);
  expect(said()).toBe('');
});

test('settling that takes over ten seconds is said to take longer than usual, with the instant that counts, until there is a result', () => {
  const turn = show(OPEN);
  const long = t('options.settlingLong', { time: clock(END, 'en', true) });
  expect(long).toContain('takes longer than usual');
  for (const left of [0, -5_000, -10_000]) {
    until(left);
    expect(row()).toContain(t('options.settling'));
    expect(row()).not.toContain(long);
  }
  until(-11_000);
  expect(row()).toContain(long);
  expect(row()).toContain(t('options.settling'));
  turn(WON);
  expect(row()).not.toContain(long);
  expect(row()).toContain('+6.95');
  expect(said()).toBe(t('options.ended', { direction: t('options.up'), net: '+6.95\u00a0USDT' }));
});

test('a result that does not come by itself is asked for every three seconds, and no more once it is there', () => {
  const turn = show(OPEN);
  until(0);
  expect(readOpenOptions).not.toHaveBeenCalled();
  // The event has two seconds to come; then the result is requested.
  until(-11_000);
  expect(readOpenOptions).toHaveBeenCalledTimes(3);
  turn(WON);
  until(-30_000);
  expect(readOpenOptions).toHaveBeenCalledTimes(3);
});
