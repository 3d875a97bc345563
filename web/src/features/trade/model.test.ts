// @vitest-environment jsdom
import { beforeAll, describe, expect, test } from 'vitest';
import { activate } from '../../lib/i18n';
import { amount, parseInput, wire } from '../../lib/money';
import { cautionText, formLines, isUsual } from './lines';
import { validate, type OrderContext } from './model';
import { crosses, distance, estimate, limits, sizeFor, toParams, type Draft, type Market } from './order';

const market: Market = {
  rules: {
    match_id: 1,
    symbol: 'BTC/USDT',
    currency_id: 1,
    legal_id: 3,
    price_digits: 1,
    tick: '0.1',
    qty_digits: 5,
    step: '0.00001',
    min_qty: '0.00001',
    max_qty: '50.00000000',
    min_notional: '5.000000',
    max_notional: '1000000.000000',
    maker_fee: '0.08',
    taker_fee: '0.1',
    band_buy: ['50', '105'],
    band_sell: ['95', '200'],
    index: 1,
    index_tick: '0.01',
    options: 1,
    status: 'open',
  },
  base: { code: 'BTC', scale: 8 },
  quote: { code: 'USDT', scale: 6 },
  reference: amount('100000.00'),
  book: {
    seq: 1,
    bids: [['99900.0', '0.002']],
    asks: [
      ['100000.0', '0.001'],
      ['100100.0', '0.001'],
    ],
  },
};
const context: OrderContext = { loggedIn: true, online: true, frozen: false, open: true, forbidden: undefined, stale: false, available: amount('1000.000000'), openOrders: 0, maxOrders: 100 };

interface Typed {
  side?: Draft['side'];
  kind?: Draft['kind'];
  tif?: Draft['tif'];
  price?: string;
  size?: string;
  stop?: string;
}
const draft = ({ side = 'buy', kind = 'limit', tif = 'gtc', price = '99000', size = '0.001', stop = '' }: Typed = {}): Draft => ({
  side,
  kind,
  tif,
  price: parseInput(price, 'en', 1),
  size: parseInput(size, 'en', kind === 'market' && side === 'buy' ? 6 : 8),
  stop: parseInput(stop, 'en', 1),
});

const first = (typed: Typed, now: Partial<OrderContext> = {}, on: Partial<Market> = {}) => validate(draft(typed), { ...market, ...on }, { ...context, ...now })[0];

describe('the first reason is the engine’s first refusal', () => {
  test.each<[string, Typed, Partial<OrderContext>, string | undefined]>([
    ['a good order', {}, {}, undefined],
    ['a guest', { size: '' }, { loggedIn: false }, 'guest'],
    ['no connection before anything of the order', { size: '' }, { online: false }, 'offline'],
    ['a frozen account before anything of the order', { size: '' }, { frozen: true, open: false }, 'frozen'],
    ['a paused pair', { size: '' }, { open: false }, 'paused'],
    ['a country where spot is closed, before anything of the order', { size: '' }, { forbidden: 'country' }, 'country'],
    ['a country that nobody knows yet', {}, { forbidden: 'unknown' }, 'unknown'],
    ['a paused pair before the country', {}, { open: false, forbidden: 'country' }, 'paused'],
    ['no price', { price: '' }, {}, 'empty'],
    ['price zero', { price: '0' }, {}, 'empty'],
    ['no amount', { size: '' }, {}, 'empty'],
    ['too many decimals of a price', { price: '99000.05' }, {}, 'tick'],
    ['off the step', { size: '0.000015' }, {}, 'step'],
    ['more decimals than the coin has', { size: '0.0000000001' }, {}, 'step'],
    ['over the largest quantity', { size: '51', price: '50000' }, {}, 'qtyMax'],
    ['below the smallest value', { size: '0.00005' }, {}, 'notionalMin'],
    ['over the largest value', { size: '20', price: '99000' }, {}, 'notionalMax'],
    ['small value before a stale price', { size: '0.00005' }, { stale: true }, 'notionalMin'],
    ['a stale price', {}, { stale: true }, 'stale'],
    ['a market order asks for the price first', { kind: 'market', size: '' }, { stale: true }, 'stale'],
    ['a buy just inside the band', { price: '105000' }, {}, undefined],
    ['a buy just above the band', { price: '105000.1' }, {}, 'band'],
    ['a buy below the band', { price: '49999.9' }, {}, 'band'],
    ['a sale just inside the band', { side: 'sell', price: '95000' }, { available: amount('1.00000000') }, undefined],
    ['a sale just below the band', { side: 'sell', price: '94999.9' }, { available: amount('1.00000000') }, 'band'],
    ['the band before a missing trigger', { kind: 'stop_limit', price: '120000' }, {}, 'band'],
    ['no trigger', { kind: 'stop_limit', price: '100000' }, {}, 'empty'],
    ['a trigger on the wrong side', { kind: 'stop_limit', price: '100000', stop: '100000' }, {}, 'stopSide'],
    ['a trigger on the right side', { kind: 'stop_limit', price: '101000', stop: '101000', size: '0.0001' }, {}, undefined],
    ['post only that would trade', { tif: 'post_only', price: '100000' }, {}, 'postOnly'],
    ['post only that waits', { tif: 'post_only', price: '99999.9' }, {}, undefined],
    ['too many orders before the money', { size: '0.1' }, { openOrders: 100 }, 'maxOrders'],
    ['an order that cannot rest beside a hundred that do', { tif: 'ioc', size: '0.001' }, { openOrders: 100 }, undefined],
    ['likewise all or nothing', { tif: 'fok', size: '0.001' }, { openOrders: 100 }, undefined],
    ['a hundred and a post-only order', { tif: 'post_only', price: '99000' }, { openOrders: 100 }, 'maxOrders'],
    ['a hundred and a stop', { kind: 'stop_limit', price: '101000', stop: '101000', size: '0.0001', tif: 'ioc' }, { openOrders: 100 }, 'maxOrders'],
    ['too little money', { size: '0.1' }, {}, 'insufficient'],
    ['too little to sell', { side: 'sell', price: '100000', size: '0.1' }, { available: amount('0.04000000') }, 'insufficientSell'],
    ['an unknown balance is left to the server', { size: '0.1' }, { available: undefined }, undefined],
    ['too many decimals of money', { kind: 'market', size: '10.0000001' }, {}, 'decimals'],
    ['money below the smallest value', { kind: 'market', size: '4.99' }, {}, 'notionalMin'],
  ])('%s', (_name, typed, now, expected) => {
    expect(first(typed, now)?.name).toBe(expected);
  });

  test('nobody on the other side', () => {
    expect(first({ kind: 'market', size: '100' }, {}, { book: { seq: 1, bids: [], asks: [] } })?.name).toBe('noLiquidity');
  });
  test('what is missing is told exactly', () => {
    expect(wire(first({ size: '0.1' })?.values?.more as never)).toBe('8900.000000');
  });
});

test('a limit buy pays value, and its fee comes out of what it receives', () => {
  const cost = estimate(draft({ price: '100000', size: '0.00123' }), market);
  expect([cost?.pay, cost?.fee, cost?.receive].map((a) => a && wire(a))).toEqual(['123.000000', '0.00000123', '0.00122877']);
});

test('a sale pays its fee in the quote coin, rounded up', () => {
  const cost = estimate(draft({ side: 'sell', price: '100000.1', size: '0.00123' }), market);
  expect([cost?.pay, cost?.fee, cost?.receive].map((a) => a && wire(a))).toEqual(['0.00123000', '0.123001', '122.877122']);
});

test('post only counts with the fee of a waiting order', () => {
  expect(wire(estimate(draft({ tif: 'post_only', price: '99000', size: '1' }), market)?.fee as never)).toBe('0.00080000');
});

test('a market buy walks the book in whole steps and leaves the rest', () => {
  const cost = estimate(draft({ kind: 'market', size: '150.123456' }), market);
  expect([cost?.quantity, cost?.value, cost?.fee, cost?.receive].map((a) => a && wire(a))).toEqual(['0.00150000', '150.050000', '0.00000150', '0.00149850']);
  expect(cost?.partial).toBe(false);
});

test('the average of a market order is rounded as in its receipt', () => {
  const bids: [string, string][] = [
    ['97316.8', '0.02414'],
    ['97295.7', '0.04211'],
    ['97290.6', '0.03375'],
  ];
  const cost = estimate(draft({ side: 'sell', kind: 'market', size: '0.1' }), { ...market, reference: amount('97300.00'), book: { seq: 1, bids, asks: [] } });
  // 9,729.907229 for 0.1 is 97,299.07 each.
  expect([cost?.value, cost?.average].map((a) => a && wire(a))).toEqual(['9729.907229', '97299.1']);
});

test('a market order larger than the book is only partly filled', () => {
  const cost = estimate(draft({ kind: 'market', size: '900' }), market);
  expect([cost?.partial, cost?.quantity && wire(cost.quantity)]).toEqual([true, '0.00200000']);
});

test('a market order never looks beyond the band', () => {
  const asks = [...(market.book?.asks ?? []), ['105000.1', '5'] as const];
  const cost = estimate(draft({ kind: 'market', size: '900' }), { ...market, book: { seq: 1, bids: [], asks } });
  expect(cost?.partial).toBe(true);
});

test('shares of the balance are whole steps', () => {
  const free = amount('1000.000000');
  expect(wire(sizeFor(draft({ price: '30000' }), market, free, 100) as never)).toBe('0.03333');
  expect(wire(sizeFor(draft({ kind: 'market' }), market, free, 25) as never)).toBe('250.000000');
  expect(wire(sizeFor(draft({ side: 'sell' }), market, amount('0.01234567'), 50) as never)).toBe('0.00617');
  expect(sizeFor(draft({ price: '' }), market, free, 100)).toBeUndefined();
});

test('distance from the market: caution over 5 %, a tick box over 20 %', () => {
  const of = (price: string) => {
    const gap = distance(draft({ price }), market);
    return [gap?.far, gap?.veryFar, gap?.below];
  };
  expect(of('95000')).toEqual([false, false, true]);
  expect(of('94999.9')).toEqual([true, false, true]);
  expect(of('80000')).toEqual([true, false, true]);
  expect(of('79999.9')).toEqual([true, true, true]);
  expect(of('104000')).toEqual([false, false, false]);
});

test('bounds lie on ticks inside the band', () => {
  const bounds = limits('buy', { ...market, reference: amount('68412.37') });
  expect([bounds?.low, bounds?.high].map((a) => a && wire(a))).toEqual(['34206.2', '71832.9']);
});

test('a price at the other side’s best trades at once', () => {
  expect([crosses(draft({ price: '100000' }), market), crosses(draft({ price: '99999.9' }), market), crosses(draft({ side: 'sell', price: '99900' }), market)]).toEqual([true, false, true]);
});

test.each<[string, Typed, object]>([
  ['limit', { tif: 'ioc' }, { type: 1, order_type: 'limit', tif: 'ioc', amount: '0.00100000', target_price: '99000.0' }],
  ['market buy', { kind: 'market', size: '25.5' }, { type: 1, order_type: 'market', funds: '25.500000' }],
  ['market sale', { kind: 'market', side: 'sell', size: '0.5' }, { type: 2, order_type: 'market', amount: '0.50000000' }],
  ['stop', { kind: 'stop_limit', tif: 'fok', price: '101000', stop: '100500' }, { type: 1, order_type: 'stop_limit', amount: '0.00100000', target_price: '101000.0', stop_price: '100500.0' }],
])('parameters of a %s order', (_name, typed, expected) => {
  expect(toParams(draft(typed), market.rules)).toEqual({ legal_id: 3, currency_id: 1, ...expected });
});

describe('an order that waits is told so without a contradiction', () => {
  beforeAll(() => activate('en'));
  // The index is 100000.00 and the best ask 100000.0; here the asks begin higher, or the bids lower.
  const gap: Market = { ...market, book: { seq: 1, bids: [['99000.0', '1']], asks: [['101000.0', '1'], ['102000.0', '1']] } };
  const told = (typed: Typed) => {
    const given = draft(typed);
    const cost = estimate(given, gap);
    return cost && cautionText(given, gap, cost);
  };
  test.each<[string, Typed, RegExp]>([
    ['a buy below the index', { price: '99500' }, /^Your limit is 500\.00 below the current price\. The order waits/],
    ['a buy between the index and the best seller', { price: '100500' }, /^The order waits/],
    ['a buy at the index', { price: '100000' }, /^The order waits/],
    ['a buy at the best seller', { price: '101000' }, /^nothing is told$/],
    ['fill or kill that the book has', { tif: 'fok', price: '101000', size: '1' }, /^nothing is told$/],
    ['fill or kill beyond the book', { tif: 'fok', price: '101000', size: '1.00001' }, /^Only 1\.0000\u00a0BTC can trade at your price/],
    ['what is worse than the limit does not count', { tif: 'fok', price: '101999.9', size: '1.5' }, /^Only 1\.0000\u00a0BTC/],
    ['two levels inside the limit', { tif: 'fok', price: '102000', size: '2' }, /^nothing is told$/],
    ['a sale that the buyers do not take whole', { side: 'sell', tif: 'fok', price: '99000', size: '1.1' }, /^Only 1\.0000\u00a0BTC/],
    ['immediate or cancel takes what there is', { tif: 'ioc', price: '101000', size: '9' }, /^nothing is told$/],
    ['a sale above the index', { side: 'sell', price: '100500' }, /^Your limit is 500\.00 above the current price\. The order waits/],
    ['a sale between the best buyer and the index', { side: 'sell', price: '99500' }, /^The order waits/],
  ])('%s', (_name, typed, expected) => {
    expect(told(typed) ?? 'nothing is told').toMatch(expected);
  });

  test('an order that waits within 1 % of the price is told without a warning (F48)', () => {
    const usual = (typed: Typed) => isUsual(draft(typed), gap);
    expect([usual({ price: '99500' }), usual({ price: '99000' }), usual({ price: '98999.9' }), usual({ side: 'sell', price: '101000' }), usual({ side: 'sell', price: '101000.1' })]).toEqual([true, true, false, true, false]);
    // Orders that trade at once, or that never will, are different.
    expect([usual({ price: '101000' }), usual({ tif: 'ioc', price: '99500' }), usual({ kind: 'market' })]).toEqual([false, false, false]);
  });

  test('the fee of a buy is said in what is given as well (F48)', () => {
    const fee = (typed: Typed) => formLines(draft(typed), gap, estimate(draft(typed), gap), undefined)[1]?.value;
    expect(fee({ price: '99500', size: '1' })).toBe('0.0010\u00a0BTC (99.50\u00a0USDT)');
    expect(fee({ side: 'sell', price: '100500', size: '1' })).toBe('100.50\u00a0USDT');
  });
});
