import { readFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Head } from '../../generated/api';
import { Refusal } from '../errors';
import { bigEndian, toHex, type Bytes } from './bytes';
import { sha256 } from './crypto';
import { keepHead } from './known';
import { checkNewestHead, checkSameLog } from './newest';
import type { Step } from './log';

const get = vi.hoisted(() => vi.fn());
vi.mock('../http', () => ({ api: { get } }));
// The heads below are made here and not signed.
vi.mock('./log', async (original) => ({ ...(await original<object>()), checkHead: async () => {} }));

const memory = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => memory.get(key) ?? null,
  setItem: (key: string, text: string) => memory.set(key, text),
  removeItem: (key: string) => memory.delete(key),
});

/** The head of a real log; only its seq, hash, root and genesis are looked at here. */
const { proof } = JSON.parse(readFileSync(new URL('../../../../docs/receipts/won.json', import.meta.url), 'utf8')) as { proof: { head: Head; genesis: object } };

const entries = (of: number, seq: number) => Promise.all(Array.from({ length: seq }, (_, at) => sha256(bigEndian(at < 4 ? 0 : of, 8), bigEndian(at, 8))));

/** The root over entries, and the path to it from one of them, nearest first (RFC 9162). */
async function tree(hashes: Bytes[], at = 0): Promise<{ root: Bytes; path: Step[] }> {
  const [only] = hashes;
  if (hashes.length === 1 && only) return { root: await sha256(Uint8Array.of(0), only), path: [] };
  let half = 1;
  while (half * 2 < hashes.length) half *= 2;
  const [left, right] = [await tree(hashes.slice(0, half), at), await tree(hashes.slice(half), at - half)];
  const path: Step[] = at < half ? [...left.path, { side: 'right', hash: right.root }] : [...right.path, { side: 'left', hash: left.root }];
  return { root: await sha256(Uint8Array.of(1), left.root, right.root), path };
}

/** A head of one of two logs, which differ from the fifth entry on. */
async function head(of: number, seq: number): Promise<Head> {
  const hashes = await entries(of, seq);
  return { ...proof.head, seq, hash: toHex(hashes.at(-1) as Bytes), root: toHex((await tree(hashes)).root) };
}

/** The venue proves what it can of its first log; without a connection nothing comes. */
const serve = (connected = true) =>
  get.mockImplementation(async (call: string, asked?: { seq: number; head_seq: number }) => {
    if (!connected) throw new Refusal('E_NETWORK', '');
    if (!asked) return { message: { ...(await head(1, 23)), mode } };
    if (call === 'proof/entries') return { message: [proof.genesis] };
    const { seq, head_seq: size } = asked;
    const { path } = await tree(await entries(1, size), seq - 1);
    return { message: { path: path.map(({ side, hash }) => ({ side, hash: toHex(hash) })) } };
  });
let mode = 'sandbox';
const verdict = (shown: Head, isFile = false) =>
  checkSameLog({ proof: { head: shown } }, isFile).then(
    () => 'same',
    (error: { reason?: string; code?: string }) => error.reason ?? error.code,
  );

beforeEach(() => {
  keepHead(null);
  get.mockReset();
});

test('an older and a newer head of the remembered log are of that log, and one of another log is not', async () => {
  serve();
  keepHead(await head(1, 9));
  for (const seq of [2, 8, 9, 10, 23, 30]) expect([seq, await verdict(await head(1, seq))]).toEqual([seq, 'same']);
  for (const seq of [8, 9, 10, 23]) expect([seq, await verdict(await head(2, seq))]).toEqual([seq, 'consistency']);
  expect(await verdict({ ...(await head(1, 8)), genesis: toHex(bigEndian(7, 32)) })).toBe('consistency');
});

test('without a connection a file is of the same first entry and root, and what the venue was asked for is not checked', async () => {
  serve(false);
  expect(await verdict(await head(1, 8), true)).toBe('same');
  keepHead(await head(1, 9));
  expect(await verdict(await head(1, 8), true)).toBe('same');
  expect(await verdict(await head(1, 8))).toBe('E_NETWORK');
  expect(await verdict(await head(1, 9))).toBe('same');
  expect(await verdict(await head(2, 9), true)).toBe('consistency');
  expect(await verdict({ ...(await head(1, 8)), genesis: toHex(bigEndian(7, 32)) }, true)).toBe('consistency');
});

test('a head of another mode than the first entry says is bad', async () => {
  serve();
  expect((await checkNewestHead())?.fault).toBeNull();
  mode = 'live';
  expect((await checkNewestHead())?.fault?.reason).toBe('genesis');
  mode = 'sandbox';
});

test('only a phone that remembers no head is told that none was ever signed', async () => {
  get.mockRejectedValue(new Refusal('E_NOT_READY', ''));
  expect(await checkNewestHead()).toBeNull();
  keepHead(await head(1, 9));
  await expect(checkNewestHead()).rejects.toMatchObject({ code: 'E_NOT_READY' });
});
