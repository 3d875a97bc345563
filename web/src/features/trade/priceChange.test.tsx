import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { dismiss, ended, started } from '../../data/pending';
import { queryClient } from '../../data/query';
import { useSession } from '../../data/session';
import type { Pair, SpotOrder } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { activate, t } from '../../lib/i18n';
import { OrderRow } from './OrderRow';
import OrderSheet from './OrderSheet';

const { get, post, query, price } = vi.hoisted(() => ({ get: vi.fn(), post: vi.fn(), query: vi.fn(), price: { stale: false } }));
vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { get, post, query } }));
vi.mock('../../lib/socket', async (original) => ({ ...(await original<object>()), subscribe: () => () => {}, onPrivate: () => () => {} }));
vi.mock('../../data/tickers', async (original) => ({
  ...(await original<object>()),
  useTicker: (symbol: string) => (symbol ? ({ symbol, index_price: '60000.00', now_price: '60000.0', open_coin_trade: 1 } as Pair) : undefined),
  usePriceStale: () => price.stale,
}));

const RULES = {
  match_id: 1, symbol: 'BTC/USDT', currency_id: 1, legal_id: 3, price_digits: 1, tick: '0.5', qty_digits: 5, step: '0.00001', min_qty: '0.00001', max_qty: null, min_notional: '5.000000',
  max_notional: '1000000.000000', maker_fee: '0.08', taker_fee: '0.1', band_buy: ['50', '105'], band_sell: ['95', '200'], index: 1, options: 1,
};
const CONFIG = { markets: [RULES], currencies: [{ id: 1, code: 'BTC', scale: 8 }, { id: 3, code: 'USDT', scale: 6 }], products: [{ product: 'spot', on: 1 }], limits: {} };
/** Of 0.01 BTC at 59,000 a part has traded, and 0.006 is left. */
const ORDER = {
  id: 7, type: 1, status: 1, symbol: 'BTC/USDT', currency_id: 1, legal_id: 3, order_type: 'limit', tif: 'gtc', target_price: '59000.0', stop_price: null, trade_amount: '0.01000000',
  left_amount: '0.00600000', filled_amount: '0.00400000', filled_value: '236.000000', avg_price: '59000.0', charge_fee: '0.001', maker_fee: '0.08', fee: '0.00000400', fee_currency: 'BTC',
  frozen: '354.000000', waiting_trigger: 0, reason: null, seq: 5, created_at_ms: Date.UTC(2026, 10, 20), updated_at_ms: Date.UTC(2026, 10, 20),
} as SpotOrder;
const MOVED = { ...ORDER, id: 8, target_price: '58000.5', trade_amount: '0.00600000', filled_amount: '0.00000000', filled_value: '0.000000', avg_price: null, frozen: '348.003000', seq: 6 } as SpotOrder;
let avail: string;

beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal() {}, close() {} }));
beforeEach(async () => {
  vi.stubGlobal('ResizeObserver', class { observe() {} disconnect() {} });
  sessionStorage.clear();
  queryClient.clear();
  useSession.setState({ user: { id: 1 } as never, token: 'x' });
  queryClient.setQueryData(['config'], CONFIG);
  price.stale = false;
  avail = '10.000000';
  get.mockImplementation(async (path: string, { id }: { id?: number }) => ({ message: path === 'market/book' ? { seq: 1, bids: [['59999.0', '1']], asks: [['60001.0', '1']] } : { order: id === 8 ? MOVED : ORDER, fills: [] } }));
  query.mockImplementation(async () => ({ message: { change_wallet: { balance: [{ currency: 3, change_balance: avail, lock_change_balance: '354.000000' }] } } }));
  post.mockReset().mockResolvedValue({ data: { order: MOVED, replaced: 7, fills: [] } });
  await activate('en');
});
afterEach(cleanup);

/** Longer than the book waits until it is drawn. */
const pass = () => act(() => new Promise((done) => setTimeout(done, 300)));

/** The sheet of this order, at the change of its price. */
async function opened(order = ORDER) {
  queryClient.setQueryData(['me', 'fills', 'order', order.id], { order, fills: [] });
  const close = vi.fn();
  render(
    <QueryClientProvider client={queryClient}>
      <OrderSheet open shown={{ id: order.id, move: order }} onClose={close} />
    </QueryClientProvider>,
  );
  await pass();
  return close;
}
async function told(order: SpotOrder) {
  queryClient.setQueryData(['me', 'fills', 'order', order.id], { order, fills: [] });
  await pass();
}
const field = () => screen.getByLabelText<HTMLInputElement>('Price');
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const button = (name: string | RegExp) => screen.getByRole('button', { name, hidden: true });
const press = (name: string | RegExp) => act(async () => void fireEvent.click(button(name)));
const line = (label: string) => [...document.querySelectorAll('dl > div')].find((row) => row.firstElementChild?.textContent === label)?.lastElementChild?.textContent;
const TO = 'Change price to 58,000.5\u00a0USDT';

test('the price that the button says is sent for the order on the sheet, once, and the receipt of the new order follows', async () => {
  await opened();
  expect(field().value).toBe('59,000.0');
  expect(button(t('trade.move.same')).getAttribute('aria-disabled')).toBe('true');
  await press(t('trade.move.same'));
  type('58000.5');
  expect(line('Left to trade')).toBe('0.0060\u00a0BTC');
  expect(line('Old price')).toBe('59,000.0\u00a0USDT');
  expect(line('0.0060\u00a0BTC × 58,000.5')).toBe('348.01\u00a0USDT');
  expect(line('Frozen until filled or cancelled')).toBe('348.01\u00a0USDT');
  // What the old order holds is free for the new one.
  expect(line('Left in Spot')).toBe('15.99\u00a0USDT');
  expect(screen.getByText(t('trade.move.waits'))).toBeTruthy();
  expect(post).not.toHaveBeenCalled();
  const one = button(TO);
  fireEvent.click(one);
  fireEvent.click(one);
  await act(async () => {});
  expect(post).toHaveBeenCalledExactlyOnceWith('coin/move', { id: 7, target_price: '58000.5' }, { quiet: true, mask: true, kept: 'order' });
  expect(screen.getByRole('heading', { name: 'Order', hidden: true })).toBeTruthy();
  expect(screen.getByText('Order number').nextElementSibling?.textContent).toBe('8');
  expect(screen.getByText('Limit at 58,000.5 USDT')).toBeTruthy();
});

test('an order that trades under the sheet is not moved until the person has seen what is left', async () => {
  await opened();
  type('58000.5');
  await told({ ...ORDER, filled_amount: '0.00600000', left_amount: '0.00400000', frozen: '236.000000', seq: 6 });
  expect(screen.getByRole('alert', { hidden: true }).textContent).toContain(t('review.changed'));
  expect(line('Left to trade')).toBe('0.0060\u00a0BTC');
  await press(t('review.first'));
  expect(post).not.toHaveBeenCalled();
  await press(t('review.show'));
  expect(line('Left to trade')).toBe('0.0040\u00a0BTC');
  expect(field().value).toBe('58000.5');
  await press(TO);
  expect(post).toHaveBeenCalledOnce();
});

test('an order that ends under the sheet is not moved', async () => {
  await opened();
  type('58000.5');
  await told({ ...ORDER, status: 2, left_amount: '0.00000000', seq: 6 });
  expect(screen.getByRole('alert', { hidden: true }).textContent).toContain(t('review.gone'));
  await press(/no longer available/);
  expect(post).not.toHaveBeenCalled();
  await press(t('ui.back'));
  expect(screen.getByText('Completed')).toBeTruthy();
});

test('a refused price is said at its field until another one is typed, and any other refusal above it', async () => {
  await opened();
  type('58000.5');
  post.mockRejectedValueOnce(new Refusal('E_BAND', '', { low: '30000.0', high: '50000.0' }));
  await press(TO);
  const complaint = () => document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent;
  expect(complaint()).toBe('Too far from the market. Between 30,000 and 50,000.');
  expect(field().getAttribute('aria-invalid')).toBe('true');
  type('58001');
  expect(complaint()).toBe('');
  post.mockRejectedValueOnce(new Refusal('E_STATE', '', { state: 'completed' }));
  await press(/^Change price to/);
  expect(complaint()).toBe('');
  expect(screen.getByRole('alert', { hidden: true }).textContent).toContain('This is no longer possible.');
});

test.each([
  ['58000.3', 'The price moves in steps of 0.5'],
  ['63000.5', 'Too far from the market. Between 30,000 and 63,000'],
  ['100', 'The order must be worth at least 5 USDT'],
  ['62000', 'Not enough USDT: 8.00 more than you have'],
  ['x', 'That isn’t a price'],
])('a price of %s is refused in the sheet, for the reason of a new order', async (text, reason) => {
  await opened();
  type(text);
  fireEvent.blur(field());
  expect(document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent).toBe(reason);
  await press(reason);
  expect(post).not.toHaveBeenCalled();
});

test('a price that trades at once is said to, and one far away is ticked first', async () => {
  avail = '100.000000';
  await opened();
  type('60001');
  expect(screen.getByText(t('trade.move.trades'))).toBeTruthy();
  type('40000');
  await press(t('trade.tickFirst'));
  expect(post).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('checkbox', { hidden: true }));
  // The tick counts for this price alone.
  type('40000.5');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { hidden: true }).checked).toBe(false);
  await press(t('trade.tickFirst'));
  expect(post).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('checkbox', { hidden: true }));
  await press('Change price to 40,000.5\u00a0USDT');
  expect(post.mock.calls[0]?.[1]).toEqual({ id: 7, target_price: '40000.5' });
});

test('an order that only waits keeps to that', async () => {
  avail = '100.000000';
  await opened({ ...ORDER, tif: 'post_only' });
  expect(screen.getByText(t('trade.move.rests'))).toBeTruthy();
  type('60001');
  await press('This would trade at once. Move the price away');
  expect(post).not.toHaveBeenCalled();
});

test('an unknown outcome is said with its key, and nothing can be sent a second time', async () => {
  await opened();
  type('58000.5');
  post.mockRejectedValueOnce(new Refusal('E_OUTCOME_UNKNOWN', '', { key: 'abc' }, () => new Promise(() => {})));
  await press(TO);
  expect(screen.getByRole('heading', { name: 'We don’t know yet', hidden: true })).toBeTruthy();
  expect(screen.getByText('Request abc')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Change price/, hidden: true })).toBeNull();
});

test('while the outcome of another order is unknown, none is moved', async () => {
  act(() => {
    started({ key: 'def', kept: 'order', token: 'x', until: Date.now() + 60_000, resend: () => new Promise(() => {}) });
    ended('def', 'unknown');
  });
  await opened();
  expect(screen.getByText('Request def')).toBeTruthy();
  act(() => dismiss('def'));
  expect(field().value).toBe('59,000.0');
});

test('it closes when the outcome of an order becomes known elsewhere', async () => {
  act(() => {
    started({ key: 'def', kept: 'order', token: 'x', until: Date.now() + 60_000, resend: () => new Promise(() => {}) });
    ended('def', 'unknown');
  });
  const close = await opened();
  expect(close).not.toHaveBeenCalled();
  act(() => ended('def', 'done'));
  expect(close).toHaveBeenCalledTimes(1);
  act(() => dismiss('def'));
});

test('a session that ends leaves the sheet, which asks to log in; without a price or a connection it waits', async () => {
  await opened();
  type('58000.5');
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void dispatchEvent(new Event('offline')));
  await press('Trading needs a connection');
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  price.stale = true;
  act(() => void dispatchEvent(new Event('online')));
  await press('Waiting for a live price');
  act(() => useSession.setState({ token: '', user: null as never }));
  expect(button('Log in to trade')).toBeTruthy();
  expect(post).not.toHaveBeenCalled();
});

test.each<[string, Partial<SpotOrder>, boolean]>([
  ['a limit order', {}, true],
  ['a stop that was triggered', { order_type: 'stop_limit', stop_price: '59500.0' }, true],
  ['a stop that waits for its trigger', { order_type: 'stop_limit', stop_price: '59500.0', waiting_trigger: 1 }, false],
  ['one that is over', { status: 3, reason: 'MOVED' }, false],
])('the row of %s offers another price only on the book', (_, change, offered) => {
  const open = vi.fn();
  const order = { ...ORDER, ...change } as SpotOrder;
  render(<OrderRow order={order} onOpen={open} />);
  const one = screen.queryByRole('button', { name: 'Change price: BTC/USDT, 7' });
  expect(one !== null).toBe(offered);
  if (!one) return;
  fireEvent.click(one);
  expect(open).toHaveBeenCalledExactlyOnceWith({ id: 7, move: order });
});
