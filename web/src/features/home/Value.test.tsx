import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { activate } from '../../lib/i18n';
import { Value } from './Value';

vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { query: async () => ({ message: { total_usdt: '0.000000', ...Object.fromEntries(['change', 'lever', 'micro', 'trust'].map((account) => [`${account}_wallet`, { balance: [] }])) } }) } }));
vi.mock('../../data/session', async (original) => ({ ...(await original<object>()), useLoggedIn: () => true }));

beforeEach(async () => {
  queryClient.clear();
  await activate('en');
});
afterEach(cleanup);

test.each([
  [false, 'Deposit', '#/pages/assets/deposit/index'],
  [true, 'Get paper money', '#/pages/assets/deposit/paper'],
])('an empty account is offered a way to money (sandbox: %s)', async (sandbox, label, href) => {
  render(
    <QueryClientProvider client={queryClient}>
      <Value sandbox={sandbox} />
    </QueryClientProvider>,
  );
  expect(await screen.findByRole('heading', { name: 'Add money' })).toBeTruthy();
  expect(screen.getAllByRole('link', { name: label })[0]?.getAttribute('href')).toBe(href);
  expect(screen.queryByText(/Paper money/) !== null).toBe(sandbox);
});
