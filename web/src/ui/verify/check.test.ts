import { readFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Head } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { keepHead } from '../../lib/verify/known';
import { verdictOf } from './check';

const http = vi.hoisted(() => ({ get: vi.fn() }));
vi.mock('../../lib/http', () => ({ api: http }));

const memory = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => memory.get(key) ?? null,
  setItem: (key: string, text: string) => memory.set(key, text),
  removeItem: (key: string) => memory.delete(key),
});

type Receipt = Record<string, Record<string, unknown>> & { proof: { head: Head } };
const read = (name: string): Receipt => JSON.parse(readFileSync(new URL(`../../../../docs/receipts/${name}.json`, import.meta.url), 'utf8'));
const stateOf = async (receipt: unknown, userId: number | undefined, shown: Record<string, unknown>) => {
  const verdict = await verdictOf(receipt, { userId, shown });
  return verdict.state === 'bad' ? verdict.reason : verdict.state;
};

beforeEach(() => {
  http.get.mockRejectedValue(new Refusal('E_NETWORK', ''));
  keepHead(null);
});

test.each([
  ['won', 'order', 'fact_profits'],
  ['contract-closed', 'position', 'returned'],
])('a right receipt, of "%s", is red if it is not the one that was asked for', async (name, of, net) => {
  const receipt = read(name);
  keepHead(receipt.proof.head);
  const its = receipt[of] ?? {};
  const owner = (its.user_id ?? receipt.user_id) as number;
  const shown = { id: its.id, [net]: its[net] };
  expect(await stateOf(receipt, owner, shown)).toBe('good');
  expect(await stateOf(receipt, owner, { ...shown, id: 1 })).toBe('purchase');
  expect(await stateOf(receipt, owner + 1, shown)).toBe('purchase');
  expect(await stateOf(receipt, undefined, shown)).toBe('purchase');
  expect(await stateOf(receipt, owner, { ...shown, [net]: '0.000000' })).toBe('purchase');
  expect(await verdictOf(receipt)).toMatchObject({ state: 'good' });
});

test('a receipt of another log is bad although the same key signed it', async () => {
  const receipt = read('won');
  const { head } = receipt.proof;
  keepHead(head);
  expect(await verdictOf(receipt)).toMatchObject({ state: 'good' });
  expect(await verdictOf({ message: receipt })).toMatchObject({ state: 'good' });
  keepHead({ ...head, genesis: head.root });
  expect(await verdictOf(receipt)).toEqual({ state: 'bad', reason: 'consistency' });
  keepHead({ ...head, root: head.genesis });
  expect(await verdictOf(receipt)).toEqual({ state: 'bad', reason: 'consistency' });
});

test('without a connection a file is checked, and what was asked of the venue is not', async () => {
  const receipt = read('won');
  expect(await verdictOf(receipt)).toMatchObject({ state: 'good' });
  // Nor does a venue that starts say anything against a file.
  http.get.mockRejectedValue(new Refusal('E_NOT_READY', ''));
  expect(await verdictOf(receipt)).toMatchObject({ state: 'good' });
  expect(await stateOf(receipt, receipt.order?.user_id as number, { id: receipt.order?.id })).toBe('broken');
});
