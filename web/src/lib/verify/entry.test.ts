import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KNOWN } from './entry';

test('the app knows every kind of entry that the engine writes: one that it did not know would turn a good receipt red', () => {
  const codec = readFileSync(new URL('../../../../crates/engine/src/codec.rs', import.meta.url), 'utf8');
  const kinds = [...codec.matchAll(/^(?:pub )?const [A-Z_]+: u16 = (\d+);$/gm)].map(([, number]) => parseInt(number ?? '', 10));
  expect(kinds.length).toBeGreaterThan(30);
  expect(kinds.filter((kind) => !KNOWN.has(kind))).toEqual([]);
});
