import { readFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Head, Leaf, Liabilities } from '../generated/api';
import { Refusal } from '../lib/errors';
import { keepHead } from '../lib/verify/known';
import { findBalance, leftOut } from './leaf';
import { useSession } from './session';

const NOW = 1_000_000;
const served = vi.hoisted(() => ({}) as Record<string, unknown>);
vi.mock('../lib/http', async (original) => ({
  ...(await original<object>()),
  api: {
    get: async (path: string) => {
      if (served[path] instanceof Error) throw served[path];
      return { message: served[path] };
    },
    query: async (path: string) => ({ message: served[path], seq: NOW }),
  },
}));

const memory = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => memory.get(key) ?? null,
  setItem: (key: string, text: string) => memory.set(key, text),
  removeItem: (key: string) => memory.delete(key),
});

const leaf = JSON.parse(readFileSync(new URL('../../../docs/leaves/leaf.json', import.meta.url), 'utf8')) as Leaf & { proof: { head: Head } };
const sums = (seq: number, total = leaf.total) => ({ seq, assets: [{ currency_id: leaf.currency_id, currency_name: leaf.currency_name, total, root: leaf.root }] }) as Liabilities;
/** The member has this much of the coin, and nothing of coin 5, in spot. */
const wallet = (balance: string) => {
  const row = { currency: leaf.currency_id, currency_name: leaf.currency_name, change_balance: balance, lock_change_balance: '0' };
  const none = { balance: [] };
  return { change_wallet: { balance: [row, { ...row, currency: 5, currency_name: 'TOK' }] }, lever_wallet: none, trust_wallet: none, micro_wallet: none };
};
const why = async (cut: Liabilities) => {
  const found = await findBalance(leaf.currency_id, cut);
  return 'why' in found ? found.why : found.state;
};

beforeEach(() => {
  keepHead(leaf.proof.head);
  useSession.setState({ user: { id: leaf.user_id } as never });
  served['proof/my_leaf'] = leaf;
  served['wallet/legal_log'] = { list: [], page: 1, limit: 100, count: 0 };
  served['wallet/list'] = wallet(leaf.balance);
});

test('a leaf is of the log that this phone remembers', async () => {
  expect(await why(sums(leaf.seq))).toBe('good');
  keepHead({ ...leaf.proof.head, genesis: leaf.proof.head.root });
  expect(await why(sums(leaf.seq))).toBe('consistency');
});

test('the public sums of its own cut have its root and total, also when the screen shows an older cut', async () => {
  expect(await why(sums(leaf.seq, '1.000000'))).toBe('root');
  served['proof/liabilities'] = sums(leaf.seq, '1.000000');
  expect(await why(sums(leaf.seq - 1))).toBe('root');
  served['proof/liabilities'] = sums(leaf.seq);
  expect(await why(sums(leaf.seq - 1))).toBe('good');
  expect(await why(sums(leaf.seq + 1))).toBe('cut');
});

test('the balance has the decimals of the wallet, for of a coin that was listed later no entry shows them', async () => {
  served['wallet/list'] = wallet(`${leaf.balance}00`);
  expect(await why(sums(leaf.seq))).toBe('balance');
});

test('a coin of the wallet that the sums leave out is looked for too', async () => {
  expect(await leftOut(sums(leaf.seq))).toMatchObject([{ currency_id: 5, currency_name: 'TOK' }]);
});

test('a coin without a leaf is missing only if the member had it at the newest cut, which may be newer than the one on the screen', async () => {
  served['proof/my_leaf'] = new Refusal('E_NOT_FOUND', '');
  served['wallet/list'] = wallet('0.000000');
  const line = { id: 1, seq: leaf.seq + 5, value: `-${leaf.balance}` };
  served['wallet/legal_log'] = { list: [line], page: 1, limit: 100, count: 1 };
  served['proof/liabilities'] = sums(leaf.seq + 10);
  expect(await why(sums(leaf.seq))).toBe('none');
  served['proof/liabilities'] = sums(leaf.seq);
  expect(await why(sums(leaf.seq))).toBe('missing');
});
