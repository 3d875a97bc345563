import { bigEndian, toHex, type Bytes } from './bytes';
import { sha256 } from './crypto';
import { readRoots, type CoinRoot } from './entry';
import { all, checkedProof } from './evidence';
import { must } from './fault';
import { digest, fields, inner, items, text, whole, type Fields } from './json';
import { same, sides } from './log';

/**
 * Checks a member's leaf of the liabilities with nothing but the document: the leaf is made of the member's number, the nonce and the
 * balance, the path and its sums lead to root and total, and the log of a signed head has both (`docs/verify.md`). `meridian verify
 * --leaf` does the same, and shared cases require the same answer of both.
 */

export interface CheckedLeaf {
  userId: number;
  currencyId: number;
  coin: string;
  /** What the venue owed the member, and all members, as on the wire. */
  balance: string;
  total: string;
  users: bigint;
  /** The first entry lists the coin, and so shows its decimals. */
  isListed: boolean;
  /** The entry after which the balances were taken, and its time. */
  seq: number;
  timeMs: number;
  head: { seq: number; key: string; timeMs: number };
}

interface Node {
  hash: Bytes;
  sum: bigint;
}

/** Every amount is below this, and so is every sum of members' balances. */
const MOST = 10n ** 18n;
const LONGEST = 18;

/** An amount in its only form: all decimals of the coin, no sign, no leading zeros. */
function atoms(value: unknown, scale: number, what: string): bigint {
  const [, integer = '', fraction = ''] = /^(0|[1-9]\d{0,18})(?:\.(\d+))?$/.exec(text(value, what)) ?? [];
  must(integer !== '' && fraction.length === scale, 'format');
  const found = BigInt(integer + fraction);
  must(found < MOST, 'format');
  return found;
}

function readLeaf(leaf: Fields) {
  const scale = (text(leaf.balance, 'balance').split('.')[1] ?? '').length;
  must(scale <= LONGEST, 'format');
  return {
    scale,
    seq: whole(leaf.seq, 'seq'),
    recordedSeq: whole(leaf.recorded_seq, 'recorded_seq'),
    timeMs: whole(leaf.time_ms, 'time_ms'),
    userId: whole(leaf.user_id, 'user_id'),
    currencyId: whole(leaf.currency_id, 'currency_id'),
    coin: text(leaf.currency_name, 'currency_name'),
    balance: atoms(leaf.balance, scale, 'balance'),
    nonce: digest(leaf.nonce, 'nonce'),
    index: whole(leaf.index, 'index'),
    hash: digest(leaf.leaf, 'leaf'),
    path: items(leaf.path, 'path').map((step) => {
      const { side, hash, sum } = fields(step, 'path');
      must(side === 'left' || side === 'right', 'format');
      return { side, hash: digest(hash, 'path'), sum: atoms(sum, scale, 'path') };
    }),
    root: digest(leaf.root, 'root'),
    total: atoms(leaf.total, scale, 'total'),
  };
}
type Claims = ReturnType<typeof readLeaf>;

const amountBytes = (value: bigint) => bigEndian(value, 8);

async function over(left: Node, right: Node): Promise<Node> {
  return { hash: await sha256(left.hash, amountBytes(left.sum), right.hash, amountBytes(right.sum)), sum: left.sum + right.sum };
}

/** The root that the path leads to, with its sum. */
async function led({ balance, hash, path }: Claims): Promise<Node> {
  let below: Node = { hash, sum: balance };
  for (const { side, ...beside } of path) {
    must(below.sum + beside.sum < 2n ** 64n, 'sum');
    below = side === 'left' ? await over(beside, below) : await over(below, beside);
  }
  return below;
}

/** The recorded root of the coin at this cut. */
function recorded(claims: Claims, value: ReturnType<typeof all>): CoinRoot {
  const entry = value.find(({ seq }) => seq === claims.recordedSeq);
  must(entry !== undefined, 'proof');
  const roots = readRoots(entry);
  const coin = roots?.coins.find(({ asset }) => asset === claims.currencyId);
  must(roots !== null && coin !== undefined && roots.seq === claims.seq && roots.timeMs === claims.timeMs && roots.seq < entry.seq, 'cut');
  return coin;
}

/** Checks a leaf. `known` is the key that must have signed its head, if it is known from elsewhere. Fails with a {@link Fault}. */
export async function checkLeaf(document: unknown, known?: string): Promise<CheckedLeaf> {
  const leaf = inner(document);
  const claims = readLeaf(leaf);
  const { proof, genesis } = await checkedProof(leaf.proof, known);
  const coin = genesis.assets.find(({ id }) => id === claims.currencyId);
  must(coin === undefined || (coin.scale === claims.scale && coin.code === claims.coin), 'terms');
  const root = recorded(claims, all(proof));
  must(same(root.root, claims.root) && root.total === claims.total, 'root');
  const made = await sha256(bigEndian(claims.userId, 8), claims.nonce, amountBytes(claims.balance));
  must(same(made, claims.hash), 'leaf');
  const end = await led(claims);
  must(end.sum === claims.total, 'sum');
  const placed = BigInt(claims.index) < root.users && sides(claims.index, whole(parseInt(root.users.toString(), 10), 'users')).join() === claims.path.map(({ side }) => side).join();
  must(placed && same(end.hash, claims.root), 'root');
  const { head } = proof;
  return {
    userId: claims.userId,
    currencyId: claims.currencyId,
    coin: claims.coin,
    balance: text(leaf.balance, 'balance'),
    total: text(leaf.total, 'total'),
    users: root.users,
    isListed: coin !== undefined,
    seq: claims.seq,
    timeMs: claims.timeMs,
    head: { seq: head.seq, key: toHex(head.key), timeMs: head.timeMs },
  };
}
