import { expect, test } from 'vitest';
import type { Coin, Network } from '../../generated/api';
import { parseInput, wire } from '../../lib/money';
import { claimReasons, depositCoins, firstNetwork, minutesToCredit } from './model';

const network = (chain: string, deposit_on: 0 | 1): Network => ({ chain, name: chain, deposit_min: '10', confirmations: 20, withdraw_min: '10', withdraw_fee: '1', deposit_on, withdraw_on: 1 });
const coin = (code: string, networks: Network[]) => ({ code, name: code === 'BTC' ? 'Bitcoin' : code, networks }) as Coin;
const coins = [coin('ETH', [network('ERC20', 0)]), coin('BTC', [network('BTC', 1)]), coin('NEW', [])];

test('coins that cannot come in are left out, closed ones are last', () => {
  expect(depositCoins(coins, '').map(({ code }) => code)).toEqual(['BTC', 'ETH']);
  expect(depositCoins(coins, ' bitc').map(({ code }) => code)).toEqual(['BTC']);
});

test('the first network is the one asked for, else an open one', () => {
  const both = [network('TRC20', 0), network('ERC20', 1)];
  expect([firstNetwork(both, null)?.chain, firstNetwork(both, 'TRC20')?.chain, firstNetwork(both.slice(0, 1), 'x')?.chain, firstNetwork([], null)]).toEqual(['ERC20', 'TRC20', 'TRC20', undefined]);
});

const claim = (text: string, part: object = {}) => ({ amount: parseInput(text, 'en', 6), min: '10.000000', code: 'USDT', scale: 6, picture: true, tx: '', ...part });
test.each([
  [claim('10'), []],
  [claim(''), ['assets.needAmount']],
  [claim('0'), ['assets.needAmount']],
  [claim('9.999999'), ['funding.least']],
  [claim('10.1234567'), ['assets.scale']],
  [claim('1..2'), ['errors.E_AMOUNT']],
  [claim('10', { min: null }), []],
  [claim('10', { picture: false }), ['errors.E_PROOF']],
  [claim('10', { tx: 'not a hash' }), ['deposit.txForm']],
  [claim('10', { tx: ` ${'a1'.repeat(32)} ` }), []],
  [claim('', { picture: false, tx: '!' }), ['assets.needAmount', 'errors.E_PROOF', 'deposit.txForm']],
])('claim %#', (form, expected) => {
  expect(claimReasons(form).map(({ text }) => text)).toEqual(expected);
});

test('the least amount is told', () => {
  const [reason] = claimReasons(claim('1'));
  expect(reason?.least && wire(reason.least)).toBe('10.000000');
});

test('confirmations take the time of their blocks', () => {
  expect(minutesToCredit({ chain: 'TRC20', confirmations: 20 })).toBe(1);
  expect(minutesToCredit({ chain: 'ERC20', confirmations: 12 })).toBe(3);
  expect(minutesToCredit({ chain: 'BTC', confirmations: 2 })).toBe(20);
  expect(minutesToCredit({ chain: 'NEW', confirmations: 2 })).toBeUndefined();
});
