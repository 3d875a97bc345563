import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import type { CoinCost as Cost, WalletRow } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { activate } from '../../lib/i18n';
import { amount } from '../../lib/money';
import { CoinCost } from './CoinCost';

const server = vi.hoisted(() => ({ answer: async (): Promise<unknown> => [], price: '120000.00', age: 1_000 as number | null }));
vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { get: async () => ({ message: await server.answer() }) } }));
vi.mock('../../data/session', async (original) => ({ ...(await original<object>()), useLoggedIn: () => true }));
vi.mock('../../data/tickers', () => ({ usePriceAge: () => ({ age: server.age, stale: false }) }));

const COST: Cost = { coin: 1, quantity: '0.00999000', without_cost: '0.00000000', cost: '1000.000000', average: '100100.10010010', realised: '0.000000' };

function show(total = '0.00999000', { hidden = false, row = {} }: { hidden?: boolean; row?: Partial<WalletRow> } = {}) {
  const whole = { currency: 1, price_stale: 0, ...row } as WalletRow;
  const coin = { row: whole, code: 'BTC', name: 'Bitcoin', total: amount(total), free: amount(total), frozen: amount('0'), price: server.price, value: undefined };
  return render(
    <QueryClientProvider client={queryClient}>
      <CoinCost coin={coin} open hidden={hidden} />
    </QueryClientProvider>,
  );
}
/** The lines as they read once they are loaded. */
async function lines(label = 'Average cost'): Promise<(string | null)[]> {
  const list = (await screen.findByText(label)).closest('dl');
  return [...(list?.children ?? [])].map((line) => line.textContent);
}

beforeEach(async () => {
  queryClient.clear();
  Object.assign(server, { answer: async () => [COST], price: '120000.00', age: 1_000 });
  await activate('en');
});
afterEach(cleanup);

test('the average cost and the profit at the price of now', async () => {
  show();
  await screen.findByText(/19\.88/);
  expect(await lines()).toEqual(['Average cost100,100.11\u00a0USDT', 'Profit or loss+198.80\u00a0USDT (+19.88%)']);
});

test('a loss, and what sales brought', async () => {
  server.price = '90000.00';
  server.answer = async () => [{ ...COST, realised: '-0.800000' }];
  show();
  await screen.findByText(/from sales/);
  expect(await lines()).toEqual(['Average cost100,100.11\u00a0USDT', 'Profit or loss\u2212100.90\u00a0USDT (\u221210.09%)\u22120.80\u00a0USDT from sales']);
});

test('nothing is told before it is known, nor of a coin that was never there', async () => {
  let done: (rows: Cost[]) => void = () => {};
  server.answer = () => new Promise((resolve) => (done = resolve));
  const { container } = show();
  expect(await lines()).toEqual(['Average cost', 'Profit or loss']);
  done([{ ...COST, coin: 2 }]);
  await vi.waitFor(() => expect(container.textContent).toBe(''));
});

test('a failed read is no zero', async () => {
  server.answer = async () => Promise.reject(new Refusal('E_INTERNAL', ''));
  show();
  await screen.findAllByText('—');
  expect(await lines()).toEqual(['Average cost—', 'Profit or loss—']);
});

test('what came in without a price has no known cost', async () => {
  server.answer = async () => [{ ...COST, quantity: '0.00000000', cost: '0.000000', average: null, without_cost: '0.00999000' }];
  show();
  await screen.findByText('Not known');
  expect(await lines()).toEqual(['Average costNot known', 'Profit or loss—']);
});

test('a part without a cost, money in other accounts and an old price are said', async () => {
  server.answer = async () => [{ ...COST, without_cost: '0.50000000' }];
  server.age = 60_001;
  show('0.00100000');
  await screen.findByText(/old price/);
  expect(await lines()).toEqual(['Average cost without 0.5000\u00a0BTC100,100.11\u00a0USDT', 'Profit or loss in all accounts, at an old price+198.80\u00a0USDT (+19.88%)']);
});

test('a coin without a pair counts at the old price of its balance, and without any price not at all', async () => {
  Object.assign(server, { price: '110000.00', age: null });
  const { unmount } = show(undefined, { row: { price_stale: 1 } });
  await screen.findByText(/old price/);
  expect((await lines())[1]).toBe('Profit or loss at an old price+98.90\u00a0USDT (+9.89%)');
  unmount();
  server.price = '0';
  show(undefined, { row: { price_stale: 1 } });
  await screen.findByText('—');
  expect(await lines()).toEqual(['Average cost100,100.1001001\u00a0USDT', 'Profit or loss—']);
});

test('hidden figures stay hidden', async () => {
  show(undefined, { hidden: true });
  await screen.findAllByText('••••');
  expect(await lines()).toEqual(['Average cost••••', 'Profit or loss••••']);
});
