import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Coin, LogRow } from '../../generated/api';
import { activate } from '../../lib/i18n';
import { Log } from './Log';

const log = vi.hoisted(() => ({ rows: [] as unknown[] }));
vi.mock('./api', () => ({ useLog: () => ({ data: { pages: [{ list: log.rows }] }, hasNextPage: false }) }));
vi.mock('../../ui/Endless', () => ({ Endless: () => null }));

const coin = { id: 3, code: 'USDT', scale: 6 } as Coin;
const row = (id: number, value: string, after: string, of: Partial<LogRow> = {}) =>
  ({ id, seq: id, type: 51, value, after, part: 'avail', currency_name: 'USDT', created_time_ms: Date.UTC(2026, 10, 27) + id, info: '', ...of }) as unknown as LogRow;
const show = (rows: LogRow[], hidden = false) => {
  log.rows = rows;
  render(<Log account="change" coin={coin} kind={0} from={0} hidden={hidden} />);
};

beforeEach(() => activate('en'));
afterEach(cleanup);

test('changes and balances have the decimals that the longest of them needs', () => {
  show([row(3, '-0.500050', '899.489950'), row(2, '-100.010000', '899.990000'), row(1, '1000.000000', '1000.000000')]);
  for (const change of ['\u22120.50005', '\u2212100.01000', '+1,000.00000']) expect(screen.getByText(change)).toBeTruthy();
  for (const after of ['899.48995', '899.99000', '1,000.00000']) expect(screen.getByText(new RegExp(`${after}\\sUSDT`))).toBeTruthy();
});

test('round sums have no more than their coin is shown with, and hidden ones none', () => {
  show([row(1, '1000.000000', '1000.000000')]);
  expect(screen.getByText('+1,000.00')).toBeTruthy();
  cleanup();
  show([row(1, '1000.000000', '1000.000000')], true);
  expect(document.body.textContent).not.toMatch(/1,000/);
  expect(document.body.textContent).not.toContain('USDT');
});

test('an order at the market is one line with what it took in all, and its own lines lie behind it', () => {
  const [seq, frozen] = [7, 'frozen'] as const;
  show([
    row(6, '0.400000', '899.900000', { seq, type: 52 }),
    row(5, '-0.400000', '0.000000', { seq, type: 52, part: frozen }),
    row(4, '-0.100000', '0.400000', { seq, type: 53, part: frozen }),
    row(3, '-100.000000', '0.500000', { seq, type: 51, part: frozen }),
    row(2, '100.500000', '100.500000', { seq, type: 50, part: frozen }),
    row(1, '-100.500000', '899.500000', { seq, type: 50 }),
    row(0, '1000.000000', '1000.000000', { seq: 1, type: 200 }),
  ]);
  const [event, ...others] = document.querySelectorAll('summary');
  expect(others).toEqual([]);
  for (const told of ['Trade', '\u2212100.10', '899.90\u00a0USDT']) expect(event?.textContent).toContain(told);
  expect(event?.parentElement?.children).toHaveLength(1 + 6);
  expect(screen.getByText('+1,000.00').closest('details')).toBeNull();
});

test('what is only held shows what became of the free balance', () => {
  show([row(2, '50.000000', '50.000000', { seq: 1, type: 50, part: 'frozen' }), row(1, '-50.000000', '950.000000', { seq: 1, type: 50 })]);
  for (const told of ['\u221250.00', '950.00\u00a0USDT']) expect(document.querySelector('summary')?.textContent).toContain(told);
});

test('an event that also frees something says how far it moved the balance after it', () => {
  show([
    row(4, '-33.000000', '4967.000000', { seq: 7, type: 45, info: 'Plan deduction' }),
    row(3, '500.000000', '5000.000000', { seq: 7, type: 1005 }),
    row(2, '-500.000000', '0.000000', { seq: 7, type: 1005, part: 'frozen' }),
  ]);
  for (const told of ['Plan deduction', '\u221233.00', '4,967.00\u00a0USDT', '(+467.00)']) expect(document.querySelector('summary')?.textContent).toContain(told);
});

test.each([
  // Redeemed early: 20 of interest are kept, and 46 are deducted from the returned principal.
  [['44 avail 20', '45 avail -46', '1005 avail 1000', '1005 frozen -1000'], 'Plan deduction', '\u221226.00'],
  // At maturity the interest is added.
  [['44 avail 60', '1005 avail 1000', '1005 frozen -1000'], 'Plan interest', '+60.00'],
  // A part of the collateral is sold, and the rest is free again.
  [['3002 avail 3', '3002 frozen -3', '3005 frozen -7'], 'Collateral sold', '\u22127.00'],
  // The proceeds less the fee.
  [['602 avail -0.01', '601 avail 9.99'], 'Received', '+9.98'],
] as const)('an event is named by what changed most: %j', (lines, name, change) => {
  const words: Record<string, string> = { 44: 'Plan interest', 45: 'Plan deduction', 1005: 'Plan principal released', 3002: 'Collateral released', 3005: 'Collateral sold', 602: 'Fee', 601: 'Received' };
  show(
    lines.map((line, n) => {
      const [type = '', part, value = ''] = line.split(' ');
      return row(9 - n, value, '0.00', { seq: 7, type: parseInt(type, 10), part: part as 'avail', info: words[type] ?? '' });
    }),
  );
  for (const told of [name, change]) expect(document.querySelector('summary')?.textContent).toContain(told);
});
