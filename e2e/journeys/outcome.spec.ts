import { readFileSync } from 'node:fs';
import { App, type Member } from '../support/app.ts';
import { FUND_PASSWORD, ready, storeAddress } from '../support/desk.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

const DAY = 86_400_000;

/** Amounts that were moved between own accounts. */
const transfers = async (server: Server, member: Member) => (await server.read<{ data: { value: string }[] }>('wallet/hzhistory', {}, member.token)).data.map(({ value }) => value);
const withdrawals = async (server: Server, member: Member) => (await server.read<{ data: { number: string }[] }>('charge_mention/log3', {}, member.token)).data.map(({ number }) => number);

/** Cuts the answers to these calls; the first request arrives or not. Records the keys that came, by session. */
async function cut(app: App, calls: readonly string[], arrives: boolean) {
  const came: { call: string; key: string; token: string }[] = [];
  const matches = (url: URL) => calls.some((call) => url.pathname === `/api/${call}`);
  let lost = true;
  await app.page.route(matches, async (route) => {
    const request = route.request();
    const headers = await request.allHeaders();
    const call = new URL(request.url()).pathname.slice('/api/'.length);
    const key = call === 'user/outcome' ? new URLSearchParams(request.postData() ?? '').get('key') : headers['idempotency-key'];
    came.push({ call, key: key ?? '', token: headers.authorization ?? '' });
    if (!lost) return route.continue();
    if (came.length === 1 && arrives) await route.fetch();
    return route.abort();
  });
  return {
    came,
    /** Restores the connection. */
    mend: () => {
      lost = false;
      came.length = 0;
    },
  };
}

/** Opens a page whose form may be locked, and which therefore never settles. */
const visit = (app: App, path: string) => app.page.evaluate((hash) => void (location.hash = hash), `/pages/${path}`);

const strip = (app: App, key: string, kind: string) => app.page.getByRole('status').filter({ hasText: app.t(key, { what: app.t(`pending.kind.${kind}`) }) });

/** A member whose transfer of 5 USDT is being sent. */
async function transfer(app: App): Promise<Member> {
  const member = await app.member();
  await app.fund(member, 'USDT', '100');
  await app.signIn(member);
  await app.open('assets/transfer/index', 'to=micro');
  await app.field('transfer.amount').fill('5');
  await app.button('transfer.submit', { amount: '5.00\u00a0USDT' }).click();
  return member;
}

for (const arrives of [false, true]) {
  test(`outcome: what one account sent is never sent by another that logged in meanwhile; it had ${arrives ? '' : 'not '}arrived`, async ({ app, server }) => {
    const { page } = app;
    const bob = await app.member();
    await app.fund(bob, 'USDT', '100');
    const line = await cut(app, ['wallet/change'], arrives);
    const ann = await transfer(app);
    await expect.poll(() => line.came.length).toBeGreaterThan(0);
    // Another member logs in, in another tab of the same browser: this tab becomes theirs too.
    const second = new App(await page.context().newPage(), server);
    await second.signIn(bob);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('meridian.session') ?? '')).toContain(bob.token);
    // The form contains nothing of the previous member.
    await expect(app.field('transfer.amount')).toHaveValue('');
    await expect(app.button('transfer.needAmount')).toBeVisible();
    line.mend();
    // Longer than the app retries at once, and than its next attempt.
    await page.waitForTimeout(14_000);
    expect(line.came).toEqual([]);
    await expect(strip(app, 'pending.unknown', 'transfer')).toHaveCount(0);
    expect(await transfers(server, bob)).toEqual([]);
    await expect(app.field('transfer.amount')).toHaveValue('');
    await expect(app.button('transfer.needAmount')).toBeVisible();

    // The first member comes back with a new session and reads the outcome.
    await second.signIn({ ...ann, token: await server.call<string>('user/login', { user_string: ann.email, password: ann.password }) });
    await expect(strip(app, arrives ? 'pending.done' : 'pending.refused', 'transfer')).toBeVisible();
    expect(line.came).toEqual([]);
    expect(await transfers(server, ann)).toHaveLength(arrives ? 1 : 0);
    expect(await transfers(server, bob)).toEqual([]);
  });
}

test('outcome: one that is not known yet is said on every page and locks its form, until it is known and booked once', async ({ app, server }) => {
  const { page } = app;
  const line = await cut(app, ['wallet/change'], true);
  const member = await transfer(app);
  await expect(strip(app, 'pending.unknown', 'transfer')).toBeVisible();
  await app.open('assets/index');
  await expect(strip(app, 'pending.unknown', 'transfer')).toBeVisible();
  await app.sound('an outcome that is not known yet');
  await app.picture('outcome-unknown');
  await visit(app, 'assets/transfer/index?to=micro');
  // The form is back, empty and locked.
  await expect(page.getByText(app.t('transfer.unknown', { key: line.came[0]?.key.slice(0, 8) ?? '' }))).toBeVisible();
  await expect(app.field('transfer.amount')).toHaveValue('');
  await app.field('transfer.amount').fill('5');
  await page.getByRole('contentinfo').getByRole('button').click({ force: true });
  await app.picture('outcome-locked');
  line.mend();
  await expect(strip(app, 'pending.done', 'transfer')).toBeVisible();
  await expect(app.button('transfer.submit', { amount: '5.00\u00a0USDT' })).toBeEnabled();
  await app.sound('an outcome that became known');
  await app.picture('outcome-done');
  expect(await transfers(server, member)).toHaveLength(1);
  await page.getByRole('link', { name: app.t('pending.view'), exact: true }).click();
  await expect(page.getByRole('heading', { name: app.t('transfer.record'), exact: true })).toBeVisible();
  await expect(strip(app, 'pending.done', 'transfer')).toHaveCount(0);
});

test('outcome: a strip whose code did not come ahead comes when it is needed, in the same document', async ({ app, server }) => {
  const { page } = app;
  const manifest = JSON.parse(readFileSync(new URL('../../web/dist/.vite/manifest.json', import.meta.url), 'utf8')) as Record<string, { file: string; css?: string[] }>;
  const { file, css } = manifest['src/app/PendingStrip.tsx'] ?? { file: '' };
  // Styles that failed once are never fetched again without a reload.
  expect(css).toBeUndefined();
  const code = (url: URL) => url.pathname.endsWith(file);
  await page.route(code, (route) => route.abort());
  const missed = page.waitForEvent('requestfailed', { predicate: (request) => code(new URL(request.url())), timeout: 120_000 });
  const line = await cut(app, ['wallet/change'], true);
  const member = await transfer(app);
  await missed;
  await page.evaluate(() => Object.assign(window, { same: true }));
  await page.unroute(code);
  await expect(strip(app, 'pending.unknown', 'transfer')).toBeVisible();
  line.mend();
  // The form that sent it says itself that it went through.
  await expect(strip(app, 'pending.unknown', 'transfer')).toHaveCount(0);
  expect(await page.evaluate(() => 'same' in window)).toBe(true);
  expect(await transfers(server, member)).toHaveLength(1);
});

for (const arrives of [true, false]) {
  test(`outcome: a reload asks for it by its key alone; the withdrawal had ${arrives ? '' : 'not '}arrived`, async ({ app, server }) => {
    const { page } = app;
    const member = await ready(app, server);
    await storeAddress(server, member);
    await server.call('/sandbox/clock', { advance_ms: String(8 * DAY) });
    await app.signIn(member);
    const line = await cut(app, ['wallet/out', 'user/outcome'], arrives);
    await app.open('assets/withdraw/index');
    await app.field('assets.amount').fill('200');
    await app.field('funding.fundPassword').fill(FUND_PASSWORD);
    await app.button('withdraw.review').click();
    await app.button('withdraw.submit', { amount: '200.00\u00a0USDT' }).click();
    await expect.poll(() => line.came.length).toBeGreaterThan(0);
    const key = line.came[0]?.key;
    await page.reload();
    await expect(strip(app, 'pending.unknown', 'withdrawal')).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(FUND_PASSWORD);
    await expect(page.getByText(app.t('transfer.unknown', { key: key?.slice(0, 8) ?? '' }))).toBeVisible();
    await expect(page.getByRole('contentinfo').getByRole('button')).toHaveAttribute('aria-disabled', 'true');
    line.mend();
    await expect(strip(app, arrives ? 'pending.done' : 'pending.refused', 'withdrawal')).toBeVisible();
    // The outcome was asked for, and the write never sent again.
    expect([...new Set(line.came.map((one) => `${one.call} ${one.key}`))]).toEqual([`user/outcome ${key}`]);
    expect(await withdrawals(server, member)).toHaveLength(arrives ? 1 : 0);
    // The form accepts another one.
    await app.settled();
    await expect(app.button('assets.needAmount')).toBeVisible();
    await app.accessible('a withdrawal that became known');
    await app.picture(`outcome-${arrives ? 'done' : 'refused'}-after-reload`);
  });
}

test('outcome: one that is asked for closes the review that waited for it, and nothing is sent twice', async ({ app, server }) => {
  const { page } = app;
  const member = await ready(app, server);
  await storeAddress(server, member);
  await server.call('/sandbox/clock', { advance_ms: String(8 * DAY) });
  await app.signIn(member);
  const line = await cut(app, ['wallet/out', 'user/outcome'], true);
  await app.open('assets/withdraw/index');
  await app.field('assets.amount').fill('200');
  await app.field('funding.fundPassword').fill(FUND_PASSWORD);
  await app.button('withdraw.review').click();
  await app.button('withdraw.submit', { amount: '200.00\u00a0USDT' }).click();
  await expect(app.sheet.getByText(app.t('transfer.unknown', { key: line.came[0]?.key.slice(0, 8) ?? '' }))).toBeVisible();
  // The phone was in a pocket: what was sent so long ago is asked for, and not sent again.
  await page.evaluate((slept) => {
    const now = Date.now;
    Date.now = () => now() + slept;
  }, 11 * 60_000);
  const key = line.came[0]?.key;
  line.mend();
  await expect(strip(app, 'pending.done', 'withdrawal')).toBeVisible();
  await expect(app.sheet).toHaveCount(0);
  await expect(app.field('funding.fundPassword')).toHaveValue('');
  await app.sound('a review that was closed by an outcome');
  expect([...new Set(line.came.map((one) => `${one.call} ${one.key}`))]).toEqual([`user/outcome ${key}`]);
  expect(await withdrawals(server, member)).toHaveLength(1);
});
