import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Offering } from '../../generated/api';
import { activate, withWealthWords } from '../../lib/i18n';
import Details from './Details';

const HOUR = 3_600_000;
const OFFERING = {
  id: 1,
  new_currency_name: 'NOVA',
  num: '1000.00000000',
  committed_value: '0.000000',
  change_rate: '0.5000',
  predict_rate: '0',
  buy_num: '10.000000',
  user_cap: '10000.000000',
  oversub_factor: 10,
  day: 7,
  release: [{ day: 7, share: '100' }],
  pay_currencies: [{ id: 3, name: 'USDT', price: '0.5000' }],
  white_paper: null,
  state: 'open',
} as unknown as Offering;
const offered = vi.hoisted(() => ({ now: {} }));
vi.mock('../../data/coins', async (original) => ({ ...(await original<object>()), useOfferings: () => ({ data: [offered.now] }) }));
vi.mock('../../lib/nav', async (original) => ({ ...(await original<object>()), usePlace: () => ({ path: '', hash: '', query: new URLSearchParams('id=1') }) }));

function show(change: Partial<Offering>): string {
  const now = Date.now();
  offered.now = { ...OFFERING, send_start_ms: now - HOUR, send_end_ms: now + HOUR, online_time_ms: now + 2 * HOUR, ...change };
  return render(<Details />).container.textContent ?? '';
}

beforeEach(async () => {
  await activate('en');
  await withWealthWords(async () => ({}))();
});
afterEach(cleanup);

test('with more demand than supply, the cases count what would come back', () => {
  // Demand of 2,000 with these 400 USDT: half of the 800 for 200, and 200 back.
  const said = show({ committed_value: '600.000000' });
  expect(said).toContain('400\u00a0NOVA. Nobody knows the price yet.');
  expect(['If it falls', 'Flat', 'If it rises'].map((name) => screen.getByText(name).parentElement?.textContent)).toEqual(['If it falls0.1000240.00\u2212160.00', 'Flat0.5000400.000.00', 'If it rises0.7000480.00+80.00']);
});

test('once payments are closed, nothing is estimated for a stake', () => {
  expect(show({ state: 'allocated' })).not.toContain('could become');
});

test('a coin that its issuer has not delivered is upcoming after its start, not open', () => {
  const said = show({ state: 'upcoming' });
  expect(said).toContain('Upcoming');
  expect(said).toContain('Opens');
  expect(said).not.toMatch(/Opens in|Opened/);
});
