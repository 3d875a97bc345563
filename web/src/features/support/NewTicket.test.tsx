import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { activate, withWords } from '../../lib/i18n';
import NewTicket from './NewTicket';

const at = vi.hoisted(() => ({ query: new URLSearchParams() }));
vi.mock('../../lib/nav', async (original) => ({ ...(await original<object>()), usePlace: () => ({ path: '', hash: '', ...at }) }));

beforeAll(async () => {
  await activate('en');
  await withWords(async () => ({}))();
});
afterEach(cleanup);

test.each([
  ['number=12', 'Withdrawal 12', 'Withdrawal'],
  ['number=12&of=withdrawal', 'Withdrawal 12', 'Withdrawal'],
  ['number=7&of=plan', 'Plan 7', 'Something else'],
  ['number=7&of=coin', 'New coin 7', 'Something else'],
  ['number=7&of=loan', 'Loan 7', 'Something else'],
  ['number=7&of=conversion', 'Conversion 7', 'Trading'],
  ['number=7&of=order', 'Order 7', 'Trading'],
  ['number=7&of=contract', 'Contract 7', 'Trading'],
  ['number=7&of=option', 'Option 7', 'Trading'],
  ['number=7&of=toString', '', 'Something else'],
  ['of=plan', '', 'Something else'],
  ['', '', 'Something else'],
  ['number=<b>x</b>', '', 'Something else'],
])('a request begun at the receipt "%s" is titled "%s"', (query, title, category) => {
  at.query = new URLSearchParams(query);
  render(<NewTicket />);
  expect((screen.getByLabelText('Title') as HTMLInputElement).value).toBe(title);
  expect(screen.getByRole('button', { pressed: true }).textContent).toBe(category);
});
