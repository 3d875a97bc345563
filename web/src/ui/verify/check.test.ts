import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { verdictOf } from './check';

const read = (name: string): Record<string, Record<string, unknown>> => JSON.parse(readFileSync(new URL(`../../../../docs/receipts/${name}.json`, import.meta.url), 'utf8'));
const stateOf = async (receipt: unknown, userId: number | undefined, shown: Record<string, unknown>) => {
  const verdict = await verdictOf(receipt, { userId, shown });
  return verdict.state === 'bad' ? verdict.reason : verdict.state;
};

test.each([
  ['won', 'order', 'fact_profits'],
  ['contract-closed', 'position', 'returned'],
])('a right receipt, of "%s", is red if it is not the one that was asked for', async (name, of, net) => {
  const receipt = read(name);
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
