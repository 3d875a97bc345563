import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fromHex } from './bytes';
import { KNOWN, readGenesis, readPublic, readRoots } from './entry';
import { Fault } from './fault';
import type { Entry } from './log';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const codec = read('crates/engine/src/codec.rs');
const kinds = new Map([...codec.matchAll(/^(?:pub )?const ([A-Z_]+): u16 = (\d+);$/gm)].map(([, name = '', number = '']) => [name, parseInt(number, 10)]));
const entry = (kind: number, bytes: string): Entry => ({ seq: 9, timeMs: 0, kind, version: 1, prev: fromHex('00'.repeat(32)), bytes: fromHex(bytes), sealed: null, own: null }) as unknown as Entry;

test('the app knows every kind of entry that the engine writes: one that it did not know would turn a good receipt red', () => {
  expect(kinds.size).toBeGreaterThan(30);
  expect([...kinds.values()].filter((kind) => !KNOWN.has(kind))).toEqual([]);
});

/** Whether the app reads the bytes of a kind. If it does, empty bytes give a value or an error. */
function isRead(kind: number): boolean {
  try {
    if (kind === 1) return Boolean(readGenesis({ ...entry(1, ''), seq: 1 }));
    if (kind === 7) return readRoots(entry(7, '')) !== null;
    return readPublic(entry(kind, '')).kind !== 'other';
  } catch {
    return true;
  }
}
const documented = [...read('docs/log-bytes.md').matchAll(/^\| (\d+) \| `(\w+)` \| (.+) \|$/gm)].map(([, kind = '', name = '', bytes = '']) => ({ kind: parseInt(kind, 10), name, bytes }));

test('a stranger finds the bytes of every kind that the app reads, under the name that the engine gives it', () => {
  const names = new Map([...codec.matchAll(/^ {4}\(([A-Z_]+), "(\w+)"\),$/gm)].map(([, constant = '', name = '']) => [kinds.get(constant), name]));
  expect(names.size).toBe(kinds.size);
  expect(documented.filter(({ kind, name }) => names.get(kind) !== name)).toEqual([]);
  const told = documented.map(({ kind }) => kind);
  const found = [...KNOWN].filter(isRead);
  expect(found).toEqual(expect.arrayContaining([1, 4, 7, 96, 112, 113, 115, 144, 242, 243]));
  expect(found.filter((kind) => !told.includes(kind))).toEqual([]);
});

const GOLDEN = 'crates/engine/tests/golden';
/** What the engine writes for the kind, and never writes otherwise. */
const golden = (kind: number) => {
  const files = readdirSync(new URL(`../../../../${GOLDEN}`, import.meta.url)).map((folder) => `${GOLDEN}/${folder}/entries.txt`);
  const lines = files.filter((file) => existsSync(new URL(`../../../../${file}`, import.meta.url))).flatMap((file) => [...read(file).matchAll(/^[^:]+: (\d+) 1 ([0-9a-f]+) /gm)]);
  return lines.flatMap(([, number = '', bytes = '']) => (parseInt(number, 10) === kind ? bytes : []));
};

test('the public bytes of a contract are what the document says of them', () => {
  const order = { market: 1, side: 'long', lots: 10n, multiple: 50, limit: null, takeProfit: null, stopLoss: null };
  const [high, low] = [11_000_000_000_000n, 9_500_000_000_000n];
  const said = (kind: number) => [...new Set(golden(kind))].map((bytes) => readPublic(entry(kind, bytes)));
  expect(said(112)).toEqual([
    { kind: 'opened', order },
    { kind: 'opened', order: { ...order, side: 'short', limit: high, takeProfit: low, stopLoss: high } },
  ]);
  expect(said(113)).toEqual([{ kind: 'closed', position: 70_000 }]);
  expect(said(115)).toEqual([{ kind: 'cancelled', position: 70_000 }]);
  const fields = (kind: number) => documented.find((row) => row.kind === kind)?.bytes.split('. Sealed: ');
  const owner = 'the request, the owner';
  expect(fields(112)).toEqual(['pair, direction (long, short), lots, multiple, limit (absent, or a price), take-profit (the same), stop-loss (the same)', owner]);
  expect(fields(114)).toEqual(['number of the contract, take-profit (absent, or a price), stop-loss (the same)', owner]);
  for (const kind of [113, 115]) expect(fields(kind)).toEqual([expect.stringMatching(/^number of the contract, /), owner]);
});

test('the public bytes of an order and of a commitment are read to their end', () => {
  const said = (kind: number) => [...new Set(golden(kind))].map((bytes) => readPublic(entry(kind, bytes)));
  expect(said(16).map(({ kind }) => kind)).toEqual(said(16).map(() => 'ordered'));
  expect(new Set(said(16).map((order) => order.kind === 'ordered' && order.side))).toEqual(new Set(['buy', 'sell']));
  expect(said(19)).toEqual([{ kind: 'moved', order: 70_000n, price: 10_000_000_000_000n }]);
  expect(said(176)).toEqual([{ kind: 'committed', offering: 11, asset: 3, amount: 100_000_000n }]);
});

test('a fourth bet and a third side are no entries', () => {
  const bet = (which: string) => () => readPublic(entry(96, `01${which}033c8094ebdc03${'08'.repeat(32)}`));
  const side = (which: string) => () => readPublic(entry(112, `01${which}0a32000000`));
  expect(bet('02')()).toMatchObject({ kind: 'bought', purchase: { bet: 'flat', seconds: 60, stake: 1_000_000_000n } });
  expect(side('01')()).toMatchObject({ kind: 'opened', order: { side: 'short', lots: 10n } });
  expect(bet('03')).toThrow(Fault);
  expect(side('02')).toThrow(Fault);
});
