import { describe, expect, test } from 'vitest';
import type { Network, WithdrawInfo } from '../../generated/api';
import { amount, parseInput, wire } from '../../lib/money';
import { explorer, firstChoice, isYoung, largest, outcome, stages, termsOf, timeLeft, validate } from './model';

const NOW = 1_767_268_800_000;
const network = (part: Partial<Network> = {}): Network => ({
  chain: 'TRC20',
  name: 'Tron',
  deposit_min: '1.000000',
  confirmations: 20,
  withdraw_min: '10.000000',
  withdraw_fee: '1.000000',
  deposit_on: 1,
  withdraw_on: 1,
  ...part,
});
const info = (part: Partial<WithdrawInfo> = {}): WithdrawInfo => ({
  currency: 3,
  name: 'USDT',
  rate: '0',
  fee: '1.000000',
  min_fee: '1.000000',
  min_number: '10.000000',
  max_number: '5000.000000',
  change_balance: '927.420000',
  legal_balance: '0',
  networks: [network()],
  day_count: 1,
  day_count_max: 3,
  day_value: '0.000000',
  day_value_max: '10000.000000',
  expected_hours: 12,
  payout_rate: null,
  hold_until_ms: null,
  ...part,
});
const bank = info({ currency: 9999, rate: '1', min_fee: '5.000000', fee: '5.000000', min_number: '50.000000', payout_rate: '0.99950000', networks: [] });

describe('fee and arrival', () => {
  const coin = termsOf(info(), 'TRC20');
  test.each([
    ['300.000000', '1.000000', '299.000000'],
    ['10.000000', '1.000000', '9.000000'],
    ['0.500000', '1.000000', '-0.500000'],
  ])('%s USDT costs %s and brings %s', (value, fee, received) => {
    if (!coin) throw new Error('no terms');
    const out = outcome(amount(value), coin);
    expect([wire(out.fee), wire(out.received), out.dollars]).toEqual([fee, received, undefined]);
  });
  test.each([
    ['100.000000', '5.000000', '95.000000', '94.95'],
    ['500.000000', '5.000000', '495.000000', '494.75'],
    // 1 % of 777.777777 is 7.77777777: the fee rounds up, the payout down.
    ['777.777777', '7.777778', '769.999999', '769.61'],
  ])('a card: %s USDT costs %s, leaves %s, pays %s dollars', (value, fee, received, dollars) => {
    const terms = termsOf(bank, undefined);
    if (!terms) throw new Error('no terms');
    const out = outcome(amount(value), terms);
    expect([wire(out.fee), wire(out.received), out.dollars && wire(out.dollars)]).toEqual([fee, received, dollars]);
  });
  test('no terms before the network is known, closed ones are told', () => {
    expect(termsOf(info(), undefined)).toBeUndefined();
    expect(termsOf(info({ networks: [network({ withdraw_on: 0 })] }), 'TRC20')?.open).toBe(false);
  });
  test('the most is what limits and balance leave', () => {
    expect(wire(largest(info(), amount('927.420000')))).toBe('927.420000');
    expect(wire(largest(info({ max_number: '100.000000' }), amount('927.420000')))).toBe('100.000000');
  });
});

describe('why it cannot be sent', () => {
  const form = (part: object = {}) => ({
    info: info(),
    chosen: { usable_at_ms: NOW },
    terms: termsOf(info(), 'TRC20'),
    amount: parseInput('300', 'en', 6),
    code: 'USDT',
    scale: 6,
    available: amount('927.420000'),
    password: '123456',
    sent: undefined,
    otp: undefined,
    now: NOW,
    bank: false,
    ...part,
  });
  const texts = (part: object) => validate(form(part)).map((reason) => reason.text);
  test('nothing stands in the way', () => expect(validate(form())).toEqual([]));
  test.each([
    [{ info: info({ day_count: 3 }) }, 'withdraw.noneLeft'],
    [{ info: info({ hold_until_ms: NOW + 1 }) }, 'withdraw.onHold'],
    [{ chosen: undefined }, 'withdraw.chooseAddress'],
    [{ chosen: undefined, bank: true }, 'withdraw.chooseCard'],
    [{ chosen: { usable_at_ms: NOW + 1 } }, 'withdraw.tooNew'],
    [{ terms: termsOf(info({ networks: [network({ withdraw_on: 0 })] }), 'TRC20') }, 'funding.paused'],
    [{ amount: parseInput('', 'en', 6) }, 'assets.needAmount'],
    [{ amount: parseInput('0', 'en', 6) }, 'assets.needAmount'],
    [{ amount: parseInput('1.1234567', 'en', 6) }, 'assets.scale'],
    [{ amount: parseInput('9.999999', 'en', 6) }, 'funding.least'],
    [{ amount: parseInput('927.420001', 'en', 6) }, 'transfer.tooMuch'],
    [{ available: undefined }, 'transfer.balanceUnknown'],
    [{ terms: termsOf(info({ networks: [network({ withdraw_min: '0', withdraw_fee: '300' })] }), 'TRC20') }, 'withdraw.underFee'],
    [{ password: '123' }, 'withdraw.moreDigits'],
    [{ otp: '12' }, 'withdraw.needOtp'],
    [{ sent: '12' }, 'errors.E_CODE'],
  ] as const)('%o', (part, text) => expect(texts(part)).toEqual([text]));
  test('a hold that has just ended and an address of exactly its age pass', () => {
    expect(validate(form({ info: info({ hold_until_ms: NOW }), chosen: { usable_at_ms: NOW } }))).toEqual([]);
  });
  test('the amount above is told', () => {
    const [reason] = validate(form({ amount: parseInput('1200', 'en', 6) }));
    expect(reason?.over && wire(reason.over)).toBe('272.580000');
  });
  test('what the day leaves is the bound, unless money came in since', () => {
    const left = { max_number: '100.000000', day_value: '9900.000000' };
    const [reason] = validate(form({ info: info(left) }));
    expect([reason?.text, reason?.left && wire(reason.left)]).toEqual(['errors.E_WITHDRAW_LIMIT', '100.000000']);
    expect(validate(form({ info: info(left), amount: parseInput('100', 'en', 6) }))).toEqual([]);
    expect(validate(form({ info: info({ max_number: '100.000000', change_balance: '100.000000' }) }))).toEqual([]);
  });
  test('first things first', () => {
    expect(texts({ chosen: undefined, amount: parseInput('', 'en', 6), password: '' })).toEqual(['withdraw.chooseAddress', 'assets.needAmount', 'withdraw.moreDigits']);
  });
});

test('an address under a week is young', () => {
  expect([isYoung(NOW - 7 * 86_400_000 + 1, NOW), isYoung(NOW - 7 * 86_400_000, NOW)]).toEqual([true, false]);
});

test('the form opens with the address asked for, else one that can be used', () => {
  const rows = [
    { id: 3, usable_at_ms: NOW + 1 },
    { id: 2, usable_at_ms: NOW },
  ];
  expect([firstChoice(rows, 3, NOW)?.id, firstChoice(rows, undefined, NOW)?.id, firstChoice(rows.slice(0, 1), 9, NOW)?.id, firstChoice([], 1, NOW)]).toEqual([3, 2, 3, undefined]);
});

describe('stages', () => {
  const states = (state: 'under_review' | 'passed' | 'sent' | 'rejected' | 'cancelled' | 'returned') => stages({ state, is_bank: 0 }).map((stage) => stage.state);
  test.each([
    ['under_review', ['done', 'now', 'next', 'next']],
    ['passed', ['done', 'done', 'now', 'next']],
    ['sent', ['done', 'done', 'done', 'now']],
    ['rejected', ['done', 'failed']],
    ['cancelled', ['done', 'failed']],
    ['returned', ['done', 'done', 'done', 'failed']],
  ] as const)('%s', (state, expected) => expect(states(state)).toEqual(expected));
  test('a card is paid, not sent on a network', () => {
    expect(stages({ state: 'sent', is_bank: 1 })[2]?.title).toBe('withdraw.stage.sentBank');
  });
  test('what comes with the sending is promised until it is there', () => {
    expect(stages({ state: 'under_review', is_bank: 0 })[2]?.text).toBe('withdraw.stage.sentText');
    expect(stages({ state: 'passed', is_bank: 1 })[2]?.text).toBe('withdraw.stage.sentBankText');
    expect(stages({ state: 'sent', is_bank: 0 })[2]?.text).toBeUndefined();
  });
});

test('the twelve hours run down to nothing', () => {
  expect(timeLeft(NOW + 12 * 3_600_000, NOW)).toEqual({ hours: 12, minutes: 0 });
  expect(timeLeft(NOW + 1, NOW)).toEqual({ hours: 0, minutes: 1 });
  expect(timeLeft(NOW, NOW)).toBeUndefined();
});

test('only a transaction of a known network has a page', () => {
  const tx = 'ab'.repeat(32);
  expect(explorer('BTC', tx)).toBe(`https://mempool.space/tx/${tx}`);
  expect(explorer('BTC', 'x/../y')).toBeUndefined();
  expect(explorer('', tx)).toBeUndefined();
});
