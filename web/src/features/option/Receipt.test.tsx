import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { patchOption } from '../../data/options';
import { queryClient } from '../../data/query';
import type { OptionOrder, OptionReceipt } from '../../generated/api';
import { activate, withProductWords } from '../../lib/i18n';
import { OptionRow } from '../../ui/OptionRow';
import { ReceiptBody, receiptParts } from './Receipt';

const server = vi.hoisted(() => ({ samples: [] as object[], candles: [] as object[], receipt: undefined as object | undefined }));
vi.mock('../../lib/http', async (original) => ({
  ...(await original<object>()),
  api: { get: async (path: string) => ({ message: path === 'market/index' ? server.samples : path === 'currency/new_timeshar' ? server.candles : path === 'microtrade/receipt' ? server.receipt : { data: [] } }) },
}));

vi.mock('../../data/session', async (original) => ({ ...(await original<object>()), useLoggedIn: () => true }));

const NOW = 1_767_225_600_000;
const order = (seconds: number, result = 'won') =>
  ({ id: 4711, type: 1, status: 3, result, outcome: 1, symbol_name: 'BTC/USDT', currency_id: 3, currency_name: 'USDT', number: '10.000000', seconds, open_price: '100.00', open_time_ms: NOW, delivery_time_ms: NOW + seconds * 1000, created_at_ms: NOW, end_price: '101.00', fee: '0.050000', profit: '7.000000', tolerance: '0.005', tie_rule: 'refund', fact_profits: '6.950000', payout: '17.000000', refund: false }) as OptionOrder;
const show = (seconds: number) =>
  render(
    <QueryClientProvider client={queryClient}>
      <ReceiptBody order={order(seconds)} receipt={{ order: order(seconds), difference: '1.00', delivery_sample: { price: '101.00', time_ms: NOW + seconds * 1000 } } as OptionReceipt} />
    </QueryClientProvider>,
  );
/** The number of points of each piece of the line that has more than its two ends. */
const pieces = () =>
  vi.waitFor(() => {
    const line = screen.getByRole('img').querySelector('path')?.getAttribute('d') ?? '';
    expect(line.match(/[ML]/g)?.length).toBeGreaterThan(3);
    return line.slice(1).split('M').map((piece) => piece.split('L').length);
  });

beforeEach(async () => {
  queryClient.clear();
  await activate('en');
  await withProductWords(async () => ({}))();
});
afterEach(cleanup);

test('the line of a receipt has a gap where there was no price for longer than one is good for', async () => {
  const at = (...seconds: number[]) => seconds.map((second) => ({ price: '100.50', time_ms: NOW + second * 1000 }));
  server.samples = at(1, 2, 5, 9, 10, 57, 58, 59);
  show(60);
  expect(await pieces()).toEqual([4, 2, 4]);
});

test('a long line is drawn from candles of a minute, with a gap where one is missing', async () => {
  server.candles = [0, 1, 2, 5, 6, 7, 8, 9, 10].map((minute) => ({ time: NOW + minute * 60_000, close: 100.5 }));
  show(660);
  expect(await pieces()).toEqual([4, 6]);
});

test('help with an option knows its number', () => {
  show(60);
  expect(screen.getByRole('link', { name: 'Get help with this' }).getAttribute('href')).toBe('#/pages/help-center?number=4711&of=option');
});

test('a wrong call has no check mark, on its receipt as in a list', () => {
  const mark = (text: string) => screen.getAllByText(text).map((chip) => chip.querySelector('path')?.getAttribute('d'));
  const [right, wrong] = ['won', 'lost'].map((result) => {
    render(
      <QueryClientProvider client={queryClient}>
        <ReceiptBody order={order(60, result)} />
        <OptionRow option={order(60, result)} />
      </QueryClientProvider>,
    );
    return mark(result === 'won' ? 'Right' : 'Wrong');
  });
  expect(right).toHaveLength(2);
  expect(wrong).toHaveLength(2);
  expect(wrong?.some((one) => right?.includes(one))).toBe(false);
});

test('the receipt in the sheet of a purchase follows the option to its result, without being opened anew', async () => {
  const running = { ...order(60), status: 1 } as OptionOrder;
  server.receipt = { order: running, difference: null, delivery_sample: null };
  render(<QueryClientProvider client={queryClient}>{receiptParts(running, () => {}).children}</QueryClientProvider>);
  expect(screen.getByText('Running')).toBeTruthy();
  server.receipt = { order: order(60), difference: '1.00', delivery_sample: null };
  patchOption(order(60));
  expect(await screen.findByText('Right')).toBeTruthy();
  expect(screen.queryByText('Running')).toBeNull();
});
