import { describe, expect, test } from 'vitest';
import type { SelfLimits } from '../../generated/api';
import { amount, make, parseInput, wire, type Parsed } from '../../lib/money';
import { entryOf, estimate, isBold, maxLots, prefill, toParams, validate, type Draft, type OrderContext } from './order';
import { ticksOf } from './terms';
import { market } from './testing';

const typed = (text: string, scale = 2): Parsed => parseInput(text, 'en', scale);
const draft = (part: Partial<Draft> = {}): Draft => ({ side: 'long', kind: 'market', multiple: 10, lots: typed('10', 0), limit: typed(''), stop: 'none', profit: 'none', ...part });
const context = (part: Partial<OrderContext> = {}): OrderContext => ({
  loggedIn: true,
  online: true,
  frozen: false,
  open: true,
  forbidden: undefined,
  stale: false,
  available: amount('5000.000000'),
  positions: 0,
  waiting: 0,
  used: 0n,
  maxPositions: 50,
  ownPause: false,
  own: undefined,
  ...part,
});
/** Limits of which 30 USDT of losses are used. */
const limits = (part: Partial<SelfLimits>): SelfLimits => ({ option_stake_day: null, loss_day: null, leverage_max: null, pause_until_ms: null, used: { option_stake_day: '0.000000', loss_day: '30.000000' }, pending: [], ...part });
const names = (d: Draft, s: Partial<OrderContext> = {}, index: string | null = '100000.00') => validate(d, market(index), context(s)).map(({ name }) => name);
const text = (a: { units: bigint; scale: number } | undefined) => a && wire(make(a.units, a.scale));

describe('what an order comes to', () => {
  test('example 1 of 4.10: long, 10 lots, 10 times', () => {
    const cost = estimate(draft(), market());
    expect([cost?.value, cost?.margin, cost?.fee, cost?.lose, cost?.liquidation, cost?.overnight].map(text)).toEqual(['1000.100000', '100.010000', '0.500050', '100.510050', '90734.87', '0.300000']);
  });
  test('the worst case is the margin and the opening fee, for a short too', () => {
    const cost = estimate(draft({ side: 'short' }), market());
    expect([cost?.margin, cost?.fee, cost?.lose, cost?.liquidation].map(text)).toEqual(['99.990000', '0.499950', '100.489950', '109116.08']);
  });
  test('at the stop and at the take-profit all fees and the spread are taken off', () => {
    const cost = estimate(draft({ stop: typed('97000'), profit: typed('105000') }), market());
    // Closed at 96 990.30: -30.197, fee 0.484952; at 104 989.50: +49.795, fee 0.524948; opening fee 0.50005.
    expect([cost?.atStop, cost?.gain].map(text)).toEqual(['31.182002', '48.770002']);
  });
  test('without a take-profit the gain is that of the profit cap', () => {
    const cost = estimate(draft({ multiple: 50, lots: typed('100', 0) }), market());
    expect(text(cost?.capPrice)).toBe('120012.00');
    // Closed at 119 999.99 by the spread: 1 998.999, fees 6 and 5.0005.
    expect(text(cost?.gain)).toBe('1987.998500');
  });
  test('a short that cannot reach its cap gains at most what its price leaves', () => {
    const cost = estimate(draft({ side: 'short', multiple: 10 }), market());
    expect(cost?.capPrice).toBeUndefined();
    expect(cost?.gain && cost.gain.units < cost.value.units).toBe(true);
  });
  test('a limit on the near side waits and is counted at the limit', () => {
    const waiting = draft({ kind: 'limit', limit: typed('99000') });
    expect(entryOf(waiting, market())).toEqual({ price: 9_900_000n, from: 9_900_000n, waits: true });
    expect(text(estimate(waiting, market())?.lose)).toBe('99.495000');
  });
  test('a limit beyond the price of now is executed at the better price', () => {
    expect(entryOf(draft({ kind: 'limit', limit: typed('101000') }), market())).toEqual({ price: 10_001_000n, from: 10_000_000n, waits: false });
  });
  test('nothing is said while something is missing, or above the last tier', () => {
    expect(estimate(draft({ lots: typed('', 0) }), market())).toBeUndefined();
    expect(estimate(draft(), market(null))).toBeUndefined();
    expect(estimate(draft({ lots: typed('10000', 0) }), market())).toBeUndefined();
  });
});

describe('triggers that are put there at first', () => {
  const of = (part: Partial<Draft>) => {
    const cost = estimate(draft(part), market());
    if (!cost) throw new Error('no estimate');
    return { ...prefill(part.side ?? 'long', cost.entry.from, cost.opening), cost };
  };
  test('lie 3 % and 4.5 % away', () => {
    expect(of({})).toMatchObject({ stop: 9_700_000n, profit: 10_450_000n });
    expect(of({ side: 'short' })).toMatchObject({ stop: 10_300_000n, profit: 9_550_000n });
  });
  test('the stop is at most half-way to liquidation', () => {
    const { stop, cost } = of({ multiple: 50 });
    expect(stop * 2n).toBeGreaterThanOrEqual(10_000_000n + cost.opening.liquidation);
    const short = of({ multiple: 50, side: 'short' });
    expect(short.stop * 2n).toBeLessThanOrEqual(10_000_000n + short.cost.opening.liquidation);
  });
  test.each([1, 2, 5, 10, 20, 25, 50])('%i times: the server takes them', (multiple) => {
    for (const side of ['long', 'short'] as const) {
      const { stop, profit } = of({ multiple, side });
      expect(names(draft({ multiple, side, stop: { ok: true, value: make(stop, 2) }, profit: { ok: true, value: make(profit, 2) } }))).toEqual([]);
    }
  });
});

describe('what is in the way, in the order of the server', () => {
  test('nothing', () => expect(names(draft())).toEqual([]));
  test('lots', () => {
    expect(names(draft({ lots: typed('', 0) }))).toEqual(['lotsEmpty']);
    expect(names(draft({ lots: typed('0', 0) }))).toEqual(['lots']);
    expect(names(draft({ lots: typed('1.5', 0) }))).toEqual(['lots']);
    expect(names(draft({ lots: typed('1e3', 0) }))).toEqual(['lots']);
    expect(names(draft({ lots: typed('-1', 0) }))).toEqual(['lots']);
    expect(names(draft({ lots: typed('100001', 0) }))).toContain('lotsMax');
  });
  test('a multiple above the own limit, above that of the tier, and one that is not offered', () => {
    expect(names(draft(), { own: limits({ leverage_max: 5 }) })).toEqual(['ownMultiple']);
    expect(names(draft({ multiple: 50, lots: typed('600', 0) }), { available: amount('5000.000000') })).toEqual(['tierMultiple']);
    expect(names(draft({ multiple: 3 }))).toEqual(['multiple']);
  });
  test('what can be lost by it, against what the own limit leaves', () => {
    expect(names(draft(), { own: limits({ loss_day: '130.510050' }) })).toEqual([]);
    expect(names(draft(), { own: limits({ loss_day: '130.510049' }) })).toEqual(['ownLoss']);
    expect(names(draft({ multiple: 1, lots: typed('10001', 0) }), { own: limits({ loss_day: '31.000000' }) })).toEqual(['tier']);
  });
  test('a position above the last tier', () => expect(names(draft({ multiple: 1, lots: typed('10001', 0) }))).toEqual(['tier']));
  test('triggers: empty, between ticks, on the wrong side', () => {
    expect(names(draft({ stop: typed(''), profit: typed('') }))).toEqual(['profitEmpty', 'stopEmpty']);
    expect(names(draft({ stop: typed('97000.001') }))).toEqual(['tick']);
    expect(names(draft({ stop: typed('100000') }))).toEqual(['stopSide']);
    expect(names(draft({ stop: typed('90734.87') }))).toEqual(['stopSide']);
    expect(names(draft({ profit: typed('100000') }))).toEqual(['profitSide']);
    expect(names(draft({ side: 'short', stop: typed('97000'), profit: typed('105000') }))).toEqual(['profitSide', 'stopSide']);
  });
  test('without any price nobody is asked for the triggers that follow from it', () => {
    expect(names(draft({ stop: typed(''), profit: typed('') }), { stale: true }, null)[0]).toBe('stale');
    expect(names(draft({ stop: typed(''), profit: typed('') }), { stale: true })[0]).toBe('profitEmpty');
  });
  test('a stop says between which prices it may lie', () => {
    const reason = validate(draft({ stop: typed('100000') }), market(), context())[0];
    expect([text(reason?.low), text(reason?.high)]).toEqual(['90734.88', '99999.99']);
  });
  test('money that is missing is named to the atom', () => {
    const [reason] = validate(draft(), market(), context({ available: amount('100.510049') }));
    expect([reason?.name, text(reason?.high)]).toEqual(['insufficient', '0.000001']);
    expect(names(draft(), { available: amount('100.510050') })).toEqual([]);
  });
  test('a stale price, a full list, a pause, a country and a guest', () => {
    expect(names(draft(), { stale: true })).toEqual(['stale']);
    expect(names(draft(), { positions: 50 })).toEqual(['openLimit']);
    // C-16: with what is open in the pair it is of the second tier, or above the last.
    expect(names(draft({ multiple: 50 }), { used: 49_000_000_000n })).toEqual(['tierMultiple']);
    expect(names(draft({ multiple: 50 }), { used: 48_000_000_000n })).toEqual([]);
    expect(names(draft(), { used: 999_500_000_000n })).toEqual(['tier']);
    expect(names(draft({ kind: 'limit', limit: typed('99000') }), { positions: 50 })).toEqual([]);
    expect(names(draft({ kind: 'limit', limit: typed('99000') }), { waiting: 50 })).toEqual(['openLimit']);
    expect(names(draft(), { open: false, frozen: true, loggedIn: false })).toEqual(['guest', 'paused', 'frozen']);
    expect(names(draft(), { forbidden: 'country' })).toEqual(['country']);
    expect(names(draft(), { ownPause: true })).toEqual(['ownPause']);
  });
});

test('the most lots cost no more than there is, and one more would', () => {
  const available = amount('1827.260000');
  const lots = maxLots(draft(), market(), available) ?? 0n;
  const cost = (n: bigint) => estimate(draft({ lots: { ok: true, value: make(n, 0) } }), market())?.lose.units ?? 0n;
  expect(cost(lots)).toBeLessThanOrEqual(available.units);
  expect(cost(lots + 1n)).toBeGreaterThan(available.units);
  expect(maxLots(draft(), market(), amount('0.000000'))).toBe(0n);
  expect(maxLots(draft({ multiple: 50 }), market(), amount('100000000.000000'))).toBe(499n);
  // Unknown is not the same as none.
  expect(maxLots(draft(), market(null), available)).toBeUndefined();
  // C-16: 40,000 USDT of the first tier are open already.
  expect(maxLots(draft({ multiple: 50 }), market(), amount('100000000.000000'), 40_000_000_000n)).toBe(99n);
});

test('a bold order is one of 20 times, or of more than half of what is free', () => {
  const bold = (part: Partial<Draft>, available: string) => {
    const cost = estimate(draft(part), market());
    return cost && isBold(draft(part), cost, amount(available));
  };
  expect(bold({}, '5000')).toBe(false);
  expect(bold({ multiple: 20 }, '5000')).toBe(true);
  expect(bold({}, '200.02')).toBe(false);
  expect(bold({}, '200.01')).toBe(true);
});

test('what is sent is what was typed', () => {
  expect(toParams(draft({ kind: 'limit', limit: typed('99,000.5'), profit: typed('101000') }))).toEqual({ share: 10, multiple: 10, type: 1, status: 0, target_price: '99000.50', target_profit_price: '101000.00', stop_loss_price: '0' });
  expect(toParams(draft({ side: 'short' }))).not.toHaveProperty('target_price');
});

test('a price between two ticks is none', () => {
  expect(ticksOf(amount('1.005'), amount('0.01'))).toBeUndefined();
  expect(ticksOf(amount('1.50'), amount('0.5'))).toBe(3n);
});
