import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../data/query';
import { useSession } from '../data/session';
import { activate, withMoneyWords } from '../lib/i18n';
import Convert from '../features/convert/Convert';
import Transfer from '../features/transfer/Transfer';

const at = vi.hoisted(() => ({ query: new URLSearchParams() }));
vi.mock('../lib/nav', async (original) => ({ ...(await original<object>()), usePlace: () => ({ path: '', hash: '', ...at }) }));
vi.mock('../lib/http', async (original) => {
  const coin = (id: number, code: string) => ({ id, code, name: code, scale: 6, is_match: 1, is_lever: 1, min_number: '0', max_number: '1000', networks: [] });
  const coins = [coin(3, 'USDT'), coin(1, 'BTC'), coin(2, 'ETH')];
  const flash = coins.map(({ id, code, ...limits }) => ({ ...limits, id, name: code }));
  const answers: Record<string, object> = {
    'app/config': { country: '', server_time_ms: Date.now(), currencies: coins, markets: [], products: ['flash', 'contract'].map((product) => ({ product, on: 1 })) },
    'wallet/flashAgainstList': { left: flash, right: flash },
  };
  const read = (path: string) => (answers[path] ? Promise.resolve({ message: answers[path], took: 0 }) : new Promise(() => {}));
  return { ...(await original<object>()), api: { get: read, query: read, post: read } };
});

// jsdom has dialogs but cannot open them.
beforeAll(async () => {
  Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} });
  await activate('en');
  await withMoneyWords(async () => ({}))();
});
let members = 0;
beforeEach(() => useSession.setState({ user: { id: ++members } as never, token: 'token' }));
afterEach(cleanup);

test.each([
  ['Transfer', Transfer, 'coin', 'Coin'],
  ['Convert', Convert, 'from', 'From'],
])('%s: an amount is kept for its coin, and offered with no other', async (_name, Page, name, label) => {
  const open = async (coin?: number) => {
    cleanup();
    at.query = new URLSearchParams(coin === undefined ? '' : { [name]: String(coin) });
    render(
      <QueryClientProvider client={queryClient}>
        <Page />
      </QueryClientProvider>,
    );
    await field();
  };
  const field = () => screen.findByLabelText<HTMLInputElement>('Amount');
  const type = async (value: string) => fireEvent.change(await field(), { target: { value } });
  const value = async () => (await field()).value;
  const choose = async (code: string) => {
    fireEvent.click(screen.getByLabelText(label, { selector: 'button' }));
    fireEvent.click(await screen.findByRole('radio', { name: new RegExp(code), hidden: true }));
  };
  await open(1);
  await type('5');
  await open(2);
  expect(await value()).toBe('');
  await open();
  expect(await value()).toBe('');
  // A coin that is chosen later brings what was typed for it, too.
  await choose('BTC');
  expect(await value()).toBe('5');
  await open(1);
  expect(await value()).toBe('5');
  await type('6');
  await open(1);
  expect(await value()).toBe('6');
});
