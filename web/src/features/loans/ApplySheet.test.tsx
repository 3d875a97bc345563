import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useCommit } from '../../data/commit';
import { queryClient } from '../../data/query';
import type { Loan, LoanProduct } from '../../generated/api';
import { activate, withMoneyWords } from '../../lib/i18n';
import { amount } from '../../lib/money';
import type { Confirmed, Review } from '../../lib/review';
import type { applyForLoan } from './api';
import type { Reviewed } from './Apply';
import { ApplySheet } from './ApplySheet';

const ORDER = { id: 31, currency_name: 'USDT', amount: '600.000000', collateral_currency_name: 'BTC', collateral: '0.01000000', day: 7, status: 1, created_at_ms: Date.UTC(2026, 10, 20, 13) } as Loan;
vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { post: async () => ({ data: { order: ORDER } }) } }));

const TERMS = { id: 1, currency_id: 3, currency_name: 'USDT', day: 7, interest_rate: '0.05', overdue_multiplier: 2, start_ltv: '65', call_ltv: '75', liquidation_ltv: '83', liquidation_fee: '2', grace_hours: 72, rule: 'r' } as LoanProduct;
const reviewed: Reviewed = { product: 1, amount: amount('600.000000'), coin: 1, collateral: amount('0.01000000'), rule: 'r', terms: TERMS, sides: { lent: { id: 3, code: 'USDT', scale: 6 }, coin: { id: 1, code: 'BTC', scale: 8 } } };
const review: Review<Reviewed> = { shown: true, value: reviewed, stale: false, gone: false, look: 1, open: () => {}, close: () => {}, confirm: (send) => void send(reviewed as Confirmed<Reviewed>) };

function Sheet({ price }: { price: string }) {
  const commit = useCommit<Awaited<ReturnType<typeof applyForLoan>>>('loan');
  return <ApplySheet review={review} price={price} reason={undefined} commit={commit} onDone={() => {}} />;
}
const sheet = (price: string) => (
  <QueryClientProvider client={queryClient}>
    <Sheet price={price} />
  </QueryClientProvider>
);
const lines = () => [...document.querySelectorAll('dl > div')].map((line) => [...line.children].map((part) => part.textContent));

beforeEach(async () => {
  HTMLDialogElement.prototype.showModal ??= () => {};
  HTMLDialogElement.prototype.close ??= () => {};
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  await activate('en');
  await withMoneyWords(async () => ({}))();
});
afterEach(cleanup);

test('the receipt of an application has the lines of its check, also once the price has moved, with time and number', async () => {
  const shown = render(sheet('100000'));
  const checked = lines();
  fireEvent.click(screen.getByRole('button', { name: /^Apply for 600\.00/, hidden: true }));
  await screen.findByText('Waiting for approval');
  shown.rerender(sheet('90000'));
  const booked = lines();
  // The due date counts from the application, whose time comes last.
  expect(booked.slice(0, -2)).toEqual(checked.slice(0, -1));
  expect(booked.at(-2)).toEqual(['You repay by 27 Nov 2026 if it is paid out now', checked.at(-1)?.[1]]);
  expect(booked.at(-1)).toEqual(['Applied', '20 Nov 2026, 13:00:00 (UTC)']);
  expect(screen.getByText('Loan number').nextElementSibling?.textContent).toBe('31');
  expect(screen.getByRole('link', { name: 'Get help with this', hidden: true }).getAttribute('href')).toMatch(/number=31&of=loan$/);
});
