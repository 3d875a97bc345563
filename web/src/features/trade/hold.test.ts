// @vitest-environment jsdom
import { afterEach, beforeAll, expect, test } from 'vitest';
import { queryClient } from '../../data/query';
import type { SpotOrder } from '../../generated/api';
import { activate, t } from '../../lib/i18n';
import { amount, parseInput } from '../../lib/money';
import type { CostLine } from '../../ui/Status';
import { reviewLines } from './lines';
import { estimate, type Draft, type Market } from './order';
import { lines } from './Receipt';

beforeAll(() => activate('en'));
afterEach(() => queryClient.clear());

const rules = { symbol: 'BTC/USDT', price_digits: 1, maker_fee: '0.08', taker_fee: '0.1', step: '0.00001', tick: '0.1' } as Market['rules'];
const market: Market = { rules, base: { code: 'BTC', scale: 8 }, quote: { code: 'USDT', scale: 6 }, reference: amount('60000.00'), book: undefined };
const buy: Draft = { side: 'buy', kind: 'limit', tif: 'gtc', price: parseInput('60000.1', 'en', 1), size: parseInput('0.00123', 'en', 8), stop: parseInput('', 'en', 1) };
const order = { type: 1, status: 1, symbol: 'BTC/USDT', order_type: 'limit', tif: 'gtc', target_price: '60000.1', stop_price: null, trade_amount: '0.00123000', filled_amount: '0.00000000', filled_value: '0.000000', charge_fee: '0.001', maker_fee: '0.08', fee: '0.00000000', avg_price: null, frozen: '73.800123' } as SpotOrder;
const valueOf = (all: readonly CostLine[], label: string) => all.find((line) => line.label === label)?.value;
const checked = (draft: Draft, of = market) => {
  const cost = estimate(draft, of);
  return cost ? reviewLines(draft, of, cost, undefined, undefined) : [];
};

test('what an order holds is rounded alike before and after it was placed', () => {
  expect(valueOf(checked(buy), t('trade.frozen'))).toBe('73.81\u00a0USDT');
  expect(valueOf(lines(order), t('trade.frozen'))).toBe('73.81\u00a0USDT');
});

test.each<[string, Draft, Partial<SpotOrder>]>([
  ['a buy', buy, {}],
  ['a sale', { ...buy, side: 'sell' }, { type: 2 }],
  ['one that only waits', { ...buy, tif: 'post_only' }, { tif: 'post_only' }],
  ['one with a trigger', { ...buy, kind: 'stop_limit', stop: parseInput('60010.0', 'en', 1) }, { order_type: 'stop_limit', stop_price: '60010.0', waiting_trigger: 1 }],
])('the receipt of %s that has not traded yet says the fee and the most it costs, as its check did', (_, draft, change) => {
  // The pair charges more by now; the order keeps the fee that it was placed with.
  queryClient.setQueryData(['config'], { markets: [{ ...rules, maker_fee: '0.15', taker_fee: '0.2' }] });
  const [filled, ...rest] = lines({ ...order, ...change } as SpotOrder);
  expect(filled).toEqual({ label: t('trade.filledLabel'), value: '0.0000 of 0.00123\u00a0BTC' });
  expect(rest).toEqual(checked(draft).slice(0, -1));
  expect(valueOf(rest, t('trade.feeRounded', { rate: draft.tif === 'post_only' ? '0.08%' : '0.10%' }))).toBeTruthy();
  expect(valueOf(rest, t(draft.side === 'buy' ? 'trade.payAtMost' : 'trade.receiveAtLeast'))).toBe(draft.side === 'buy' ? '73.81\u00a0USDT' : '73.72\u00a0USDT');
});

test('once a part has traded, or nothing can any more, the receipt says what became of it', () => {
  queryClient.setQueryData(['config'], { markets: [rules] });
  const partly = { ...order, filled_amount: '0.00023000', filled_value: '13.800023', avg_price: '60000.1', fee: '0.00000023', fee_currency: 'BTC', frozen: '60.000100' } as SpotOrder;
  for (const one of [partly, { ...order, status: 3, frozen: '0.000000' } as SpotOrder]) expect(valueOf(lines(one), t('trade.payAtMost'))).toBeUndefined();
});
