import { hashes, verify } from '@noble/ed25519';
import { sha256 } from '@noble/hashes/sha2.js';
// A module of its own, or every screen that knows SHA-256 would carry SHA-512 as well.
import { sha512 } from '@noble/hashes/sha2.js?512';
import type { Bytes } from './bytes';

/** SHA-256 and Ed25519 where the browser has none of its own; loaded only then (decision 37). */

hashes.sha512 = sha512;

export const ownSha256 = (bytes: Bytes): Bytes => new Uint8Array(sha256(bytes));

export function ownIsSigned(signature: Bytes, message: Bytes, key: Bytes): boolean {
  try {
    // The rules of RFC 8032, as the server's own library and browsers have them.
    return verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
}
