import { expect, test } from 'vitest';
import { bigEndian, type Bytes } from './bytes';
import { sha256 } from './crypto';
import { readBuyer } from './entry';
import { checkContinues, checkInclusion, opened, type Entry, type Head, type Step } from './log';

/** The tree of RFC 9162, 2.1, as written there. */
async function root(leaves: readonly Bytes[]): Promise<Bytes> {
  if (leaves.length === 1) return sha256(Uint8Array.of(0), leaves[0] as Bytes);
  const middle = split(leaves.length);
  return sha256(Uint8Array.of(1), await root(leaves.slice(0, middle)), await root(leaves.slice(middle)));
}
function split(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}
async function path(leaf: number, leaves: readonly Bytes[]): Promise<Step[]> {
  if (leaves.length === 1) return [];
  const middle = split(leaves.length);
  const [left, right] = [leaves.slice(0, middle), leaves.slice(middle)];
  return leaf < middle ? [...(await path(leaf, left)), { side: 'right', hash: await root(right) }] : [...(await path(leaf - middle, right)), { side: 'left', hash: await root(left) }];
}

const entry = (number: number) => sha256(bigEndian(number, 8));

test('a path proves one entry at one number, and that every older log is contained', async () => {
  const leaves: Bytes[] = [];
  const heads: Head[] = [];
  const [genesis, alien] = await Promise.all([entry(1), entry(99)]);
  for (let size = 1; size <= 12; size++) {
    const hash = await entry(size);
    leaves.push(hash);
    const head: Head = { seq: size, hash, root: await root(leaves), signature: new Uint8Array(64), key: new Uint8Array(32), timeMs: 0, genesis };
    heads.push(head);
    for (const older of heads) {
      const way = await path(older.seq - 1, leaves);
      await checkInclusion(head, older.seq, older.hash, way);
      await checkContinues(head, older, way);
      await expect(checkInclusion(head, older.seq + 1, older.hash, way)).rejects.toMatchObject({ reason: 'inclusion' });
      await expect(checkInclusion(head, older.seq, alien, way)).rejects.toMatchObject({ reason: 'inclusion' });
      for (const forked of [{ ...older, root: alien }, { ...older, genesis: alien }, { ...older, seq: older.seq + 1 }]) {
        await expect(checkContinues(head, forked, way)).rejects.toMatchObject({ reason: 'consistency' });
      }
    }
  }
});

test('what an entry sealed has one reading: neither a longer salt nor another first byte makes another member of it', async () => {
  // No request, then member 300.
  const [salt, bytes] = [new Uint8Array(16).fill(7), Uint8Array.of(0, 0xac, 2)];
  const sealed = await sha256(salt, bytes);
  const shown = (salt: Bytes, bytes: Bytes) => opened({ sealed, own: { salt, bytes } } as Entry);
  expect(readBuyer((await shown(salt, bytes)) ?? new Uint8Array())).toBe(300);
  await expect(shown(Uint8Array.of(...salt, 0), bytes.slice(1))).rejects.toMatchObject({ reason: 'purchase' });
  await expect(shown(salt.slice(1), Uint8Array.of(7, ...bytes))).rejects.toMatchObject({ reason: 'purchase' });
  expect(() => readBuyer(bytes.slice(1))).toThrow(expect.objectContaining({ reason: 'purchase' }));
});
