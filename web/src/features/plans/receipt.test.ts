// @vitest-environment jsdom
import { beforeAll, expect, test } from 'vitest';
import type { Hosting } from '../../generated/api';
import { activate, t, withWealthWords } from '../../lib/i18n';
import { amount } from '../../lib/money';
import { stamp } from '../../lib/time';
import { takenOf } from './model';
import { hostingLines } from './Receipt';
import { column, utcDay } from './text';

const DAY = 86_400_000;
const bought = Date.UTC(2026, 10, 20, 13);
const ORDER = { id: 7, currency_name: 'USDT', day: 15, amount: '333.330000', created_at_ms: bought, start_at_ms: Date.UTC(2026, 10, 21), end_at_ms: Date.UTC(2026, 11, 6), total_interest: '19.999800' } as Hosting;
const REDEEMED = { ...ORDER, status: 2, is_cancel: 1, current_interest: '6.666600', damages: '13.333200', penalty: '1.999980', cancel_fee: '15.333180', returned: '324.663420', updated_at_ms: bought + 6 * DAY } as Hosting;

/** The money figures of the lines, in order. */
const figures = (order: Hosting) => hostingLines(order, 'en').flatMap(({ label, value }) => (String(value).endsWith('\u00a0USDT') ? [[label, String(value).replace('\u00a0USDT', '').replace('\u2212', '-')]] : []));

beforeAll(async () => {
  await activate('en');
  await withWealthWords(async () => ({}))();
});

test('the receipt of a plan that was left names damages and penalty, in figures that add up to what was paid back', () => {
  const lines = figures(REDEEMED);
  expect(lines).toEqual([
    [t('plans.locked'), '333.33000'],
    [t('plans.current'), '+6.66660'],
    [t('plans.damagesLeft', { days: 10 }), '-13.33320'],
    [t('plans.penalty'), '-1.99998'],
    [t('plans.returned'), '324.66342'],
  ]);
  const units = lines.map(([, text = '']) => amount(text as string).units);
  expect(units.slice(0, -1).reduce((sum, value) => sum + value, 0n)).toBe(units.at(-1));
});

test('damages and penalty never take more than the principal, and the receipt still adds up', () => {
  const all = { ...REDEEMED, damages: '300.000000', penalty: '50.000000', cancel_fee: '333.330000', returned: '6.666600' };
  expect(takenOf(all)).toEqual({ damages: amount('300.000000'), penalty: amount('33.330000') });
  expect(takenOf({ ...all, damages: '400.000000' })).toEqual({ damages: amount('333.330000'), penalty: amount('0.000000') });
  expect(figures(all).map(([, text]) => text)).toEqual(['333.3300', '+6.6666', '-300.0000', '-33.3300', '6.6666']);
});

test('a plan that ran to its end has nothing taken from it, and one that runs adds up to what comes back', () => {
  expect(figures({ ...ORDER, status: 2, is_cancel: 0, current_interest: '19.999800', damages: '0', penalty: '0', cancel_fee: '0', returned: '353.329800' } as Hosting)).toHaveLength(3);
  expect(figures({ ...ORDER, status: 1, is_cancel: 0, current_interest: '6.666600', damages: '0', penalty: '0', cancel_fee: '0', returned: null } as Hosting).map(([, text]) => text)).toEqual(['333.3300', '6.6666', '19.9998', '353.3298']);
});

test('a plan that ended says when, and one that runs does not', () => {
  const when = (order: Hosting) => hostingLines(order, 'en').find(({ label }) => label === t('plans.endedAt'))?.value;
  expect([when(REDEEMED), when({ ...REDEEMED, status: 1, is_cancel: 0, returned: null } as Hosting)]).toEqual([stamp(REDEEMED.updated_at_ms, 'en'), undefined]);
});

test('the days of a plan are those of UTC, and say so', () => {
  const running = hostingLines({ ...REDEEMED, status: 1, is_cancel: 0, returned: null } as Hosting, 'en');
  expect(running.find(({ label }) => label === t('plans.interestStarts'))?.value).toBe('Sat, 21 Nov 2026, UTC');
  expect(running.some(({ label }) => label === t('plans.backOn', { date: 'Sun, 6 Dec 2026, UTC' }))).toBe(true);
  expect(utcDay(Date.UTC(2026, 11, 6))).toBe('6 Dec, UTC');
});

test('a column has the fewest decimals of its coin, and more only as the longest amount needs them', () => {
  expect(column('USDT', [amount('500.000000'), amount('2.000000')]).change(amount('2.000000'))).toBe('+2.00\u00a0USDT');
  const { held } = column('BTC', [amount('0.50000000'), amount('0.00012345')]);
  expect(held(amount('0.50000000'))).toBe('0.50000000\u00a0BTC');
});
