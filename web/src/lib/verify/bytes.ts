import { Fault, must, type Reason } from './fault';

/** Bytes and the values in them (`docs/log-bytes.md`). Whole numbers that may be long are bigints. */

export type Bytes = Uint8Array<ArrayBuffer>;

export function fromHex(text: string): Bytes {
  must(/^([0-9a-f]{2})*$/.test(text), 'format');
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export function concat(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A whole number in this many bytes, big-endian. */
export function bigEndian(value: number | bigint, bytes: number): Bytes {
  return fromHex(BigInt(value).toString(16).padStart(2 * bytes, '0'));
}

/** The largest whole number that a JavaScript number holds exactly. */
const EXACT = 9_007_199_254_740_991n;

/** Reads values from the front of bytes; fails with `reason` if one does not fit. */
export class Reader {
  private at = 0;
  private readonly bytes: Uint8Array;
  private readonly reason: Reason;
  constructor(bytes: Uint8Array, reason: Reason) {
    this.bytes = bytes;
    this.reason = reason;
  }

  private fail(): never {
    throw new Fault(this.reason, 'the bytes of an entry do not fit its kind');
  }

  byte(): number {
    return this.bytes[this.at++] ?? this.fail();
  }

  take(count: number): Uint8Array {
    if (this.at + count > this.bytes.length) this.fail();
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** A whole number of up to 64 bits, in its one shortest form. */
  long(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        if ((byte === 0 && shift > 0n) || value >= 1n << 64n) this.fail();
        return value;
      }
    }
    return this.fail();
  }

  /** A whole number that a JavaScript number holds exactly: a count, an id, milliseconds. */
  short(): number {
    const value = this.long();
    if (value > EXACT) this.fail();
    return parseInt(value.toString(), 10);
  }

  /** The form at an index of its list. */
  form<F extends string>(forms: readonly F[]): F {
    return forms[this.short()] ?? this.fail();
  }

  list<T>(item: () => T): T[] {
    const count = this.short();
    if (count > this.bytes.length) this.fail();
    return Array.from({ length: count }, item);
  }

  text(): string {
    return new TextDecoder().decode(this.take(this.short()));
  }

  end(): void {
    if (this.at !== this.bytes.length) this.fail();
  }
}
