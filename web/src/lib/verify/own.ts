import { hashes, verify } from '@noble/ed25519';
import { sha256 } from '@noble/hashes/sha2.js';
// A module of its own, because otherwise every screen with SHA-256 would include SHA-512.
import { sha512 } from '@noble/hashes/sha2.js?512';
import type { Bytes } from './bytes';

/** SHA-256 and Ed25519 for browsers without their own; loaded only then (decision 37). */

hashes.sha512 = sha512;

export const ownSha256 = (bytes: Bytes): Bytes => new Uint8Array(sha256(bytes));

export function ownIsSigned(signature: Bytes, message: Bytes, key: Bytes): boolean {
  try {
    // The rules of RFC 8032, as in the server's library and in browsers.
    return verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
}
