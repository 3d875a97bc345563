import type { Coin, Network } from '../../generated/api';
import type { Key, Values } from '../../lib/i18n';
import { amount, cmp, sign, type Amount, type Parsed } from '../../lib/money';
import { finds } from '../../lib/search';

/** Coins that can be deposited, open ones first. */
export function depositCoins(coins: readonly Coin[], text: string): Coin[] {
  return coins
    .filter((coin) => coin.networks.length > 0 && finds(text, coin.code, coin.name))
    .toSorted((a, b) => (isOpen(b) ? 1 : 0) - (isOpen(a) ? 1 : 0));
}

export const isOpen = (coin: Coin) => coin.networks.some((network) => network.deposit_on === 1);

/** The requested network, else the first open one. */
export const firstNetwork = (networks: readonly Network[], asked: string | null): Network | undefined =>
  networks.find((one) => one.chain === asked) ?? networks.find((one) => one.deposit_on === 1) ?? networks[0];

export interface Reason {
  field: 'amount' | 'picture' | 'tx';
  text: Key;
  values?: Values;
  /** The smallest amount that is credited, which the screen formats. */
  least?: Amount;
}

interface Claim {
  amount: Parsed;
  /** Smallest credited deposit; undefined while unknown. */
  min: string | null | undefined;
  code: string;
  scale: number;
  picture: boolean;
  tx: string;
}

/** Why a deposit notice cannot be sent yet. */
export function claimReasons({ amount: parsed, min, code, scale, picture, tx }: Claim): Reason[] {
  const reasons: Reason[] = [];
  const wrong = (text: Key, values?: Values) => reasons.push({ field: 'amount', text, ...(values && { values }) });
  if (!parsed.ok) {
    if (parsed.reason === 'empty') wrong('assets.needAmount');
    else if (parsed.reason === 'scale') wrong('assets.scale', { code, scale });
    else wrong('errors.E_AMOUNT');
  } else if (sign(parsed.value) <= 0) wrong('assets.needAmount');
  else if (min && cmp(parsed.value, amount(min)) < 0) reasons.push({ field: 'amount', text: 'funding.least', least: amount(min) });
  if (!picture) reasons.push({ field: 'picture', text: 'errors.E_PROOF' });
  if (tx.trim() !== '' && !/^[0-9A-Za-z]{16,100}$/.test(tx.trim())) reasons.push({ field: 'tx', text: 'deposit.txForm' });
  return reasons;
}

/** Target seconds between two blocks of a network. */
const BLOCK_SECONDS: Record<string, number> = { BTC: 600, ERC20: 12, TRC20: 3 };

/** About how many minutes the confirmations take; undefined for a network of unknown pace. */
export function minutesToCredit({ chain, confirmations }: Pick<Network, 'chain' | 'confirmations'>): number | undefined {
  const seconds = BLOCK_SECONDS[chain];
  return seconds === undefined ? undefined : Math.max(1, Math.ceil((confirmations * seconds) / 60));
}
