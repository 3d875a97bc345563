import { decodeQR } from 'qr/decode.js';
import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { addressIn } from './code';

const BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const ETHER = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const RECEIVER = '0x52908400098527886E0F7030069857D2E4169EE7';

test.each([
  [TRON, TRON],
  [` ${TRON}\n`, TRON],
  [`bitcoin:${BITCOIN}?amount=0.5&label=Ada`, BITCOIN],
  [`BITCOIN:${BITCOIN.toUpperCase()}?AMOUNT=1`, BITCOIN.toUpperCase()],
  [`ethereum:${ETHER}@1`, ETHER],
  [`ethereum:pay-${ETHER}@1?value=1e18`, ETHER],
  [`tron:${TRON}?amount=7`, TRON],
])('%s holds an address, and nothing else is taken', (text, address) => {
  expect(addressIn(text)).toBe(address);
});

test('of a token transfer the receiver is taken, never the contract', () => {
  expect(addressIn(`ethereum:${ETHER}@1/transfer?address=${RECEIVER}&uint256=1e6`)).toBe(RECEIVER);
  expect(addressIn(`ethereum:${ETHER}@1/transfer?uint256=1e6`)).toBeUndefined();
  expect(addressIn(`ethereum:${ETHER}@1/approve?address=${RECEIVER}`)).toBeUndefined();
});

test.each(['', 'https://example.com', `lightning:${BITCOIN}`, 'bitcoin:?lightning=lnbc1', 'WIFI:S:home;;'])('%s holds no address', (text) => {
  expect(addressIn(text)).toBeUndefined();
});

test('a code as our own pages draw it is read', () => {
  const rows = encode(`bitcoin:${BITCOIN}?amount=1`, { ecc: 'M', border: 4 }).data;
  const side = rows.length * 4;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (let at = 0; at < side * side; at += 1) if (rows[Math.floor(at / side / 4)]?.[Math.floor((at % side) / 4)]) data.fill(0, at * 4, at * 4 + 3);
  expect(addressIn(decodeQR({ width: side, height: side, data }))).toBe(BITCOIN);
});
