import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Commitment, Offering } from '../../generated/api';
import { activate, withWealthWords } from '../../lib/i18n';
import CommitmentSheet from './CommitmentSheet';
import { Dates } from './Details';

const offered = vi.hoisted(() => ({ state: 'allocated' }));
const offering = () => ({ id: 2, new_currency_name: 'AURUM', num: '500000.00000000', day: 30, release: [{ day: 30, share: '100' }], send_start_ms: 0, send_end_ms: 86_400_000, online_time_ms: 172_800_000, ...offered }) as Offering;
vi.mock('../../data/coins', async (original) => ({ ...(await original<object>()), useOfferings: () => ({ data: [offering()] }) }));

const BACK = { id: 7, config_id: 2, currency_name: 'USDT', new_currency_name: 'AURUM', amount: '123.456789', value: '123.456789', change_rate: '0.2', new_currency_num: '0.00000000', released_num: '0.00000000', charge: '0.000000', refund: '123.456789', interest: '0.000000', interest_rate: '0', exam_status: 2, status: 2, created_at_ms: 0 } as Commitment;
const show = () => render(<CommitmentSheet row={BACK} open onClose={() => {}} />);

beforeEach(async () => {
  HTMLDialogElement.prototype.showModal ??= () => {};
  HTMLDialogElement.prototype.close ??= () => {};
  await activate('en');
  await withWealthWords(async () => ({}))();
});
afterEach(cleanup);

test.each([
  ['allocated', 'No coins were left for this payment. All of it came back.'],
  ['cancelled', 'The coin was not launched in time. All of it came back.'],
])('a payment that came back says why: the coin is %s', (state, why) => {
  offered.state = state;
  show();
  expect(screen.getByText(why)).toBeTruthy();
});

test('a payment has a number, and help that knows it', () => {
  show();
  expect(screen.getByText('Order number').nextElementSibling?.textContent).toBe('7');
  expect(screen.getByRole('link', { name: 'Get help with this', hidden: true }).getAttribute('href')).toMatch(/number=7&of=coin$/);
});

test.each([
  ['allocated', 4],
  ['cancelled', 2],
])('a coin that is %s has %i dates', (state, dates) => {
  offered.state = state;
  render(<Dates offering={offering()} />);
  expect(screen.getAllByRole('listitem')).toHaveLength(dates);
});
