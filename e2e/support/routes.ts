import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const TABLE = readFileSync(resolve('../web/src/app/routes.ts'), 'utf8');

/** Every page of the app, read from its own table of routes. */
export const ROUTES: readonly string[] = [...TABLE.matchAll(/^ {2}'([^']+)': \{/gm)].map(([, path]) => path ?? '');
