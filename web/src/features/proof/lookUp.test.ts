import { readFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import { Refusal } from '../../lib/errors';
import type { Entry, Head } from '../../generated/api';
import { lookUp, stepsOf } from './lookUp';

const get = vi.hoisted(() => vi.fn());
vi.mock('../../lib/http', () => ({ api: { get } }));

const repository = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, repository), 'utf8');
interface Proved {
  proof: { head: Head; genesis: Entry; runs: { entries: Entry[]; path: unknown }[] };
}
const { head, genesis, runs } = (JSON.parse(read('docs/receipts/won.json')) as Proved).proof;
const run = runs[0] as Proved['proof']['runs'][number];
const { own: _, ...entry } = run.entries.at(-1) as Entry;
const altered = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1);

/** The venue's answers. */
function serve({ entries = [entry], newest = head as Head | null, path = run.path }: { entries?: unknown[]; newest?: Head | null; path?: unknown }) {
  get.mockImplementation((call: string, asked?: { from?: number }) => {
    if (call === 'proof/entries' && asked?.from === 1) return Promise.resolve({ message: [genesis] });
    if (call === 'proof/entries') return Promise.resolve({ message: entries });
    if (call === 'proof/inclusion') return Promise.resolve({ message: { path } });
    return newest ? Promise.resolve({ message: newest }) : Promise.reject(new Refusal('E_NOT_READY', ''));
  });
}
const states = async (brought?: string) => {
  const looked = await lookUp(entry.seq);
  return looked && Object.fromEntries(stepsOf(looked, brought).map(({ step, state }) => [step, state]));
};
beforeEach(() => void get.mockReset());

test('an entry is asked of the log, hashed here, and found in the newest signed head', async () => {
  serve({});
  expect(await lookUp(entry.seq)).toEqual({ entry, computed: entry.hash, inclusion: { state: 'in', seq: head.seq, timeMs: head.time_ms } });
  expect(get).toHaveBeenCalledWith('proof/entries', { from: entry.seq, limit: 1 });
  expect(get).toHaveBeenCalledWith('proof/inclusion', { seq: entry.seq, head_seq: head.seq });
  expect(await states()).toEqual({ hash: 'done', head: 'done' });
});

test('the hash of a receipt is compared with the one that was worked out', async () => {
  serve({});
  expect(await states(entry.hash)).toEqual({ hash: 'done', receipt: 'done', head: 'done' });
  expect(await states(altered(entry.hash))).toEqual({ hash: 'done', receipt: 'failed', head: 'done' });
  // A venue that shows another entry under the hash of the receipt.
  serve({ entries: [{ ...entry, time_ms: entry.time_ms + 1 }] });
  expect(await states(entry.hash)).toEqual({ hash: 'failed', receipt: 'failed', head: 'failed' });
});

test('what is not signed yet waits, and a head or a path that is not right fails', async () => {
  serve({ newest: null });
  expect(await states()).toEqual({ hash: 'done', head: 'next' });
  serve({ path: [] });
  expect((await lookUp(entry.seq))?.inclusion).toEqual({ state: 'bad', reason: 'inclusion' });
  serve({ newest: { ...head, root: altered(head.root) } });
  expect((await lookUp(entry.seq))?.inclusion).toEqual({ state: 'bad', reason: 'signature' });
  serve({ entries: [{ ...entry, bytes: 'no bytes' }] });
  expect(await states()).toEqual({ hash: 'failed', head: 'failed' });
});

test('an entry behind the newest head is not signed yet', async () => {
  const seq = head.seq + 1;
  serve({ entries: [{ ...entry, seq }] });
  expect((await lookUp(seq))?.inclusion).toEqual({ state: 'pending' });
});

test('what is not there is not shown', async () => {
  serve({ entries: [] });
  expect(await lookUp(entry.seq)).toBeNull();
  // An entry other than the requested one counts as none.
  serve({ entries: [{ ...entry, seq: entry.seq + 1 }] });
  expect(await lookUp(entry.seq)).toBeNull();
});

test('what only its owner may read is not kept of it', async () => {
  serve({ entries: [{ ...entry, own: { bytes: '00', salt: '00' } }] });
  expect((await lookUp(entry.seq))?.entry).not.toHaveProperty('own');
});

test('a line that fails is no verdict', async () => {
  get.mockImplementation(() => Promise.reject(new Refusal('E_NETWORK', '')));
  await expect(lookUp(entry.seq)).rejects.toMatchObject({ code: 'E_NETWORK' });
});

test('every kind of entry that the engine writes has words', () => {
  const names = [...read('crates/engine/src/codec.rs').matchAll(/^ {4}\([A-Z_]+, "(\w+)"\),$/gm)].map(([, name]) => name);
  const words = JSON.parse(read('web/src/locales/journal/en.json')) as { kinds: Record<string, string> };
  expect(names.length).toBeGreaterThan(40);
  expect(Object.keys(words.kinds).toSorted()).toEqual(names.toSorted());
});
