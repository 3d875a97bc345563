import { expect, test } from 'vitest';
import { commitmentState } from '../../lib/commitment';
import type { Commitment, Offering } from '../../generated/api';
import { amount, wire, type Parsed } from '../../lib/money';
import { askedOf, freeAt, issueOf, lockOf, mostOf, paperOf, partsOf, scheduleOf, shareNow, shelfOf, validate, valueOf, type OrderContext } from './model';

const OFFERING = { num: '150.00000000', last_num: '50.00000000', change_rate: '0.5000', committed_value: '50.000000', buy_num: '10.000000', user_cap: '100.000000', oversub_factor: 10, state: 'open', send_end_ms: 1_000, day: 7, release: [{ day: 7, share: '25' }, { day: 30, share: '100' }] } as Offering;
const CONTEXT: OrderContext = { loggedIn: true, online: true, frozen: false, open: true, forbidden: undefined, available: amount('90.000000'), before: amount('0.000000'), now: 999 };
const typed = (text: string): Parsed => ({ ok: true, value: amount(text) });

test('terms of the wire are whole units', () => {
  expect(issueOf(OFFERING)).toEqual({ supply: 15_000_000_000n, price: 50_000_000n, scale: 8 });
  expect(scheduleOf(OFFERING)).toEqual([{ day: 7, share: 25_000_000n }, { day: 30, share: 100_000_000n }]);
  const { asked, supply } = askedOf(OFFERING);
  expect([wire(asked), wire(supply)]).toEqual(['100.00000000', '150.00000000']);
  expect(wire(askedOf({ ...OFFERING, committed_value: '90.000000' }).asked)).toBe('180.00000000');
});

test('a release in parts has a first and a last day, and each part by itself', () => {
  expect(lockOf(OFFERING)).toEqual({ first: 7, last: 30 });
  expect(partsOf(OFFERING).map(({ day, part }) => [day, wire(part)])).toEqual([[7, '25'], [30, '75']]);
  expect(lockOf({ day: 7, release: [{ day: 7, share: '100' }] })).toEqual({ first: 7, last: 7 });
});

test('the first example of the rules: 100 more beside 50, of 150 tokens', () => {
  const paid = amount('100.000000');
  const { over, tokens, refund } = shareNow(OFFERING, paid, paid);
  expect([over, tokens, refund]).toEqual([true, 10_000_000_000n, 50_000_000n]);
});

test('another coin counts at the index, rounded down; without a price it does not count', () => {
  expect(wire(valueOf(amount('0.00100000'), 'BTC', '99999.99') ?? amount('0'))).toBe('99.999990');
  expect(valueOf(amount('0.00100000'), 'BTC', null)).toBeUndefined();
});

test.each([
  ['no more than there is', {}, {}, '90.000000'],
  ['no more than the cap of one person', { available: amount('900.000000') }, {}, '100.000000'],
  ['what was paid before counts', { available: amount('900.000000'), before: amount('99.999999') }, {}, '0.000001'],
  ['nothing once the cap is reached', { before: amount('100.000000') }, {}, '0.000000'],
  ['no more than is taken from all: ten times 75, less the 700 that others paid', {}, { committed_value: '700.000000' }, '50.000000'],
  ['nothing known', { before: undefined }, {}, undefined],
] as const)('the most that may be paid: %s', (_, context, offering, most) => {
  const found = mostOf({ ...OFFERING, ...offering }, 'USDT', undefined, { ...CONTEXT, ...context });
  expect(found && wire(found)).toBe(most);
});

test('the most of another coin is worth no more than may be paid, and an atom more is', () => {
  const context = { ...CONTEXT, available: amount('2.00000000') };
  const most = mostOf(OFFERING, 'BTC', '99999.99', context) ?? amount('0');
  expect(wire(most)).toBe('0.00100000');
  const worth = (paid: string) => wire(valueOf(amount(paid), 'BTC', '99999.99') ?? amount('0'));
  expect([worth('0.00100000'), worth('0.00100001')]).toEqual(['99.999990', '100.000989']);
  expect(mostOf(OFFERING, 'BTC', null, context)).toBeUndefined();
});

test('a coin that was called off does not stand among those that were launched', () => {
  expect((['upcoming', 'open', 'sold_out', 'allocated', 'launched', 'ended', 'cancelled'] as const).map((state) => shelfOf({ state }))).toEqual(['upcoming', 'open', 'open', 'open', 'launched', 'launched', 'cancelled']);
});

test.each([
  [null, undefined],
  ['https://nova.example/paper.pdf', 'nova.example'],
  ['http://nova.example/', undefined],
  ['javascript:alert(1)', undefined],
  ['nova.example', undefined],
  ['https://nova.example@evil.example/', undefined],
])('a white paper at %j is of %j', (address, host) => expect(paperOf({ white_paper: address })?.host).toBe(host));

test('tokens become free at 00:00 UTC of the day', () => {
  expect(freeAt(Date.UTC(2026, 10, 28, 15), 7)).toBe(Date.UTC(2026, 11, 5));
});

test.each<[string, Parsed, boolean, Partial<OrderContext>, Partial<Offering>, string | undefined]>([
  ['a guest', typed('10.000000'), true, { loggedIn: false }, {}, 'guest'],
  ['sold out', typed('10.000000'), true, {}, { state: 'sold_out' }, 'soldOut'],
  ['before it opens', typed('10.000000'), true, {}, { state: 'upcoming' }, 'closed'],
  ['the closing instant', typed('10.000000'), true, { now: 1_000 }, {}, 'closed'],
  ['an atom below the minimum', typed('9.999999'), true, {}, {}, 'min'],
  ['the minimum', typed('10.000000'), true, {}, {}, undefined],
  ['an atom above the cap', typed('50.000001'), true, { before: amount('50.000000') }, {}, 'cap'],
  ['the cap', typed('50.000000'), true, { before: amount('50.000000') }, {}, undefined],
  ['an atom more than there is', typed('90.000001'), true, {}, {}, 'short'],
  ['no tick', typed('10.000000'), false, {}, {}, 'tick'],
])('%s', (_, value, ticked, context, offering, reason) => {
  const worth = value.ok ? value.value : undefined;
  expect(validate({ ...OFFERING, ...offering }, value, worth, ticked, { ...CONTEXT, ...context })?.name).toBe(reason);
});

test.each<[Partial<Commitment>, string]>([
  [{ exam_status: 3, status: 1 }, 'review'],
  [{ exam_status: 1, status: 1 }, 'passed'],
  [{ exam_status: 2, status: 3 }, 'refunded'],
  [{ exam_status: 1, status: 2 }, 'locked'],
  [{ exam_status: 1, status: 3 }, 'released'],
])('%j is %s', (row, state) => {
  expect(commitmentState(row as Commitment)).toBe(state);
});
