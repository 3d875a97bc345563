import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { activate, withWords } from '../../lib/i18n';
import NewTicket from './NewTicket';

const at = vi.hoisted(() => ({ number: '' }));
vi.mock('../../lib/nav', async (original) => ({ ...(await original<object>()), usePlace: () => ({ path: '', hash: '', query: new URLSearchParams(at) }) }));

beforeAll(async () => {
  await activate('en');
  await withWords(async () => ({}))();
});
afterEach(cleanup);

test.each([
  ['12', 'Withdrawal 12', 'Withdrawal'],
  ['', '', 'Something else'],
  ['<b>x</b>', '', 'Something else'],
])('a request begun at the receipt "%s" is titled "%s"', (number, title, category) => {
  at.number = number;
  render(<NewTicket />);
  expect((screen.getByLabelText('Title') as HTMLInputElement).value).toBe(title);
  expect(screen.getByRole('button', { pressed: true }).textContent).toBe(category);
});
