import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { activate, withWealthWords } from '../../lib/i18n';
import { amount } from '../../lib/money';
import Recommended from './Recommended';

const total = vi.hoisted(() => ({ all: undefined as unknown }));
vi.mock('../../data/total', () => ({ useTotal: () => total }));
vi.mock('../../lib/http', async (original) => {
  const message = { id: 7, new_currency_name: 'NOVA', num: '200000.000000', change_rate: '0.5000', recommend_title: 'NOVA', recommend_content: '200000 NOVA at 0.5' };
  return { ...(await original<object>()), api: { get: async () => ({ message, took: 0 }) } };
});

const page = () => (
  <QueryClientProvider client={queryClient}>
    <Recommended />
  </QueryClientProvider>
);
/** Until the house's coin has been read and shown, or not. */
const offered = () => act(() => vi.waitFor(() => expect(queryClient.getQueryCache().findAll({ fetchStatus: 'idle', predicate: ({ state }) => state.data !== undefined })).toHaveLength(1)));
const sheet = () => screen.queryByRole('dialog', { hidden: true });

// jsdom has dialogs but cannot open them.
beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
beforeEach(async () => {
  queryClient.clear();
  await activate('deyu');
  await withWealthWords(async () => ({}))();
});
afterEach(cleanup);

test('a member with money reads of a new coin as the language writes figures', async () => {
  total.all = amount('12.5');
  render(page());
  expect(await screen.findByText('200.000 NOVA zu je 0,50 USDT')).toBeTruthy();
});

test('what a member has opened meanwhile is not covered, not even once it has closed', async () => {
  total.all = amount('12.5');
  const menu = document.body.appendChild(document.createElement('dialog'));
  menu.open = true;
  const { rerender } = render(page());
  await offered();
  expect(sheet()).toBe(menu);
  menu.remove();
  rerender(page());
  await offered();
  expect(sheet()).toBeNull();
});

test('a member who came without money is not interrupted, not even once the first money is there', async () => {
  total.all = undefined;
  const { rerender } = render(page());
  await offered();
  expect(sheet()).toBeNull();
  for (const all of ['0', '100.00']) {
    total.all = amount(all);
    rerender(page());
    await offered();
    expect(sheet()).toBeNull();
  }
});
