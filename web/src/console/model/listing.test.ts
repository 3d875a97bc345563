import { describe, expect, it } from 'vitest';
import type { Coin, MarketRules } from '../../generated/api';
import { coinProblems, coinValues, inWords, newCoin, newPair, pairProblems, pairValues, refusedBecause, type Form, type Listed } from './listing';

const coin = (id: number, code: string, scale: number) => ({ id, code, scale }) as Coin;
const market = { currency_id: 1, legal_id: 3, min_notional: '5.000000', max_notional: '1000000.000000', maker_fee: '0.08', taker_fee: '0.1', band_buy: ['50', '105'], band_sell: ['95', '200'] } as MarketRules;
const listed: Listed = {
  currencies: [coin(1, 'BTC', 8), coin(3, 'USDT', 6), coin(5, 'TOK', 6)],
  markets: [market],
  index: { sources: ['alder', 'birch', 'cedar', 'hazel'], quorum: 3, stale_ms: 1, deviation: '1' },
};
const pair: Form = { ...newPair(listed), base: 'TOK', tick: '0.0001', step: '0.01', min_qty: '0.01', max_qty: '1,000,000', issue_price: '0.5' };
const wrong = (part: Form) => pairProblems({ ...pair, ...part }, listed);

describe('a new coin', () => {
  it('has a code of its own, and is always in the spot account', () => {
    const problem = (code: string) => coinProblems({ ...newCoin, code }, listed).code;
    expect([problem('TOKEN'), problem('BTC'), problem('tok'), problem(''), problem('X')]).toEqual([undefined, 'BTC is listed already', '2 to 12 capital letters and digits', 'Missing', '2 to 12 capital letters and digits']);
    expect(coinProblems({ ...newCoin, code: 'TOKEN', scale: '2', faucet_max: '0.001' }, listed)).toEqual({ faucet_max: 'At most 2 decimals' });
    expect(coinValues({ ...newCoin, code: ' TOKEN ', faucet_max: '1,000', trust: '1' })).toEqual({ code: 'TOKEN', scale: 6, accounts: ['change', 'trust'], faucet_max: '1000' });
  });
  it('is signed in words', () => {
    const words = inWords({ kind: 'coin', code: 'TOK', scale: 6, accounts: ['change', 'trust'], faucet_max: '0.000000' });
    expect(words?.title).toBe('List the coin TOK');
    expect(words?.lines.slice(0, 2)).toEqual([
      ['Smallest amount', '0.000001 TOK. Decimals never change later'],
      ['Accounts', 'Spot, Plans'],
    ]);
  });
});

describe('a new pair', () => {
  it('starts with the fees and bands of a listed one', () => {
    expect(newPair(listed)).toMatchObject({ quote: 'USDT', maker_fee: '0.08', min_notional: '5', buy_low: '50', sell_high: '200' });
    expect(pairProblems(pair, listed)).toEqual({});
    expect(pairValues(pair, listed)).toMatchObject({ symbol: 'TOK/USDT', tick: '0.0001', max_qty: '1000000', band_buy: ['50', '105'], issue_price: '0.5' });
  });
  it('says what is wrong beside the field', () => {
    expect(wrong({ base: '' })).toMatchObject({ base: 'Choose a coin' });
    expect(wrong({ base: 'BTC' })).toMatchObject({ base: 'BTC/USDT is listed already' });
    expect(wrong({ base: 'USDT' })).toMatchObject({ quote: 'Another coin than the traded one' });
    expect(wrong({ tick: '0' })).toEqual({ tick: 'More than 0' });
    expect(wrong({ tick: 'a lot' })).toEqual({ tick: 'Not a number. Write 0.01 or 1,000' });
    expect(wrong({ tick: '0.00001' })).toEqual({ step: 'One step at one price step must be worth whole units of USDT: at most 6 decimals' });
    expect(wrong({ min_qty: '0.015' })).toEqual({ min_qty: 'A multiple of the quantity step' });
    expect(wrong({ max_qty: '0.00' })).toEqual({ max_qty: 'More than 0' });
    expect(wrong({ min_notional: '2000000' })).toEqual({ max_notional: 'Not below the smallest' });
    expect(wrong({ taker_fee: '101' })).toEqual({ taker_fee: 'At most 100 %' });
    expect(wrong({ sell_low: '300' })).toEqual({ sell_high: 'Not below the smallest' });
    expect(wrong({ issue_price: '0.50005' })).toEqual({ issue_price: 'A multiple of the price step' });
    expect(wrong({ first: 'index' })).toEqual({ index_tick: 'Missing', sources: 'Choose at least 3 sources' });
  });
  it('may be priced by sources', () => {
    const form = { ...pair, first: 'index', index_tick: '0.0001', 'source.alder': '1', 'source.birch': '1', 'source.hazel': '1' };
    expect(pairProblems(form, listed)).toEqual({});
    const values = pairValues(form, listed);
    expect(values).toMatchObject({ sources: ['alder', 'birch', 'hazel'], index_tick: '0.0001' });
    expect(values).not.toHaveProperty('issue_price');
    expect(inWords({ kind: 'pair', ...values })?.first).toBe('Priced by alder, birch, hazel');
  });
  it('is signed in words, the price first', () => {
    const words = inWords({ kind: 'pair', ...pairValues(pair, listed) });
    expect([words?.title, words?.first]).toEqual(['List the pair TOK/USDT', 'Issue price 0.5 USDT for 1 TOK']);
    expect(words?.lines).toContainEqual(['One order', '0.01 to 1,000,000 TOK, worth 5 to 1,000,000 USDT']);
    expect(words?.lines).toContainEqual(['Buy orders', '50 % to 105 % of the price']);
    expect(inWords({ kind: 'fee', maker_fee: '1' })).toBeNull();
  });
});

it('says why a listing was refused', () => {
  expect(refusedBecause({ code: 'TOK' }, 'code', 'repeated')).toBe('TOK is listed already.');
  expect(refusedBecause({}, 'id', 'repeated')).toBe('Another listing took its number. Propose it again.');
  expect(refusedBecause({}, 'tick', 'range')).toBe('Price step: range.');
  expect(refusedBecause({}, null, null)).toBeNull();
});
