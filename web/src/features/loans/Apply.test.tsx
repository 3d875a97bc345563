import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { dismiss, ended, pendingOf, started } from '../../data/pending';
import { queryClient } from '../../data/query';
import { useSession } from '../../data/session';
import type { Loan, LoanProduct } from '../../generated/api';
import { configureHttp } from '../../lib/http';
import { activate, t, withMoneyWords } from '../../lib/i18n';
import { Apply } from './Apply';

const money = vi.hoisted(() => ({ avail: '1.00000000' }));
vi.mock('../../data/balances', async (original) => ({ ...(await original<object>()), useBalance: () => money }));
vi.mock('../../data/productContext', () => ({ useProductContext: () => ({ loggedIn: true, online: true, frozen: false, open: true, forbidden: undefined }) }));
vi.mock('../../data/tickers', async (original) => ({ ...(await original<object>()), useActivePair: () => ({ index_price: '100000.00' }), usePriceAge: () => ({ age: 0, stale: false }) }));
vi.mock('../../data/config', async (original) => ({
  ...(await original<object>()),
  useCoins: () => [
    { id: 3, code: 'USDT', scale: 6 },
    { id: 1, code: 'BTC', scale: 8 },
  ],
}));
configureHttp({ token: () => 'token', started, ended });

const product = (price: string): LoanProduct => ({ id: 1, currency_id: 3, currency_name: 'USDT', currency_logo: '', day: 7, interest_rate: '0.05', overdue_multiplier: 2, min_amount: '100', max_amount: '10000', start_ltv: '65', call_ltv: '75', liquidation_ltv: '83', liquidation_fee: '2', grace_hours: 72, collateral: [{ currency_id: 1, currency_name: 'BTC', price, balance: '1.00000000' } as LoanProduct['collateral'][number]], status: 1, rule: 'r' });
const LOAN = { id: 31, currency_name: 'USDT', amount: '600.000000', collateral_currency_name: 'BTC', collateral: '0.01000000', day: 7, status: 1, created_at_ms: 0 } as Loan;

let answer: () => void = () => {};
beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal() {}, close() {} }));
beforeEach(async () => {
  vi.stubGlobal('ResizeObserver', class { observe() {} disconnect() {} });
  vi.stubGlobal('fetch', (path: string) => new Promise<Response>((go) => {
    if (path.endsWith('bossorder')) answer = () => go(new Response(JSON.stringify({ type: 'ok', message: '', data: { order: LOAN } })));
  }));
  money.avail = '1.00000000';
  queryClient.clear();
  useSession.setState({ user: { id: 1, review_status: 2 } as never, token: 'token' });
  await activate('en');
  await withMoneyWords(async () => ({}))();
});
afterEach(() => {
  cleanup();
  for (const { key } of pendingOf(1)) dismiss(key);
});

const page = (price = '100000') => (
  <QueryClientProvider client={queryClient}>
    <Apply products={[product(price)]} />
  </QueryClientProvider>
);
const button = (name: string | RegExp) => screen.getByRole('button', { name, hidden: true });
const press = (name: string | RegExp) => act(async () => void fireEvent.click(button(name)));
/** A form that borrows 600 for 7 days, and its review. */
async function review() {
  const shown = render(page());
  fireEvent.change(screen.getByLabelText('Amount to borrow'), { target: { value: '600' } });
  await press(/7 days/);
  await press(t('loans.review'));
  return shown;
}

test('a price of the collateral, which is not sent, leaves the review as it is', async () => {
  const { rerender } = await review();
  rerender(page('100001'));
  expect(screen.queryByText(t('review.changed'))).toBeNull();
  expect(button(/^Apply for 600/).getAttribute('aria-disabled')).toBeNull();
});

test('the next review shows nothing of an application whose review was closed while it was sent', async () => {
  await review();
  await press(/^Apply for 600/);
  await press(t('ui.close'));
  await act(async () => answer());
  expect(pendingOf(1)).toMatchObject([{ kind: 'loan', state: 'done' }]);
  expect(screen.getByLabelText<HTMLInputElement>('Amount to borrow').value).toBe('');
  fireEvent.change(screen.getByLabelText('Amount to borrow'), { target: { value: '700' } });
  await press(t('loans.review'));
  expect(screen.queryByText(t('loans.applied'))).toBeNull();
  expect(button(/^Apply for 700/)).toBeTruthy();
});

test('a balance that changes because of the application does not say that it is too small', async () => {
  const { rerender } = await review();
  await press(/^Apply for 600/);
  money.avail = '0.00000000';
  rerender(page());
  for (const one of document.querySelectorAll('[aria-busy]')) expect(one.textContent).toMatch(/^(Review loan|Apply for 600)/);
  expect(document.querySelectorAll('[aria-busy]')).toHaveLength(2);
});
