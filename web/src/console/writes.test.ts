import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The console never sends a write about another person that the operator did not review. */

/** Their dialog shows the object, keeps it as shown, and asks for the reason; it sends nothing else. */
const REVIEWED = [
  'decide', 'withdrawal/sent', 'withdrawal/returned', 'withdrawal/unmark', 'observation/reverse',
  'proposal/confirm', 'proposal/stop', 'proposal/cancel', 'catalog/propose', 'catalog/pause', 'treasury/move', 'offering/launch', 'market/retire',
  'user/freeze', 'user/unfreeze', 'user/end_sessions', 'user/kyc_revoke', 'user/role', 'operator/save', 'operator/release', 'news/delete',
];
/** These are sent from where they are typed, each for its own reason. */
const EXCEPTIONS = {
  observation: 'Typed twice: the second entry is the look at the first one. Then another person enters it too.',
  'news/save': 'Stands beside its fields as the app shows it; it moves nothing, and can be changed and deleted.',
  'ticket/reply': 'Words to one member: what is typed is what is sent.',
  'chat/reply': 'Words to one member: what is typed is what is sent.',
  password: 'The own one, which takes the old one and a code.',
  setup: 'The own account, which takes the link that was sent.',
  login: 'Changes nothing of anybody.',
  logout: 'Changes nothing of anybody.',
};

const files = readdirSync('src/console', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(`src/console/${name}`, 'utf8') }));
/** Every write of the console, and whether a review dialog sends it. */
const writes = files.flatMap(({ name, text }) =>
  [...text.matchAll(/\bops\.post\(\s*(?:'([^']+)')?/g)].map(({ 1: path, index }) => {
    const before = text.slice(0, index);
    const alone = /\bconst send = \([^()]*\) =>\s*$/.test(before) && /<ActDialog\b(?:(?!<[A-Z/]).)*\bsend=\{send\}/s.test(text);
    return { call: path ?? `what it is, is not written in ${name}`, reviewed: alone || /<ActDialog\b(?:(?!<[A-Z/]).)*\bsend=\{\([^()]*\) =>\s*$/s.test(before) };
  }),
);
const names = (calls: typeof writes) => [...new Set(calls.map(({ call }) => call))].toSorted();

test('every write of the console is known to be reviewed, or to need no review', () => {
  expect(names(writes)).toEqual([...REVIEWED, ...Object.keys(EXCEPTIONS)].toSorted());
});
test('what decides about somebody else is sent by the dialog that shows it, and by nothing else', () => {
  expect(names(writes.filter(({ reviewed }) => !reviewed))).toEqual(Object.keys(EXCEPTIONS).toSorted());
  expect(names(writes.filter(({ reviewed }) => reviewed))).toEqual(REVIEWED.toSorted());
});
test('the console has no second way to send', () => {
  const others = files.flatMap(({ name, text }) => [...text.matchAll(/\bapi\.(?:post|put)\b|(?<!\bops\.)\bpost\([^)]*|\bfetch\(/g)].map(([call]) => `${name}: ${call}`));
  expect(others).toEqual([
    'api.ts: api.post',
    'api.ts: post(BASE + path, params, { quiet: true }',
    // One's own session, in a sandbox only.
    "api.ts: post('/sandbox/operator', { role, name }, { quiet: true }",
    // Reads a picture.
    'api.ts: fetch(',
  ]);
});
