import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { dismiss, ended, pendingOf, started } from '../../data/pending';
import { queryClient } from '../../data/query';
import { useSession } from '../../data/session';
import { configureHttp } from '../../lib/http';
import { activate, t, withMoneyWords } from '../../lib/i18n';
import Convert from './Convert';

const money = vi.hoisted(() => ({ avail: '5000.000000' }));
vi.mock('../../data/balances', async (original) => ({ ...(await original<object>()), useBalance: () => money }));
vi.mock('../../data/productContext', () => ({ useProductContext: () => ({ loggedIn: true, online: true, frozen: false, open: true, forbidden: undefined }) }));
configureHttp({ token: () => 'token', started, ended });

const coin = (id: number, code: string, scale: number) => ({ id, code, name: code, scale, is_match: 1, is_lever: 1, networks: [] });
const limits = { min_number: '0', max_number: '100000' };
const sides = [{ id: 3, name: 'USDT', ...limits }, { id: 1, name: 'BTC', ...limits }];
const quote = (num: string) => ({ quote_id: 7701, l_currency_id: 3, r_currency_id: 1, num, gross: '0.00999000', fee: '0.00000999', net: '0.00998001', price: '0', index_from: '1.00000000', index_to: '100000.00', expires_ms: Date.now() + 60_000 });
const ROW = { id: 1, l_currency_name: 'USDT', r_currency_name: 'BTC', num: '1000.000000', net: '0.00998001', fee: '0.00000999', created_at_ms: 0 };

let answer: () => void = () => {};
beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal() {}, close() {} }));
beforeEach(async () => {
  vi.stubGlobal('ResizeObserver', class { observe() {} disconnect() {} });
  vi.stubGlobal('fetch', (path: string, { body }: RequestInit) => new Promise<Response>((go) => {
    const reply = (part: object) => go(new Response(JSON.stringify({ type: 'ok', message: '', data: '', ...part })));
    if (path.endsWith('flashAgainstList')) reply({ message: { left: sides, right: sides } });
    if (path.endsWith('flash_quote')) reply({ message: quote(new URLSearchParams(String(body)).get('num') ?? '') });
    if (path.endsWith('flashAgainst')) answer = () => reply({ data: ROW });
  }));
  queryClient.clear();
  queryClient.setQueryData(['config'], { country: '', currencies: [coin(3, 'USDT', 6), coin(1, 'BTC', 8)], markets: [], products: [{ product: 'flash', on: 1 }] });
  useSession.setState({ user: { id: 1, review_status: 2 } as never, token: 'token' });
  await activate('en');
  await withMoneyWords(async () => ({}))();
});
afterEach(() => {
  cleanup();
  for (const { key } of pendingOf(1)) dismiss(key);
});

const button = (name: string | RegExp) => screen.findByRole('button', { name, hidden: true });
const press = async (name: string | RegExp) => {
  const found = await button(name);
  await act(async () => void fireEvent.click(found));
};
async function review(amount: string) {
  fireEvent.change(await screen.findByLabelText('Amount'), { target: { value: amount } });
  await press(t('convert.review'));
}

test('the next review shows nothing of a conversion whose review was closed while it was sent', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <Convert />
    </QueryClientProvider>,
  );
  await review('1000');
  await press(/^Convert 1,000/);
  await press(t('ui.close'));
  await act(async () => answer());
  expect(pendingOf(1)).toMatchObject([{ kind: 'convert', state: 'done' }]);
  expect((await screen.findByLabelText<HTMLInputElement>('Amount')).value).toBe('');
  await review('2000');
  expect(screen.queryByText(t('convert.receipt'))).toBeNull();
  expect(await button(/^Convert 2,000/)).toBeTruthy();
});
