import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Fault, checkReceipt } from './receipt';

/** The shared cases that `meridian verify` is tested with as well (`crates/server/tests/api/receipts.rs`). */
const folder = new URL('../../../../docs/receipts/', import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

interface Case {
  of: string;
  set: { at: string; value: unknown }[];
  fails?: string;
  unshown?: string[];
}
const shared = read('cases.json') as { key: string; receipts: string[]; cases: Case[] };

/** Sets a value at a JSON pointer (RFC 6901). */
function put(receipt: unknown, at: string, value: unknown): void {
  const path = at.split('/').slice(1);
  const last = path.pop() ?? '';
  const place = path.reduce((inner, name) => (inner as Record<string, unknown>)[name], receipt) as Record<string, unknown>;
  expect(Object.hasOwn(place, last)).toBe(true);
  place[last] = value;
}

test('every file of the folder is one of the shared receipts', () => {
  expect(readdirSync(folder).toSorted()).toEqual([...shared.receipts.map((name) => `${name}.json`), 'cases.json'].toSorted());
  expect(shared.cases.length).toBeGreaterThan(80);
});

test.each(shared.receipts)('the receipt "%s" is right', async (name) => {
  const receipt = read(`${name}.json`) as { buy_seq?: number; open_seq?: number; order?: { result: string }; position?: { reason: string | null } };
  const { id, result, unshown } = await checkReceipt(receipt, shared.key);
  const ended = receipt.order?.result ?? receipt.position?.reason ?? 'open';
  expect({ id, result, unshown }).toEqual({ id: receipt.buy_seq ?? receipt.open_seq, result: ended, unshown: [] });
  // As the server answers it, and without a known key.
  expect((await checkReceipt({ type: 'ok', message: receipt })).result).toBe(result);
});

describe('an altered receipt fails for its reason', () => {
  test.each(shared.cases.map((one) => [`${one.of} ${one.set[0]?.at}`, one] as const))('%s', async (_, { of, set, fails, unshown }) => {
    const receipt = read(`${of}.json`);
    for (const { at, value } of set) put(receipt, at, value);
    const came = await checkReceipt(receipt, shared.key).then(
      (checked) => checked.unshown,
      (fault: unknown) => (fault instanceof Fault ? fault.reason : fault),
    );
    expect(came).toEqual(fails ?? unshown);
  });
});

test.each([null, 1, 'x', [], {}, { message: {} }, { order: {}, rule: {} }, { position: {} }, { position: {}, user_id: 1, open_seq: 1, end_seq: null, entry_hashes: 1 }])('%j is no receipt', async (document) => {
  await expect(checkReceipt(document)).rejects.toMatchObject({ reason: 'format' });
});
