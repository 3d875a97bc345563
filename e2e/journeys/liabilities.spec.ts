import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { App, Member } from '../support/app.ts';
import { advance, now, until } from '../support/clock.ts';
import { buyer } from '../support/options.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

interface Leaf {
  seq: number;
  balance: string;
  path: { side: string; hash: string; sum: string }[];
  proof: unknown;
}
const LEAF = '**/api/proof/my_leaf*';

/** The day has a cut at every full ten minutes. */
const INTERVAL = 600_000;

/** Moves time in one step to the first full ten minutes after this time; there what the venue owes is recorded. */
async function pass(server: Server, ms: number): Promise<void> {
  const newest = async () => (await server.read<{ seq: number }>('proof/liabilities').catch(() => ({ seq: 0 }))).seq;
  const before = await newest();
  await until(server, (Math.floor(((await now(server)) + ms) / INTERVAL) + 1) * INTERVAL);
  await expect.poll(newest, { timeout: 30_000 }).toBeGreaterThan(before);
}

/** Ten minutes of the day end, and then a minute in which the sums are signed: most of the next ten are left. */
async function cut(server: Server, member: Member): Promise<Leaf> {
  await pass(server, 0);
  await advance(server, 60_001);
  const leaf = () => server.read<Leaf>('proof/my_leaf', { currency_id: '3' }, member.token);
  await expect.poll(async () => (await leaf()).proof !== null, { timeout: 90_000 }).toBe(true);
  return leaf();
}

/** The venue answers with another leaf than it has. */
const instead = (app: App, change: (leaf: Leaf) => unknown) =>
  app.page.route(LEAF, async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { type: string; message: Leaf };
    await route.fulfill({ response, json: json.type === 'ok' ? { ...json, message: change(json.message) } : json });
  });
const file = (leaf: unknown) => ({ name: 'balance.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(leaf)) });
const state = (app: App, name: string) => app.page.getByText(app.t(`proof.owed.states.${name}`), { exact: true });
const more = (text: string) => `${parseInt(text, 10) + 1}${text.slice(text.indexOf('.'))}`;

/** Checks again, and opens the result for USDT. If ten minutes of the day end just now, the sums are signed within a minute. */
async function details(app: App): Promise<void> {
  const open = app.page.getByRole('button', { name: `${app.t('proof.owed.details')}, USDT` });
  await expect(async () => {
    await app.button('proof.owed.find').click();
    await expect(open).toBeVisible({ timeout: 20_000 });
  }).toPass({ timeout: 120_000 });
  await open.click();
}

test('liabilities: a member finds their balance in what the venue owes, also after it moved; what was changed turns red', async ({ app, server }) => {
  const member = await buyer(app, server);
  const leaf = await cut(server, member);
  await app.open('settings/proof');
  await expect(app.text('proof.owed.honest')).toBeVisible();
  await details(app);
  await expect(app.sheet.getByRole('status')).toContainText(app.t('proof.owed.good'));
  await expect(app.sheet.getByText(app.t('proof.owed.steps.balance'))).toBeVisible();
  await app.sound('a balance that was found');
  await app.picture('liabilities-found');
  const saved = app.page.waitForEvent('download');
  await app.button('proof.receipt.save').click();
  const path = await (await saved).path();
  await app.button('ui.done').click();
  await expect(app.sheet).toHaveCount(0);
  await expect(state(app, 'good').first()).toBeVisible();
  await app.page.getByText('USDT', { exact: true }).filter({ visible: true }).first().click();
  await app.sound('what the venue owes');
  await app.picture('liabilities');

  // Money that moved since is in the statement, so the balance is found all the same.
  await app.fund(member, 'USDT', '5', 'change');
  await details(app);
  await expect(app.sheet.getByRole('status')).toContainText(app.t('proof.owed.good'));
  await app.dismiss();

  // The saved file is checked offline.
  await app.page.context().setOffline(true);
  const choose = (document: unknown) => app.page.locator('input[type=file]').setInputFiles(file(document));
  const kept = JSON.parse(readFileSync(path, 'utf8')) as Leaf;
  expect(kept.balance).toBe(leaf.balance);
  await choose(kept);
  await expect(app.sheet.getByRole('status')).toContainText(app.t('proof.owed.good'));
  await app.dismiss();
  await choose({ ...kept, balance: more(kept.balance) });
  await expect(app.sheet.getByText(app.t('proof.reasons.leaf'))).toBeVisible();
  await app.dismiss();
  await app.page.context().setOffline(false);

  // What a venue could try.
  const nearest = (one: Leaf, change: (step: Leaf['path'][number]) => object) => ({ ...one, path: one.path.map((step, at) => (at ? step : { ...step, ...change(step) })) });
  const tries: [string, (leaf: Leaf) => unknown][] = [
    ['proof.reasons.leaf', (one) => ({ ...one, balance: more(one.balance) })],
    ['proof.reasons.sum', (one) => nearest(one, ({ sum }) => ({ sum: more(sum) }))],
    ['proof.reasons.root', (one) => nearest(one, ({ hash }) => ({ hash: hash.replaceAll(/[0-9]/g, 'a') }))],
    ['proof.owed.noLeaf', (one) => nearest(one, ({ sum }) => ({ sum: `-${sum}` }))],
  ];
  for (const [reason, change] of tries) {
    await instead(app, change);
    await details(app);
    await expect(app.sheet.getByText(app.t(reason))).toBeVisible();
    await app.dismiss();
    await app.page.unrouteAll({ behavior: 'wait' });
  }
  await app.page.route(LEAF, (route) => route.fulfill({ json: { type: 'error', code: 0, message: 'No', data: { error: 'E_NOT_FOUND' } } }));
  await details(app);
  await expect(app.sheet.getByText(/leave it out/)).toBeVisible();
  await app.sound('a balance that was left out');
  await app.picture('liabilities-missing');
  await app.dismiss();
  await app.page.unrouteAll({ behavior: 'wait' });

  const binary = resolve(process.env.MERIDIAN_BIN ?? '../target/debug/meridian');
  const verify = (name: string) => spawnSync(binary, ['verify', '--leaf', name], { encoding: 'utf8' });
  expect(verify(path)).toMatchObject({ status: 0, stdout: expect.stringContaining('green') as unknown as string });
  writeFileSync(`${path}.altered`, JSON.stringify({ ...kept, balance: more(kept.balance) }));
  expect(verify(`${path}.altered`)).toMatchObject({ status: 1, stdout: expect.stringContaining('RED  leaf') as unknown as string });
});

test('liabilities: a guest reads the sums, the cut before, and of a gap', async ({ app, server }) => {
  const member = await app.member();
  await app.fund(member, 'USDT', '50');
  await cut(server, member);
  // Half an hour in one step: two full ten-minute periods have no cut.
  await pass(server, 1_800_000);
  await cut(server, member);
  await app.open('settings/proof');
  await expect(app.text('proof.owed.guest')).toBeVisible();
  const gap = app.page.getByText(/There’s a gap/);
  await expect(gap).toHaveCount(0);
  await app.button('proof.owed.earlier').click();
  await expect(gap).toBeVisible();
  await app.sound('a gap in the sums');
  await app.button('proof.owed.newest').click();
  await expect(app.text('proof.owed.guest')).toBeVisible();
});
