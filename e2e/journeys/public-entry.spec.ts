import type { App } from '../support/app.ts';
import { advance } from '../support/clock.ts';
import { positions } from '../support/contracts.ts';
import { buyer, settle, SYMBOL } from '../support/options.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

interface Entry {
  seq: number;
  hash: string;
  prev: string;
  bytes: string;
}
const entryOf = async (server: Server, seq: number): Promise<Entry> => {
  const [entry] = await server.read<Entry[]>('proof/entries', { from: String(seq), limit: '1' });
  if (!entry) throw new Error(`the log has no entry ${seq}`);
  return entry;
};
const heading = (app: App) => app.page.getByRole('heading', { name: app.t('journal.entry.title'), exact: true });
const verdict = (app: App) => app.page.getByRole('status').filter({ visible: true });
const step = (app: App, name: string) => app.page.getByRole('listitem').filter({ hasText: app.t(`journal.entry.steps.${name}`) });

/** The page of a public entry that was read from the log and matches the receipt. */
async function isOfReceipt(app: App, { seq, hash, prev }: Entry, kind: string): Promise<void> {
  await expect(app.page).toHaveURL(new RegExp(`settings/proof/entry\\?seq=${seq}&hash=${hash}$`));
  await expect(heading(app)).toBeVisible();
  await expect(verdict(app).filter({ hasText: app.t('proof.receipt.good') })).toBeVisible();
  await expect(step(app, 'receipt')).toBeVisible();
  await expect(step(app, 'head')).toContainText(/In the log signed at entry \d+, /);
  await expect(app.text(`journal.kinds.${kind}`)).toBeVisible();
  for (const text of [hash, prev]) await expect(app.page.getByText(text, { exact: true }).filter({ visible: true })).toBeVisible();
}

/** A venue's answer that shows another entry than it signed. */
async function alter(app: App, change: (entry: Entry) => void): Promise<void> {
  await app.page.route('**/api/proof/entries*', async (route) => {
    // The check of the head reads the first entry.
    if (new URL(route.request().url()).searchParams.get('from') === '1') return route.fallback();
    const answer = await route.fetch();
    const body = (await answer.json()) as { message: Entry[] };
    body.message.forEach(change);
    await route.fulfill({ response: answer, json: body });
  });
}

test('public log: from the receipt of an option to its entry, which the app reads from the log itself', async ({ app, server }) => {
  await app.pin(SYMBOL, '100000');
  const member = await buyer(app, server);
  const { id } = await server.call<{ id: number }>('microtrade/submit', { match_id: '1', currency_id: '3', type: '1', seconds: '60', number: '10' }, member.token);
  await app.pin(SYMBOL, '100010');
  await settle(server, member);
  const receipt = await server.read<{ settle_seq: number; open_sample: { seq: number } }>('microtrade/receipt', { id: String(id) }, member.token);
  await app.open('option/detail', `order=${id}`);
  await app.button('options.how').click();
  await app.sheet.getByRole('link', { name: app.t('options.entryBuy') }).click();
  const bought = await entryOf(server, id);
  await isOfReceipt(app, bought, 'buy_option');
  await expect(app.page.getByRole('definition').filter({ hasText: /^Up$/ })).toBeVisible();
  await expect(app.text('journal.entry.sealed')).toBeVisible();
  await app.sound('the public entry of an option');
  await app.picture('public-entry');

  // Back to the receipt, in one step, and to the entry of the open price.
  await app.page.goBack();
  await expect(app.page.getByRole('heading', { name: app.t('options.receipt') })).toBeVisible();
  await expect(app.sheet).toHaveCount(0);
  await app.button('options.how').click();
  await app.sheet.getByRole('link', { name: new RegExp(`${receipt.open_sample.seq}`) }).first().click();
  await isOfReceipt(app, await entryOf(server, receipt.open_sample.seq), 'sandbox_price');

  // A venue that answers with other bytes, or with another entry that is valid in itself.
  await alter(app, (entry) => (entry.bytes = `${entry.bytes}00`));
  await app.button('proof.again').click();
  await expect(verdict(app).filter({ hasText: app.t('journal.entry.bad') })).toBeVisible();
  await expect(step(app, 'hash')).toContainText(app.t('journal.entry.otherHash', { hash: '' }).trim().replace(/\.$/, ''));
  await app.sound('an entry that was altered');
  await app.picture('public-entry-red');
  await app.page.unrouteAll({ behavior: 'wait' });
  await app.open('settings/proof/entry', `seq=${id}&hash=${bought.prev}`);
  await expect(step(app, 'receipt')).toContainText(app.t('journal.entry.otherReceipt', { hash: bought.prev }));
  await expect(step(app, 'head')).toContainText(/In the log signed at entry/);

  // Offline, loaded data stays and shows its age; the rest is missing.
  await app.page.context().setOffline(true);
  await app.button('proof.again').click();
  await expect(app.text('journal.entry.error')).toBeVisible({ timeout: 30_000 });
  await expect(app.page.getByText(bought.hash, { exact: true }).filter({ visible: true })).toBeVisible();
  await app.open('settings/proof/entry', 'seq=2');
  await expect(app.text('journal.entry.errorText')).toBeVisible({ timeout: 30_000 });
  await app.accessible('an entry without a connection', false);
  await app.page.context().setOffline(false);
});

test('public log: from the receipt of a contract, and from its check, to the entries', async ({ app, server }) => {
  await app.pin(SYMBOL, '100000');
  const member = await buyer(app, server);
  await app.fund(member, 'USDT', '500', 'lever');
  await server.call('lever/submit', { share: '10', multiple: '10', legal_id: '3', currency_id: '1', type: '1' }, member.token);
  const [opened] = await positions(server, member);
  const id = String(opened?.id);
  await server.call('lever/close', { id }, member.token);
  await advance(server, 60_001);
  const receipt = () => server.read<{ open_seq: number; end_seq: number; proof: unknown }>('lever/receipt', { id }, member.token);
  await expect.poll(async () => (await receipt()).proof !== null, { timeout: 90_000 }).toBe(true);
  const { open_seq: asked, end_seq: ended } = await receipt();
  await app.open('lever/index', `order=${id}`);
  await app.button('contracts.howClosed').click();
  await app.sheet.getByRole('link', { name: app.t('contracts.entryEnd') }).click();
  await isOfReceipt(app, await entryOf(server, ended), 'close_contract');
  await app.page.goBack();
  await app.button('proof.receipt.title').click();
  await expect(app.sheet).toContainText(app.t('proof.receipt.good'));
  await app.sheet.getByText(/^Entries of the public log/).click();
  await app.sheet.getByRole('link', { name: app.t('proof.entry', { seq: asked }), exact: true }).click();
  await isOfReceipt(app, await entryOf(server, asked), 'open_contract');
  await app.sound('the public entry of a contract');
});

test('public log: a guest looks an entry up by its number; one that is not there is said to be none', async ({ app, server }) => {
  await app.open('settings/proof');
  const find = app.button('journal.entry.find');
  await find.click();
  await expect(app.text('journal.entry.noNumber')).toBeVisible();
  await app.field('journal.entry.label').fill('1');
  await find.click();
  await expect(app.page).toHaveURL(/settings\/proof\/entry\?seq=1$/);
  const first = await entryOf(server, 1);
  await expect(app.text('journal.kinds.genesis')).toBeVisible();
  await expect(app.page.getByText(first.hash, { exact: true })).toBeVisible();
  await expect(step(app, 'receipt')).toHaveCount(0);
  await expect(app.link('journal.entry.earlier')).toHaveCount(0);
  await app.sound('the first entry');
  await app.link('journal.entry.later').click();
  await expect(app.page.getByText(first.hash, { exact: true })).toBeVisible();
  await expect(app.text('journal.entry.previous')).toBeVisible();
  await app.open('settings/proof/entry', 'seq=999999999');
  await expect(app.text('journal.entry.noneText')).toBeVisible();
  await app.sound('an entry that is not there');
  // The form is below the message about a missing entry.
  await app.field('journal.entry.label').fill('2');
  await find.click();
  await expect(app.page).toHaveURL(/seq=2$/);
  await expect(heading(app)).toBeVisible();
});
