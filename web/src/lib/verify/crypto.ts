import { concat, type Bytes } from './bytes';

/**
 * SHA-256 and Ed25519 of the browser. If it has none (a page without TLS, Chrome before 137, Firefox before 129, Safari before 17), those
 * of `@noble` are loaded.
 */

const own = () => import('./own');

export async function sha256(...parts: Uint8Array[]): Promise<Bytes> {
  const bytes = concat(parts);
  if (globalThis.crypto?.subtle) return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return (await own()).ownSha256(bytes);
}

export async function isSigned(signature: Bytes, message: Bytes, key: Bytes): Promise<boolean> {
  if (key.length !== 32 || signature.length !== 64) return false;
  let known: CryptoKey;
  try {
    known = await crypto.subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify']);
  } catch {
    return (await own()).ownIsSigned(signature, message, key);
  }
  return crypto.subtle.verify({ name: 'Ed25519' }, known, signature, message);
}
