import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ACTIONS, OBJECTS } from './audit';

const SERVER = new URL('../../../../crates/server/src/operator/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, SERVER), 'utf8');
const found = (code: string, word: RegExp) => [...code.matchAll(word)].map(([, name = '']) => name);
const sorted = (words: Iterable<string>) => [...new Set(words)].toSorted();

test('the audit log can be filtered by every word that the server writes', () => {
  const routes = readdirSync(new URL('routes/', SERVER)).map((file) => read(`routes/${file}`)).join('\n');
  const declared = read('registry.rs').split('fn word(')[1]?.split('\n}')[0] ?? '';
  const written = [...found(routes, /audit: Some\(\("(\w+)"/g), ...found(declared, /"(\w+)"/g), ...found(read('accounts.rs'), /note\(app, &?operator, "(\w+)"/g)];
  expect(written.length).toBeGreaterThan(40);
  // A decision writes its own word, and what the server turns away a word of its own.
  expect(sorted(ACTIONS)).toEqual(sorted([...written, 'reject', 'refused']));
});

test('and by everything that the server writes about', () => {
  const objects = found(read('../operator.rs').split('fn object_word(')[1] ?? '', /AuditObject::\w+ => "(\w+)"/g);
  const cases = found(read('queue.rs').split('fn word(')[1]?.split('\n    }')[0] ?? '', /"(\w+)"/g);
  const kinds = found(read('catalog_kinds.rs').split('enum CatalogKind')[1]?.split('\n    }')[0] ?? '', /= "(\w+)"/g);
  expect(Math.min(objects.length, cases.length, kinds.length)).toBeGreaterThan(7);
  expect(sorted(OBJECTS)).toEqual(sorted([...objects, ...cases, ...kinds]));
});
