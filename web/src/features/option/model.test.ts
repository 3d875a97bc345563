import { describe, expect, test } from 'vitest';
import type { OptionDuration, OptionOrder } from '../../generated/api';
import { amount, parseInput, wire } from '../../lib/money';
import { band, isLarge, netAt, outcome, ownLimits, quote, recordOf, validate, type Draft, type Reason, type OrderContext } from './model';

const texts = (amounts: object) => Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, wire(value as ReturnType<typeof amount>)]));

describe('what an option costs and can bring', () => {
  test.each([
    ['100.000000', '70', { cost: '100.500000', gain: '69.500000', fee: '0.500000', payout: '170.000000', breakEven: '59.2', coinToss: '15.500000' }],
    ['50.000000', '85', { cost: '50.250000', gain: '42.250000', fee: '0.250000', breakEven: '54.4', coinToss: '4.000000' }],
    ['10.000001', '70', { profit: '7.000000', fee: '0.050001' }],
  ])('a stake of %s at %s %%', (stake, payout, expected) => expect(texts(quote(amount(stake), payout, '0.5'))).toMatchObject(expected));
});

describe('how it ends', () => {
  const open = amount('97432.15');
  test('the band is exact, and its edge is even', () => {
    expect(wire(band(open, '0.005'))).toBe('4.87160750');
    expect(['97437.02160751', '97437.02160750', '97427.27839250', '97427.27839249'].map((end) => outcome(open, amount(end), '0.005'))).toEqual([1, 0, 0, 2]);
  });

  const up = { type: 1, number: '100.000000', fee: '0.500000', profit: '70.000000', open_price: '97432.15', tolerance: '0.005', tie_rule: 'refund' } as const;
  test.each([
    [up, '97440', '69.500000'],
    [up, '97420', '-100.500000'],
    [up, '97432.15', '-0.500000'],
    [{ ...up, tie_rule: 'lose' } as const, '97432.15', '-100.500000'],
    [{ ...up, type: 0, profit: '900.000000' } as const, '97432.15', '899.500000'],
  ])('if it ended now: %j at %s', (option, price, net) => expect(wire(netAt(option, amount(price)))).toBe(net));
});

test('the own record counts what was decided, and all the money', () => {
  const row = (result: OptionOrder['result'], fact_profits: string) => ({ result, fact_profits }) as OptionOrder;
  const { right, count, net, rate, marks } = recordOf([row('won', '69.500000'), row('push', '-0.500000'), row('lost', '-100.500000'), row('lost', '-50.250000'), row('refunded', '0.000000')]);
  expect([right, count, wire(net), rate && wire(rate), marks]).toEqual([1, 3, '-81.750000', '33.3', [false, false, true]]);
  expect(recordOf([]).rate).toBeUndefined();
});

test('more than a quarter of the account is large; a quarter is not', () => {
  expect([isLarge(amount('25.01'), amount('100')), isLarge(amount('25'), amount('100')), isLarge(amount('25'), undefined)]).toEqual([true, false, false]);
});

describe('what is refused', () => {
  const coin = { id: 3, code: 'USDT', feeRate: '0.5', min: '5.000000', mostRunning: 20 };
  const duration = { seconds: 60, limits: [{ currency_id: 3, min: '5.000000', max: '1000.000000', even_max: '100.000000' }] } as OptionDuration;
  const context: OrderContext = { loggedIn: true, online: true, frozen: false, open: true, forbidden: undefined, verified: true, stale: false, available: amount('500.000000'), running: 0, own: { paused: false } };
  const draft = (stake: string, change: Partial<Draft> = {}): Draft => ({ direction: 1, duration, coin, stake: parseInput(stake, 'en', 6), ...change });
  const names = (one: Draft, change: Partial<OrderContext> = {}) => validate(one, { ...context, ...change }).map(({ name }: Reason) => name);

  test.each<[string, Draft, Partial<OrderContext>, string[]]>([
    ['nothing', draft('100'), {}, []],
    ['the least and the most', draft('5'), {}, []],
    ['below the least', draft('4.999999'), {}, ['min']],
    ['above the most, and more than there is', draft('1000.000001'), {}, ['max', 'insufficient']],
    ['above the most of an even end', draft('100.5', { direction: 0 }), {}, ['max']],
    ['no end chosen', draft('100', { duration: undefined }), {}, ['duration']],
    ['no stake', draft(''), {}, ['empty']],
    ['zero', draft('0'), {}, ['empty']],
    ['too many decimals', draft('5.0000001'), {}, ['decimals']],
    ['no amount', draft('1e3'), {}, ['format']],
    ['stake fits, the fee does not', draft('498'), {}, ['insufficient']],
    ['everything at once, in the order of the engine', draft('4', { duration: undefined }), { loggedIn: false, online: false, open: false, frozen: true, verified: false, stale: true, running: 20 }, ['guest', 'offline', 'paused', 'frozen', 'duration', 'identity', 'tooMany', 'stale']],
    ['a country that forbids it', draft('100'), { forbidden: 'country' }, ['country']],
    ['exactly what the own limits leave', draft('100'), { own: { paused: false, stakes: amount('100.000000'), losses: amount('100.500000') } }, []],
    ['an atom more than the own limit of stakes leaves', draft('100'), { own: { paused: false, stakes: amount('99.999999') } }, ['ownLimit']],
    ['an atom more than the own limit of losses leaves', draft('100'), { own: { paused: false, losses: amount('100.499999') } }, ['ownLimit']],
    ['an own pause, before the bounds of the stake', draft('4'), { own: { paused: true } }, ['ownLimit', 'min']],
    ['a coin that is counted at a price', draft('100', { coin: { ...coin, code: 'USDC' } }), { own: { paused: false, stakes: amount('1.000000') } }, []],
  ])('%s', (_, one, change, expected) => expect(names(one, change)).toEqual(expected));

  test('what an own limit leaves is what the server has not counted yet', () => {
    const limits = { option_stake_day: '500.000000', loss_day: '200.000000', leverage_max: null, pause_until_ms: 1_000, used: { option_stake_day: '150.000000', loss_day: '30.000000' }, pending: [] };
    expect(ownLimits(limits, 999)).toEqual({ paused: true, stakes: amount('350.000000'), losses: amount('170.000000') });
    expect(ownLimits({ ...limits, option_stake_day: null, loss_day: null }, 1_000)).toEqual({ paused: false, stakes: undefined, losses: undefined });
  });
});
