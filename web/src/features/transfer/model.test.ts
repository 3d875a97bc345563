import { describe, expect, test } from 'vitest';
import { isAccount, type Account } from '../../lib/wire';
import type { Coin, TransferRow } from '../../generated/api';
import { amount, parseInput, wire } from '../../lib/money';
import { begin, choose, filterRecord, movable, validate } from './model';

const coin = (id: number, code: string, lever: 0 | 1): Coin =>
  ({ id, code, name: code, logo: '', scale: 6, is_legal: 0, is_match: 1, is_lever: lever, is_micro: 1, is_trust: 1, networks: [] }) as Coin;
const btc = coin(1, 'BTC', 0);
const usdt = coin(3, 'USDT', 1);
const token: Coin = { ...coin(101, 'TKN', 0), is_micro: 0, is_trust: 0 };
const coins = [btc, usdt, token];

test.each([
  ['change', 'micro', ['BTC', 'USDT']],
  ['change', 'lever', ['USDT']],
  ['lever', 'trust', ['USDT']],
] as const)('%s to %s moves %j', (from, to, codes) => {
  expect(movable({ from, to }, coins).map((c) => c.code)).toEqual(codes);
});

test.each([
  ['from', 'trust', { from: 'trust', to: 'lever' }],
  ['from', 'lever', { from: 'lever', to: 'change' }],
  ['to', 'change', { from: 'lever', to: 'change' }],
  ['to', 'micro', { from: 'change', to: 'micro' }],
] as const)('choosing %s %s', (side, account, result) => {
  expect(choose(side, account, { from: 'change', to: 'lever' })).toEqual(result);
});

test.each<[string, string | null, string | null, Account[], { from: Account; to: Account | undefined }]>([
  ['nothing but spot is for something', null, null, ['change'], { from: 'change', to: undefined }],
  ['contracts are offered', null, null, ['change', 'lever'], { from: 'change', to: 'lever' }],
  ['an account without a product was asked for', null, 'micro', ['change'], { from: 'change', to: 'micro' }],
  ['money leaves an account without a product', 'micro', null, ['change'], { from: 'micro', to: 'change' }],
  ['money comes to spot', null, 'change', ['change', 'micro'], { from: 'micro', to: 'change' }],
  ['the two are one', 'change', 'change', ['change', 'lever'], { from: 'change', to: 'lever' }],
  ['the words are none', 'x', 'y', ['change', 'micro'], { from: 'change', to: 'micro' }],
])('no account without a product is chosen by itself: %s (F46)', (_name, from, to, offered, way) => {
  expect(begin({ from, to }, offered)).toEqual(way);
});

describe('validate', () => {
  const check = (text: string, part: { from?: Account; to?: Account; coin?: Coin; available?: string | null } = {}) =>
    validate({
      frozen: false,
      from: part.from ?? 'change',
      to: part.to ?? 'micro',
      coin: 'coin' in part ? part.coin : usdt,
      amount: parseInput(text, 'en', 6),
      available: part.available === null ? undefined : amount(part.available ?? '5.000000'),
    });
  test.each([
    ['5', {}, []],
    ['0.000001', {}, []],
    ['5', { to: 'change' as const }, ['transfer.sameAccount']],
    ['5', { to: 'lever' as const, coin: btc }, ['transfer.wrongCoin']],
    ['', {}, ['transfer.needAmount']],
    ['0', {}, ['transfer.needAmount']],
    ['1.2345678', {}, ['transfer.scale']],
    ['1.2.3', {}, ['errors.E_AMOUNT']],
    ['6', {}, ['transfer.tooMuch']],
    ['5', { available: null }, ['transfer.balanceUnknown']],
    ['6', { to: 'change' as const, coin: token }, ['transfer.sameAccount', 'transfer.tooMuch']],
  ])('"%s" %j', (text, part, texts) => {
    expect(check(text, part).map((reason) => reason.text)).toEqual(texts);
  });
  test('nothing moves in a frozen account, which is told first', () => {
    const frozen = validate({ frozen: true, from: 'change', to: 'micro', coin: usdt, amount: parseInput('5', 'en', 6), available: amount('5.000000') });
    expect(frozen.map((reason) => reason.text)).toEqual(['errors.E_ACCOUNT_FROZEN']);
  });
  test('says by how much it is too much', () => {
    const over = check('6.5')[0]?.over;
    expect(over && wire(over)).toBe('1.500000');
  });
});

describe('record', () => {
  const row = (id: number, from_field: string, to_field: string, currency: number, created_time_ms: number) => ({ id, from_field, to_field, currency, created_time_ms }) as TransferRow;
  const rows = [row(3, 'change', 'micro', 3, 300), row(2, 'micro', 'trust', 1, 200), row(1, 'change', 'lever', 3, 100)];
  test.each([
    [{ account: 'all', coin: 0, from: 0 }, [3, 2, 1], false],
    [{ account: 'micro', coin: 0, from: 0 }, [3, 2], false],
    [{ account: 'change', coin: 3, from: 150 }, [3], true],
    [{ account: 'trust', coin: 3, from: 0 }, [], false],
  ] as const)('%j', (filter, ids, complete) => {
    const result = filterRecord(rows, filter);
    expect(result.rows.map((r) => r.id)).toEqual(ids);
    expect(result.complete).toBe(complete);
  });
});

test('account words are checked', () => {
  expect([isAccount('lever'), isAccount('legal'), isAccount(null)]).toEqual([true, false, false]);
});
