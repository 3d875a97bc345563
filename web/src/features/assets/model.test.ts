import { describe, expect, test } from 'vitest';
import type { AccountWorth } from '../../lib/total';
import { admits, type Account } from '../../lib/wire';
import type { Coin, CoinCost, LogRow, WalletList, WalletRow } from '../../generated/api';
import { amount, parseInput, wire } from '../../lib/money';
import { accountLines, coinLines, firstCoin, hasIndex, hasStalePrice, logKey, logKinds, otherKinds, paperReason, profitOf, statementSpan } from './model';

const row = (part: Partial<WalletRow>): WalletRow =>
  ({
    currency: 3,
    currency_name: 'USDT',
    change_balance: '0.000000',
    lock_change_balance: '0.000000',
    lever_balance: '0.000000',
    lock_lever_balance: '0.000000',
    micro_balance: '0.000000',
    lock_micro_balance: '0.000000',
    trust_balance: '0.000000',
    lock_trust_balance: '0.000000',
    total: '0.000000',
    usdt_price: '1.000000',
    usdt_total: '0.000000',
    price_stale: 0,
    ...part,
  }) as WalletRow;
const usdt = row({ change_balance: '927.420000', lock_change_balance: '250.000000', total: '1177.420000', usdt_total: '1177.420000' });
const btc = row({ currency: 1, currency_name: 'BTC', change_balance: '0.02000000', lock_change_balance: '0.01000001', total: '0.03000001', usdt_price: '68412.30', usdt_total: '2052.369684' });
const group = (balance: WalletRow[], totle: string) => ({ balance, totle, usdt_totle: totle });
const wallet = (part: Partial<WalletList>): WalletList =>
  ({
    change_wallet: group([usdt, btc], '3229.789684'),
    lever_wallet: group([row({ lever_balance: '100.000000', total: '100.000000', usdt_total: '100.000000' })], '100.000000'),
    trust_wallet: group([row({})], '0.000000'),
    micro_wallet: group([row({})], '0.000000'),
    legal_wallet: group([], '0.000000'),
    total_usdt: '3329.789684',
    ...part,
  }) as WalletList;
const coin = (id: number, code: string, part: Partial<Coin> = {}): Coin =>
  ({ id, code, name: code, logo: '', scale: 8, is_legal: 0, is_match: 1, is_lever: 0, is_micro: 1, is_trust: 1, networks: [], ...part }) as Coin;
const coins = [coin(1, 'BTC', { name: 'Bitcoin' }), coin(3, 'USDT', { is_lever: 1, scale: 6 })];

describe('accounts', () => {
  const line = (account: Account, total: string): AccountWorth => ({ account, total: amount(total), free: amount(total), frozen: amount('0'), open: amount('0') });
  const shares = (...totals: [Account, string][]) => accountLines(totals.map(([account, total]) => line(account, total))).map(({ percent }) => percent);
  test('each has its share in all of them', () => expect(shares(['change', '3229.789684'], ['lever', '100.000000'], ['trust', '0.000000'])).toEqual(['96', '3', '0']));
  test('an empty wallet and an account in debt have no share', () => {
    expect(shares(['change', '0.000000'], ['lever', '0.000000'])).toEqual(['0', '0']);
    expect(shares(['change', '100.000000'], ['lever', '-20.000000'])).toEqual(['125', '0']);
  });
  test('an old price counts only where there is money', () => {
    expect(hasStalePrice(wallet({}))).toBe(false);
    expect(hasStalePrice(wallet({ change_wallet: group([{ ...btc, price_stale: 1 }], '1') }))).toBe(true);
    expect(hasStalePrice(wallet({ change_wallet: group([row({ price_stale: 1 })], '0') }))).toBe(false);
    expect(hasStalePrice(wallet({ change_wallet: group([row({ currency_name: 'NOVA', usdt_price: '0', price_stale: 1, total: '200.00000000' })], '0') }))).toBe(false);
  });
});

describe('profit of a coin', () => {
  const cost: CoinCost = { coin: 1, quantity: '0.00999000', without_cost: '0.00000000', cost: '1000.000000', average: '100100.10010010', realised: '0.000000' };
  const told = (part: Partial<CoinCost>, price: string) => {
    const { unrealised, percent } = profitOf({ ...cost, ...part }, price);
    return [unrealised && wire(unrealised), percent && wire(percent)];
  };
  test('worth less cost, in per cent of the cost; a loss is rounded against us', () => {
    expect(told({}, '120000.00')).toEqual(['198.800000', '19.88']);
    expect(told({}, '100000.00')).toEqual(['-1.000000', '-0.10']);
    expect(told({}, '100000.01')).toEqual(['-0.999901', '-0.10']);
  });
  test('without a price or a known cost there is none, and none in per cent of nothing', () => {
    expect(told({}, '0')).toEqual([undefined, undefined]);
    expect(told({ quantity: '0.00000000', cost: '0.000000', average: null, without_cost: '1.00000000' }, '100000.00')).toEqual([undefined, undefined]);
    expect(told({ cost: '0.000000' }, '100000.00')).toEqual(['999.000000', undefined]);
    expect(profitOf({ ...cost, average: null }, '1').average).toBeUndefined();
  });
});

describe('coins', () => {
  const at = (bitcoin: string) => (code: string) => (code === 'BTC' ? bitcoin : '1');
  test('most valuable first, with their names', () => {
    expect(coinLines([usdt, btc], coins, at('68412.30'), false).map((line) => line.name)).toEqual(['Bitcoin', 'USDT']);
  });
  test('a coin is worth what it is at the price it is shown with', () => {
    const [line] = coinLines([btc], coins, at('104000.00'), false);
    expect([line?.value && wire(line.value), line?.price]).toEqual(['3120.001040', '104000.00']);
  });
  test.each([
    ['0.999999', 0],
    ['1.000000', 1],
  ])('worth %s USDT: %i rows with small ones hidden', (change_balance, rows) => {
    expect(coinLines([row({ change_balance })], coins, at('1'), true)).toHaveLength(rows);
  });
  test('a coin without a price is never hidden', () => {
    const lines = coinLines([row({ change_balance: '5' })], coins, () => '0', true);
    expect(lines.map((line) => line.value)).toEqual([undefined]);
  });
  test('a coin is offered for conversion by its index, and one that was launched here has a price without one', () => {
    const markets = [{ symbol: 'BTC/USDT', index: 1 as const }, { symbol: 'NOVA/USDT', index: 0 as const }, { symbol: 'ETH/BTC', index: 1 as const }];
    expect(['USDT', 'BTC', 'NOVA', 'ETH'].map((code) => hasIndex(markets, code))).toEqual([true, true, false, false]);
  });
  test('contracts take USDT only', () => {
    expect(coins.filter((c) => admits('lever', c)).map((c) => c.code)).toEqual(['USDT']);
    expect(coins.filter((c) => admits('micro', c)).map((c) => c.code)).toEqual(['BTC', 'USDT']);
  });
  test.each([
    ['change', 1],
    ['lever', 3],
    ['micro', 3],
  ] as const)('%s opens with coin %i', (account, id) => {
    expect(firstCoin(account, wallet({}), coins)).toBe(id);
  });
});

describe('change log', () => {
  test.each([
    [11, 'assets.log.transferIn'],
    [12, 'assets.log.transferOut'],
    [16, 'assets.log.transferOut'],
    [53, 'assets.log.fee'],
    [210, 'assets.log.paper'],
    [99, 'assets.log.withdrawalHold'],
    [200, 'assets.log.deposit'],
    [30, null],
  ])('kind %i reads %s', (kind, key) => {
    expect(logKey(kind)).toBe(key);
  });

  test('can be narrowed to what products brought, each kind once and in the words of the server', () => {
    const lines = [[44, 'Plan interest'], [1005, 'Plan principal released'], [50, 'Held'], [44, 'Plan interest']].map(([type, info]) => ({ type, info }) as LogRow);
    expect(otherKinds(lines)).toEqual([{ value: 44, label: 'Plan interest' }, { value: 1005, label: 'Plan principal released' }]);
  });
  test('every kind on offer has words', () => {
    for (const account of ['change', 'lever', 'micro', 'trust'] as const) expect(logKinds(account, true).map(logKey)).not.toContain(null);
    expect(logKinds('change', false)).not.toContain(210);
  });
});

test.each([
  ['', 'assets.needAmount'],
  ['0', 'assets.needAmount'],
  ['1.1234567', 'assets.scale'],
  ['1.2.3', 'errors.E_AMOUNT'],
  ['1000000.000001', 'assets.paperMax'],
  ['1,000,000', undefined],
])('paper money "%s": %s', (text, key) => {
  expect(paperReason(parseInput(text, 'en', 6), 'USDT', 6)?.text).toBe(key);
});

test('bitcoin has its own limit', () => {
  expect(paperReason({ ok: true, value: amount('100.00000001') }, 'BTC', 8)?.text).toBe('assets.paperMax');
  expect(paperReason({ ok: true, value: amount('100.00000000') }, 'BTC', 8)).toBeNull();
});

test('a statement holds whole days of the device, at most 366', () => {
  const day = 86_400_000;
  const span = statementSpan('2026-03-01', '2026-03-01');
  expect(span && span.to_ms - span.from_ms).toBe(day - 1);
  expect(new Date(span?.from_ms ?? 0).getHours()).toBe(0);
  expect(statementSpan('2025-01-01', '2026-01-01')).toBeDefined();
  expect(statementSpan('2025-01-01', '2026-01-02')).toBeUndefined();
  expect(statementSpan('2026-03-02', '2026-03-01')).toBeUndefined();
  expect(statementSpan('', '2026-03-01')).toBeUndefined();
});
