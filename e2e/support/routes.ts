import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const TABLE = readFileSync(resolve('../web/src/app/routes.ts'), 'utf8');

/** Every page of the app, read from its own table of routes; some lead guests to login. */
export const ROUTES: readonly { path: string; login: boolean }[] = [...TABLE.matchAll(/^ {2}'([^']+)': \{(.*)\},$/gm)].map(([, path, rest]) => ({
  path: path ?? '',
  login: rest?.includes('login: true') ?? false,
}));
