import { toHex } from './bytes';
import { readGenesis, type Genesis } from './entry';
import { must, type Reason } from './fault';
import { equal, fields, isWhole, items, text, whole, type Fields } from './json';
import { checkChain, checkHead, checkInclusion, checkKey, entryHash, readEntry, readHead, readPath, same, type Entry, type Head, type Step } from './log';
import type { Sample } from './samples';

/** The proof in every receipt, and how a claim is compared with what follows from the proof (`crates/server/src/verify/evidence.rs`). */

/** What a receipt could not show by itself; the last five concern contracts. */
export type Unshown = 'order' | 'owner' | 'feed' | 'next' | 'terms' | 'stops' | 'nights' | 'pool' | 'mean';

export interface Checked {
  id: number;
  result: string;
  symbol: string;
  samples: Sample[];
  head: { seq: number; key: string; timeMs: number };
  entries: number;
  /** The entries that set the stops of a contract; null if not shown. */
  stops: readonly number[] | null;
  unshown: Unshown[];
}

interface Run {
  entries: Entry[];
  path: Step[];
}
export interface Proof {
  head: Head;
  genesis: Entry;
  runs: Run[];
}

/** Compares the claims of a receipt with what follows; fields that are not named are not compared. */
export function claimsAre(claimed: Fields, expected: Fields, reason: Reason): void {
  for (const [name, value] of Object.entries(expected)) must(equal(claimed[name] ?? null, value), reason);
}

function readProof(value: unknown): Proof {
  const { head, genesis, runs } = fields(value, 'proof');
  const run = (one: unknown): Run => {
    const { entries, path } = fields(one, 'run');
    return { entries: items(entries, 'entries').map(readEntry), path: readPath(path) };
  };
  return { head: readHead(head), genesis: readEntry(genesis), runs: items(runs, 'runs').map(run) };
}

export type Hashes = { seq: number; hash: string }[];
export const readHashes = (value: unknown): Hashes =>
  items(value, 'entry_hashes').map((one) => {
    const { seq, hash } = fields(one, 'entry_hashes');
    return { seq: whole(seq, 'entry_hashes'), hash: text(hash, 'entry_hashes') };
  });

/** The log of the head continues for over a minute after an instant, so what was due then has happened. */
export const isLongAfter = ({ head }: Proof, instantMs: number) => head.timeMs > instantMs + 60_000;
export const seqIn = (value: unknown): number | null => (typeof value === 'object' && value !== null && 'seq' in value && isWhole(value.seq) ? value.seq : null);
export const all = (proof: Proof) => proof.runs.flatMap(({ entries }) => entries);
export const holding = (proof: Proof, seq: number) => proof.runs.find(({ entries }) => entries.some((entry) => entry.seq === seq));

/** The hashes that a receipt lists beside its proof must be those of the entries. */
export function checkHashes(proof: Proof, hashes: Hashes): void {
  for (const { seq, hash } of hashes) {
    const shown = all(proof).find((one) => one.seq === seq);
    must(!shown || toHex(shown.hash) === hash, 'chain');
  }
}

/** Work whose failure is handled when it is awaited, not before. */
function started<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

/** The proof of a receipt and the content of its first entry, after checking signature, key, first entry, chain and inclusion. */
export async function checkedProof(value: unknown, known: string | undefined): Promise<{ proof: Proof; genesis: Genesis }> {
  must((value ?? null) !== null, 'proof');
  const proof = readProof(value);
  const { head } = proof;
  // All work is started at once, because the browser hashes on another thread; the results are taken in the order of the checks.
  const signature = started(checkHead(head));
  const first = started(entryHash(proof.genesis));
  const runs = proof.runs.map(({ entries, path }) => {
    const last = entries.at(-1);
    return { chain: started(checkChain(entries)), inclusion: last && started(checkInclusion(head, last.seq, last.hash, path)) };
  });
  await signature;
  checkKey(head, known);
  must(same(await first, proof.genesis.hash) && same(proof.genesis.hash, head.genesis), 'genesis');
  const genesis = readGenesis(proof.genesis);
  for (const { chain, inclusion } of runs) {
    await chain;
    must(inclusion !== undefined, 'proof');
    await inclusion;
  }
  return { proof, genesis };
}
