import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Fault } from './fault';
import { checkLeaf } from './leaf';

/** The shared cases that `meridian verify` is tested with as well (`crates/server/tests/api/liabilities.rs`). */
const folder = new URL('../../../../docs/leaves/', import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

interface Case {
  set: { at: string; value: unknown }[];
  fails: string;
}
const shared = read('cases.json') as { key: string; cases: Case[] };

/** Sets a value at a JSON pointer (RFC 6901). */
function put(leaf: unknown, at: string, value: unknown): void {
  const path = at.split('/').slice(1);
  const last = path.pop() ?? '';
  const place = path.reduce((inner, name) => (inner as Record<string, unknown>)[name], leaf) as Record<string, unknown>;
  expect(Object.hasOwn(place, last)).toBe(true);
  place[last] = value;
}

test('the shared leaf is right', async () => {
  expect(shared.cases.length).toBeGreaterThan(30);
  const leaf = read('leaf.json') as { user_id: number; balance: string };
  const checked = await checkLeaf(leaf, shared.key);
  expect(checked).toMatchObject({ userId: leaf.user_id, balance: leaf.balance, coin: 'USDT' });
  // As the server answers it, and without a known key.
  const answer = { type: 'ok', message: leaf };
  expect(await checkLeaf(answer)).toEqual(checked);
  await expect(checkLeaf(leaf, '07'.repeat(32))).rejects.toMatchObject({ reason: 'key' });
});

describe('an altered leaf fails for its reason', () => {
  test.each(shared.cases.map((one, at) => [`${at} ${one.set[0]?.at} ${JSON.stringify(one.set[0]?.value).slice(0, 40)}`, one] as const))('%s', async (_, { set, fails }) => {
    const leaf = read('leaf.json');
    for (const { at, value } of set) put(leaf, at, value);
    const came = await checkLeaf(leaf, shared.key).then(
      () => 'good',
      (fault: unknown) => (fault instanceof Fault ? fault.reason : fault),
    );
    expect(came).toBe(fails);
  });
});

test.each([null, 1, 'x', [], {}, { message: {} }, { nonce: 1 }, { nonce: '', balance: '1' }])('%j is no leaf', async (document) => {
  await expect(checkLeaf(document)).rejects.toMatchObject({ reason: 'format' });
});
