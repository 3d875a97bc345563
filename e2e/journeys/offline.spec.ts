import { chunkOf } from '../support/build.ts';
import type { App } from '../support/app.ts';
import { expect, test } from '../support/test.ts';

/** The strip that the app shows without a connection. */
const strip = (app: App) => app.page.getByRole('status').filter({ hasText: app.t('app.offlineShort').replace('.', '') });

/** Cuts the connection until the app has noticed, then restores it. */
async function interrupt(app: App): Promise<void> {
  await app.page.context().setOffline(true);
  await expect(strip(app)).toBeVisible();
  await app.page.context().setOffline(false);
}

test('without a connection the app says so, keeps what it knows, and comes back by itself', async ({ app }) => {
  const { page } = app;
  await app.open();
  const pair = page.getByRole('link', { name: /BTC\s*\/\s*USDT/ });
  await expect(pair).toBeVisible();
  await page.context().setOffline(true);
  const banner = strip(app);
  await expect(banner).toBeVisible();
  await expect(pair).toBeVisible();
  await app.accessible('home without a connection');
  await page.context().setOffline(false);
  await expect(banner).toBeHidden();
});

test('rows stay without a connection, dimmed and with their time', async ({ app }) => {
  const { page } = app;
  const member = await app.member();
  await app.fund(member, 'USDT', '1000');
  await app.signIn(member);
  await app.open('assets/index');
  await app.settled();
  const time = page.getByText(/^As of \d\d:\d\d:\d\d$/);
  const total = page.locator('main').filter({ visible: true }).getByText('1,000').first();
  const colour = () => total.evaluate((element) => getComputedStyle(element).color);
  await expect(time).toHaveCount(0);
  const bright = await colour();
  await page.context().setOffline(true);
  await expect(time).toBeVisible();
  await expect.poll(colour).not.toBe(bright);
  await app.accessible('assets without a connection');
  await app.fits('assets without a connection');
  await app.picture('assets-offline');
  await page.context().setOffline(false);
  await expect(time).toHaveCount(0);
  await expect.poll(colour).toBe(bright);
});

test('nothing is sent without a connection, and the form waits', async ({ app, server }) => {
  const { page } = app;
  const member = await app.member();
  await app.fund(member, 'USDT', '1000');
  await app.signIn(member);
  await app.open('assets/transfer/index');
  await app.settled();
  await app.field('transfer.amount').fill('5');
  await page.context().setOffline(true);
  await expect(app.button('transfer.needsConnection')).toBeVisible();
  await app.accessible('transfer without a connection');
  await page.context().setOffline(false);
  await expect(app.field('transfer.amount')).toHaveValue(/^5(\.00)?$/);
  expect(await server.read<{ data: unknown[] }>('wallet/hzhistory', {}, member.token)).toMatchObject({ data: [] });
  await app.open('trade/kline', 'symbol=BTC/USDT');
  await app.settled();
  await page.context().setOffline(true);
  await expect(app.button('trade.reason.offline')).toBeVisible();
  await app.accessible('trade without a connection');
  await page.context().setOffline(false);
  await expect(app.button('trade.reason.offline')).toHaveCount(0);
});

test('a page that cannot be loaded says so and can be tried again', async ({ app }) => {
  const { page } = app;
  // The code of the live connection loads after the page is drawn; wait for it.
  const live = page.waitForEvent('websocket');
  await app.open();
  await live;
  await page.context().setOffline(true);
  await page.evaluate(() => {
    location.hash = '/pages/settings/index';
  });
  await expect(app.text('app.chunk')).toBeVisible();
  await app.accessible('a page that did not load');
  await app.button('ui.tryAgain').click();
  await expect(app.text('app.chunk')).toBeVisible();
  await page.context().setOffline(false);
  // It may also return by itself with the connection.
  await expect(async () => {
    if (await app.button('ui.tryAgain').isVisible()) await app.button('ui.tryAgain').click({ timeout: 1_000 });
    await expect(page.getByRole('heading', { name: app.t('settings.title'), exact: true })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 120_000 });
});

for (const [what, ...modules] of [['words', '/en.json.later'], ['words and its code', '/en.json.later', '/notices/Notices']] as const) {
  test(`a page beside the daily ones comes whole when its ${what} did not come at first`, async ({ app }) => {
    const { page } = app;
    for (const module of modules) await page.route(`**/${chunkOf(module)}`, (route) => route.abort());
    await app.open('notice/index');
    await expect(app.text('app.chunk')).toBeVisible();
    await page.unrouteAll();
    // A reload would bring it as well; here the page itself does.
    await page.evaluate(() => Object.assign(window, { same: true }));
    await app.button('ui.tryAgain').click();
    await expect(page.getByRole('heading', { name: app.t('notices.title'), exact: true })).toBeVisible();
    await app.fits(`messages after their ${what}`);
    expect(await page.evaluate(() => 'same' in window)).toBe(true);
  });
}

test('what could not be read is read by itself when the line is back', async ({ app }) => {
  const { page } = app;
  const list = '**/api/news/list**';
  await page.route(list, (route) => route.abort());
  await app.open('notice/index');
  await expect(app.text('notices.error')).toBeVisible();
  await page.unroute(list);
  await interrupt(app);
  await expect(app.text('notices.error')).toHaveCount(0);
  await app.settled();
});

test('live prices start with the connection when their code did not come at first', async ({ app }) => {
  const { page } = app;
  const chunk = `**/${chunkOf('/socket.io-client/')}`;
  await page.route(chunk, (route) => route.abort());
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes(chunkOf('/socket.io-client/')));
  await app.open();
  await failed;
  const row = page.getByRole('link', { name: /BTC\s*\/\s*USDT/ });
  await expect(row).toContainText(app.t('ui.notLive'));
  await page.unroute(chunk);
  await interrupt(app);
  await expect(row).not.toContainText(app.t('ui.notLive'));
});
