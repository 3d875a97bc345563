import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { useSession } from '../../data/session';
import { activate, withWealthWords } from '../../lib/i18n';
import Mine from './Mine';

const place = vi.hoisted(() => ({ query: '', replace: vi.fn() }));
vi.mock('../../lib/nav', async (original) => {
  const here = () => ({ path: 'publication/index', hash: '', query: new URLSearchParams(place.query) });
  return { ...(await original<object>()), usePlace: here, current: here, replace: place.replace };
});
const rows = Array.from({ length: 25 }, (_, n) => ({ id: 25 - n, config_id: 1, currency_name: 'USDT', new_currency_name: 'NOVA', amount: `${25 - n}.000000`, value: '1.000000', change_rate: '0.5000', new_currency_num: '0.00000000', released_num: '0.00000000', charge: '0.000000', refund: '0.000000', interest: '0.000000', interest_rate: '0', exam_status: 3, status: 1, created_at_ms: 0 }));
vi.mock('../../lib/http', async (original) => ({
  ...(await original<object>()),
  api: { get: async (path: string, { page = 1 }: { page?: number } = {}) => ({ message: path === 'lh/send/order_list' ? { order_list: rows.slice((page - 1) * 20, page * 20), total_interest: '0.000000' } : [] }) },
}));

beforeEach(async () => {
  HTMLDialogElement.prototype.showModal ??= () => {};
  HTMLDialogElement.prototype.close ??= () => {};
  for (const name of ['IntersectionObserver', 'ResizeObserver']) {
    vi.stubGlobal(
      name,
      class {
        observe() {}
        disconnect() {}
      },
    );
  }
  queryClient.clear();
  useSession.setState({ user: { id: 1 } as never, token: 'x' });
  await activate('en');
  await withWealthWords(async () => ({}))();
});
afterEach(cleanup);

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <Mine />
    </QueryClientProvider>,
  );

test('an address that names a payment opens it, also one that is on a later page', async () => {
  place.query = 'tab=mine&id=3';
  show();
  expect((await screen.findByText('Order number')).nextElementSibling?.textContent).toBe('3');
});

test('the address names a payment no more once it was closed, and stays at its tab', async () => {
  place.query = 'tab=mine&id=3';
  show();
  fireEvent.click(await screen.findByText('Done'));
  await waitFor(() => expect(place.replace.mock.calls).toEqual([['publication/index', { tab: 'mine' }]]));
});

test('an address that names none opens nothing', async () => {
  place.query = 'tab=mine';
  show();
  await screen.findByText('25.00 USDT');
  expect(screen.queryByText('Order number')).toBeNull();
});
