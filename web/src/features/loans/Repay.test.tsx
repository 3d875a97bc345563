import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import type { Loan } from '../../generated/api';
import { activate, withMoneyWords } from '../../lib/i18n';
import { useAdd, useRepay } from './Repay';

const server = vi.hoisted(() => ({ answer: {} as object, avail: '' }));
vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { get: async () => new Promise(() => {}), post: async () => ({ data: await server.answer }) } }));
vi.mock('../../data/balances', async (original) => ({ ...(await original<object>()), useBalance: () => ({ avail: server.avail }) }));
vi.mock('../../data/config', async (original) => ({
  ...(await original<object>()),
  useCoins: () => [
    { id: 3, code: 'USDT', scale: 6 },
    { id: 1, code: 'BTC', scale: 8 },
  ],
}));

const LOAN = { id: 31, currency_id: 3, currency_name: 'USDT', amount: '600.000000', outstanding: '600.000000', interest_due: '0.300000', penalty_due: '0.000000', debt: '600.300000', day: 7, interest_rate: '0.05', overdue_multiplier: 2, start_ltv: '65', call_ltv: '75', liquidation_ltv: '83', liquidation_fee: '2', collateral_currency_id: 1, collateral_currency_name: 'BTC', collateral: '0.01000000', margin_call: 0, status: 2, finished_at_ms: null } as Loan;

function Sheet({ use }: { use: typeof useRepay }) {
  const { body, footer } = use({ loan: LOAN, open: true, onBack: () => {}, onClose: () => {} });
  return (
    <>
      {body}
      {footer}
    </>
  );
}
const lines = () => [...document.querySelectorAll('dl > div')].map((line) => [...line.children].map((part) => part.textContent?.replace('\u00a0', ' ')));

async function send(use: typeof useRepay, value: string, button: RegExp): Promise<void> {
  render(
    <QueryClientProvider client={queryClient}>
      <Sheet use={use} />
    </QueryClientProvider>,
  );
  fireEvent.change(screen.getByRole('textbox'), { target: { value } });
  fireEvent.click(await screen.findByRole('button', { name: button }));
  await screen.findByRole('status');
}

beforeEach(async () => {
  server.avail = '5000.000000';
  await activate('en');
  await withMoneyWords(async () => ({}))();
});
afterEach(cleanup);

test('the receipt of a part has what the server took for what, what is left, the time and the number', async () => {
  server.answer = { order: { ...LOAN, debt: '300.600000', outstanding: '300.300000' }, taken: '300.000000', penalty: '0.100000', interest: '0.200000', principal: '299.700000', time_ms: Date.UTC(2026, 10, 19, 13) };
  await send(useRepay, '300', /^Repay 300\.00/);
  expect(lines().slice(0, -1)).toEqual([
    ['Goes to late interest', '0.10 USDT'],
    ['Goes to interest', '0.20 USDT'],
    ['Goes to the loan', '299.70 USDT'],
    ['Sold at or below, afterwards', '36,216.86'],
    ['Left to repay', '300.60 USDT'],
  ]);
  // The server's time of the repayment, not the phone's when the answer came.
  expect(lines().at(-1)?.[1]).toMatch(/^19 Nov 2026, \d\d:\d\d:\d\d \(UTC.*\)$/);
  expect(screen.getByText('31')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Get help with this' }).getAttribute('href')).toMatch(/number=31&of=loan$/);
});

test('a loan that was repaid says when as the server does, and what came back', async () => {
  server.answer = { order: { ...LOAN, debt: '0.000000', collateral: '0.00000000', status: 3, finished_at_ms: Date.UTC(2026, 10, 20, 13) }, taken: '600.300000', penalty: '0.000000', interest: '0.300000', principal: '600.000000', time_ms: Date.UTC(2026, 10, 20, 13) };
  await send(useRepay, '600.3', /^Repay everything/);
  expect(lines().map(([label]) => label)).toEqual(['Goes to interest', 'Goes to the loan', 'Collateral that comes back at once', 'Left to repay', 'Time']);
  expect(lines()[2]?.[1]).toBe('0.0100 BTC');
  expect(lines().at(-1)?.[1]).toMatch(/^20 Nov 2026, /);
});

test('the receipt of more collateral has all of it, as the server holds it', async () => {
  server.answer = { order: { ...LOAN, collateral: '0.01200000' }, time_ms: Date.UTC(2026, 10, 21, 13) };
  await send(useAdd, '0.002', /^Add 0\.0020/);
  expect(lines().slice(0, -1)).toEqual([
    ['Sold at or below, afterwards', '60,271.08'],
    ['Frozen as collateral', '0.0120 BTC'],
  ]);
  expect(lines().at(-1)?.[1]).toMatch(/^21 Nov 2026, /);
  expect(screen.getByText('31')).toBeTruthy();
});

test.each([
  [useRepay, '300', /^Repay 300\.00/],
  [useAdd, '0.002', /^Add 0\.0020/],
])('a balance that changes because of what is being sent does not say that it is too small', async (use, value, button) => {
  const page = () => (
    <QueryClientProvider client={queryClient}>
      <Sheet use={use} />
    </QueryClientProvider>
  );
  const { rerender } = render(page());
  server.answer = new Promise(() => {});
  fireEvent.change(screen.getByRole('textbox'), { target: { value } });
  const commit = await screen.findByRole('button', { name: button });
  fireEvent.click(commit);
  server.avail = '0.000000';
  rerender(page());
  expect(commit.getAttribute('aria-busy')).toBe('true');
  expect(commit.textContent).toMatch(button);
});
