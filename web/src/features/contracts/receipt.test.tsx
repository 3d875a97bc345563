import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { activate, t, withProductWords } from '../../lib/i18n';
import { add, amount, cmp, sub, wire, type Amount } from '../../lib/money';
import { Now } from './CloseSheet';
import { estimate } from './order';
import { costLines } from './outcome';
import { closeResult } from './position';
import { Receipt } from './Receipt';
import { LONG, market } from './testing';

vi.mock('./api', async (original) => ({ ...(await original<object>()), markOf: () => amount('100000.00') }));
vi.mock('../../data/positions', async (original) => ({ ...(await original<object>()), useNewest: (position: unknown) => position }));
afterEach(cleanup);

test('the check says the value at the open price and the receipt that of now, and neither by the name of the other', async () => {
  await activate('en');
  await withProductWords(async () => ({}))();
  const draft = { side: 'long', kind: 'market', multiple: 10, lots: { ok: true, value: amount('10') }, limit: { ok: false, reason: 'empty' }, stop: 'none', profit: 'none' } as const;
  const checked = costLines(draft, estimate(draft, market()), market()).find(({ label }) => label === t('contracts.positionValue'));
  expect(checked?.value).toBe('1,000.10\u00a0USDT');
  render(<Receipt position={{ ...LONG, overnight_money: '0.000000', overnight: '0.03' }} />);
  expect(screen.getByText('Value now').nextElementSibling?.textContent).toBe('1,000.00\u00a0USDT');
  expect(screen.queryByText(t('contracts.positionValue'))).toBeNull();
});

test('help with a contract knows its number', async () => {
  await activate('en');
  await withProductWords(async () => ({}))();
  render(<Receipt position={{ ...LONG, overnight_money: '0.000000', overnight: '0.03' }} />);
  expect(screen.getByText('Order number').nextElementSibling?.textContent).toBe(String(LONG.id));
  expect(screen.getByRole('link', { name: 'Get help with this' }).getAttribute('href')).toBe(`#/pages/help-center?number=${LONG.id}&of=contract`);
});

test('a short that waits is counted at its limit; above it more can be lost, and its check says so', async () => {
  await activate('en');
  await withProductWords(async () => ({}))();
  const draft = { side: 'short', multiple: 10, lots: { ok: true, value: amount('10') }, stop: 'none', profit: 'none' } as const;
  const atLimit = estimate({ ...draft, kind: 'limit', limit: { ok: true, value: amount('101000.00') } }, market());
  const above = estimate({ ...draft, kind: 'market', limit: { ok: false, reason: 'empty' } }, market('102000.00'));
  expect(atLimit && above && cmp(above.lose, atLimit.lose)).toBe(1);
  expect(t('contracts.cautionShortLimit', { all: '60 USDT' })).toContain('the most you can lose: up to all that your contracts account has available, now 60 USDT');
});

test('the lines of a closed position add up to its result, to the last decimal', async () => {
  await activate('en');
  await withProductWords(async () => ({}))();
  const closed = { status: 3, reason: 'USER', fact_profits: '0.175650', close_fee: '0.247363', overnight_money: '0.148350', trade_fee: '0.247275', origin_caution_money: '49.454945', returned: '49.234882', update_price: '98945.02', complete_time_ms: 2, create_time_ms: 1 } as const;
  render(<Receipt position={{ ...LONG, ...closed }} />);
  const figure = (label: Parameters<typeof t>[0]) => amount((screen.getByText(t(label)).nextElementSibling?.textContent ?? '').replace('\u2212', '-').replace(/[^-0-9.]/g, ''));
  const costs = (['contracts.closeFeePaid', 'contracts.overnightPaid'] as const).map(figure).reduce(add);
  expect(wire(sub(sub(figure('contracts.resultBefore'), figure('contracts.feePaid')), costs))).toBe('-0.467338');
  expect(wire(figure('contracts.net'))).toBe('-0.467338');
  expect(sub(add(figure('contracts.marginAtOpen'), figure('contracts.resultBefore')), costs)).toEqual(figure('contracts.returned'));
});

test('the lines of a close that is asked for add up to what comes back, to the last decimal', async () => {
  await activate('en');
  await withProductWords(async () => ({}))();
  const now = market('100123.45');
  render(<Now code="USDT" market={now} position={LONG} found={closeResult(LONG, now, 10_012_345n)} />);
  const figure = (label: string) => amount((screen.getByText(label).nextElementSibling?.textContent ?? '').replace('\u2212', '-').replace(/[^-0-9.]/g, ''));
  const [before, fee, after, back] = [t('contracts.resultBefore'), t('contracts.closeFee', { rate: '0.05%' }), t('contracts.resultAfter'), t('contracts.back')].map(figure) as [Amount, Amount, Amount, Amount];
  expect(before.scale).toBeGreaterThan(2);
  expect(cmp(sub(before, fee), after)).toBe(0);
  expect(cmp(add(amount(LONG.caution_money), after), back)).toBe(0);
});
