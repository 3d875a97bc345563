import { expect } from '@playwright/test';
import { ready } from '../support/desk.ts';
import { type Offering, readRisks, test, until } from '../support/wealth.ts';

const USDT = '\u00a0USDT';
const DAY = 86_400_000;

test('new coins: a release in parts is told before the payment', async ({ app }) => {
  const { page, server } = app;
  const aurum = (await server.read<Offering[]>('lh/send/config')).find(({ release }) => release.length > 1);
  if (!aurum) throw new Error('the sandbox has no coin that is released in parts');
  const launch = Math.floor(aurum.online_time_ms / DAY) * DAY;
  const date = (days: number) => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(launch + days * DAY);
  await until(server, aurum.send_start_ms);

  await app.open('publication/details', `id=${aurum.id}`);
  await expect(app.text('coins.lockedParts', { first: 30, last: 120 })).toBeVisible();
  await expect(app.text('coins.risk', { date: date(30) })).toBeVisible();
  for (const { day } of aurum.release) await expect(page.locator('dl > div').filter({ hasText: date(day) })).toHaveText(`${date(day)}25%`);
  await app.sound('a coin that is released in parts');
  await app.picture('coin-parts');

  const member = await ready(app, server);
  await readRisks(app, [member]);
  await app.signIn(member);
  await app.open('publication/purchase', `id=${aurum.id}`);
  await app.field('coins.amount').fill('100');
  await page.getByRole('checkbox', { name: app.t('coins.tickParts', { first: date(30), last: date(120) }) }).check({ force: true });
  await app.button('plans.review', { amount: `100.00${USDT}` }).click();
  await expect(app.sheet.locator('dl > div').filter({ hasText: app.t('coins.releases') })).toContainText(`${date(30)} – ${date(120)}`);
  await app.sound('the review of a coin that is released in parts');
  await app.picture('coin-parts-review');
});

test('new coins: guests see the coins and log in to subscribe', async ({ app }) => {
  await app.open('publication/index');
  await app.sound('new coins for guests');
  await app.page.getByRole('link', { name: /NOVA/ }).click();
  await app.button('coins.subscribe').click();
  await app.button('ui.logIn').click();
  await expect(app.page).toHaveURL(/user\/login/);
});
