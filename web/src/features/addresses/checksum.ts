import { keccak_256 } from '@noble/hashes/sha3.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, bech32m, createBase58check, hex } from '@scure/base';
import type { Family } from '../../lib/address';

const base58check = createBase58check(sha256);
const reads = (decode: () => unknown): boolean => {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
};

/** An address in one case has no checksum (EIP-55). */
function cased(digits: string): boolean {
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  const hash = hex.encode(keccak_256(new TextEncoder().encode(lower)));
  return [...lower].every((digit, at) => digits[at] === (parseInt(hash[at] ?? '', 16) >= 8 ? digit.toUpperCase() : digit));
}

/** Whether the checksum inside an address of this form is right; a wrong one is most likely a typing error. */
export function sound(family: Family, address: string): boolean {
  if (family === 'ERC20') return cased(address.slice(2));
  if (!/^bc1/i.test(address)) return reads(() => base58check.decode(address));
  // Version 0 is Bech32, all later ones Bech32m; the letter after the separator is the version.
  const code = /^bc1q/i.test(address) ? bech32 : bech32m;
  return reads(() => code.decode(address as `bc1${string}`));
}
