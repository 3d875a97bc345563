import { expect, test } from 'vitest';
import type { WalletList, WalletRow } from '../generated/api';
import { add, amount, format, wire } from './money';
import { accountsWorth, shownTotal, totalOf, worthOf, type AccountWorth } from './total';

const row = (currency_name: string, part: Partial<WalletRow>) =>
  ({ currency_name, change_balance: '0', lock_change_balance: '0', lever_balance: '0', lock_lever_balance: '0', trust_balance: '0', lock_trust_balance: '0', micro_balance: '0', lock_micro_balance: '0', ...part }) as WalletRow;
const wallet = {
  change_wallet: { balance: [row('USDT', { change_balance: '927.420000', lock_change_balance: '250.000000' }), row('BTC', { change_balance: '0.02000000', lock_change_balance: '0.01000001' })] },
  lever_wallet: { balance: [row('USDT', { lever_balance: '594.953000', lock_lever_balance: '400.044000' })] },
  trust_wallet: { balance: [] },
  micro_wallet: { balance: [row('USDT', { micro_balance: '10.000000' })] },
} as unknown as WalletList;
const prices: Record<string, string> = { BTC: '104000.00', USDT: '1' };
const price = (code: string) => prices[code] ?? '0';
const accounts = accountsWorth(wallet, price, { profit: amount('-99.000000'), staked: amount('50.000000') });

test('free, frozen and open profit add up to each account, and the accounts less debts to the total, at one price', () => {
  expect(accounts.map(({ account, total, free, frozen, open }) => [account, ...[total, free, frozen, open].map(wire)])).toEqual([
    ['change', '4297.421040', '3007.420000', '1290.001040', '0.000000'],
    ['lever', '895.997000', '594.953000', '400.044000', '-99.000000'],
    ['trust', '0.000000', '0.000000', '0.000000', '0.000000'],
    ['micro', '60.000000', '10.000000', '50.000000', '0.000000'],
  ]);
  expect(wire(totalOf(accounts, amount('100.500000'), worthOf([{ code: 'USDT', amount: '600.300000' }], price)))).toBe('4753.618040');
  for (const { total, free, frozen, open } of accounts) expect(wire(add(add(free, frozen), open))).toBe(wire(total));
});

test('cutting to two decimals takes less than a cent of each part', () => {
  const cut = (value: (typeof accounts)[number]['free']) => format(value, 'en', { min: 2, max: 2 });
  const [, contracts] = accounts;
  expect([contracts?.total, contracts?.free, contracts?.frozen].map((part) => part && cut(part))).toEqual(['895.99', '594.95', '400.04']);
});

test('a coin without a price is worth nothing', () => expect(wire(worthOf([{ code: 'NOVA', amount: '2000' }], price))).toBe('0.000000'));

test('the total that is shown is what its parts add up to as they are shown, never above what is there', () => {
  const account = (total: string) => ({ total: amount(total) }) as AccountWorth;
  const [parts, paid, debt] = [[account('10.009000'), account('5.008000'), account('-0.009000')], amount('7.009999'), amount('3.001000')];
  expect(wire(totalOf(parts, paid, debt))).toBe('19.016999');
  // 10.00 + 5.00 − 0.00 + 7.00 − 3.01
  expect(wire(shownTotal(parts, paid, debt))).toBe('18.990000');
  expect(wire(shownTotal([account('0.004000')], amount('0'), amount('0')))).toBe('0.004000');
});
