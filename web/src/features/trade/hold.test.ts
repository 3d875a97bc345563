// @vitest-environment jsdom
import { beforeAll, expect, test } from 'vitest';
import type { SpotOrder } from '../../generated/api';
import { activate, t } from '../../lib/i18n';
import { amount, parseInput } from '../../lib/money';
import { reviewLines } from './lines';
import { estimate, type Draft, type Market } from './order';
import { lines } from './Receipt';

beforeAll(() => activate('en'));

test('what an order holds is rounded alike before and after it was placed', () => {
  const rules = { symbol: 'BTC/USDT', price_digits: 1, maker_fee: '0.08', taker_fee: '0.1', step: '0.00001', tick: '0.1' } as Market['rules'];
  const market: Market = { rules, base: { code: 'BTC', scale: 8 }, quote: { code: 'USDT', scale: 6 }, reference: amount('60000.00'), book: undefined };
  const draft: Draft = { side: 'buy', kind: 'limit', tif: 'gtc', price: parseInput('60000.1', 'en', 1), size: parseInput('0.00123', 'en', 8), stop: parseInput('', 'en', 1) };
  const order = { type: 1, symbol: 'BTC/USDT', order_type: 'limit', tif: 'gtc', trade_amount: '0.00123000', filled_amount: '0.00000000', filled_value: '0.000000', fee: '0.00000000', avg_price: null, frozen: '73.800123' } as SpotOrder;
  const held = (all: { label: unknown; value: unknown }[]) => all.find(({ label }) => label === t('trade.frozen'))?.value;
  const cost = estimate(draft, market);
  expect(cost && held(reviewLines(draft, market, cost, undefined, undefined))).toBe('73.81\u00a0USDT');
  expect(held(lines(order))).toBe('73.81\u00a0USDT');
});
