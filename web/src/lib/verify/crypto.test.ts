import { afterEach, expect, test, vi } from 'vitest';
import { concat, fromHex, toHex } from './bytes';
import { isSigned, sha256 } from './crypto';

afterEach(() => vi.unstubAllGlobals());

/** RFC 8032, 7.1, tests 2 and 3. */
const SIGNED = [
  ['3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', '72', '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00'],
  ['fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025', 'af82', '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a'],
].map((row) => row.map(fromHex)) as [ReturnType<typeof fromHex>, ReturnType<typeof fromHex>, ReturnType<typeof fromHex>][];

const BROWSERS: [string, () => void][] = [
  ['of the browser', () => {}],
  ['without Ed25519', () => vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new DOMException('', 'NotSupportedError'))],
  ['without TLS', () => vi.stubGlobal('crypto', {})],
];

test.each(BROWSERS)('signatures and digests %s are those of the standards', async (_, begin) => {
  begin();
  expect(toHex(await sha256(fromHex('616263')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  for (const [key, message, signature] of SIGNED) {
    expect(await isSigned(signature, message, key)).toBe(true);
    expect(await isSigned(signature, concat([message, fromHex('00')]), key)).toBe(false);
    expect(await isSigned(signature.map((byte, at) => (at === 3 ? byte ^ 1 : byte)), message, key)).toBe(false);
    expect(await isSigned(signature, message, key.map((byte, at) => (at === 3 ? byte ^ 1 : byte)))).toBe(false);
    expect(await isSigned(signature.subarray(0, 63), message, key)).toBe(false);
  }
});
