import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const LOCALES = resolve('../web/src/locales');
/** The languages that have a catalogue, by their code on the wire. */
export const LANGUAGES: readonly string[] = readdirSync(LOCALES)
  .filter((name) => name.endsWith('.json'))
  .map((name) => basename(name, '.json'))
  .sort();

export type Catalogue = { [key: string]: string | Catalogue };

export function catalogue(code: string): Catalogue {
  const read = (name: string) => JSON.parse(readFileSync(join(LOCALES, name), 'utf8')) as Catalogue;
  // The folders are the second catalogue, each an area of its own.
  const areas = readdirSync(LOCALES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return { ...read(`${code}.json`), ...Object.fromEntries(areas.map(({ name }) => [name, read(`${name}/${code}.json`)])) };
}
