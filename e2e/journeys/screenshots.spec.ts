import { join } from 'node:path';
import type { App } from '../support/app.ts';
import { Console, submitBasic } from '../support/console.ts';
import { card, open as openContract, readRisk } from '../support/contracts.ts';
import { ready, storeAddress } from '../support/desk.ts';
import { check as checkOption, read as readOptionRisk } from '../support/options.ts';
import { expect, test } from '../support/test.ts';

const folder = process.env.MERIDIAN_SCREENSHOTS ?? '';

async function picture(app: App, name: string): Promise<void> {
  await app.settled();
  await app.page.evaluate(() => document.fonts.ready);
  await app.page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}

/** The pictures of README.md, from a sandbox with activity. Made by `make screenshots`, not by the test run. */
test('pictures', async ({ app, server }) => {
  const { page } = app;
  const member = await app.member();
  await app.fund(member, 'USDT', '25000');
  await app.fund(member, 'BTC', '0.4');
  await app.fund(member, 'ETH', '6');
  await server.call('wallet/change', { currency_id: '3', number: '4000', from_field: 'change', to_field: 'trust' }, member.token);
  // Trades of other members, so that the market has volume.
  const trader = await app.member();
  await app.fund(trader, 'USDT', '90000');
  for (const funds of ['1200', '3400', '800', '2100', '950']) {
    for (const currency_id of ['1', '2']) {
      await server.call('coin/trade', { legal_id: '3', currency_id, type: '1', order_type: 'market', funds }, trader.token);
    }
  }
  await app.signIn(member);
  await app.open();
  await expect(page.getByRole('link', { name: /BTC\s*\/\s*USDT/ })).toBeVisible();
  await picture(app, 'home');
  await app.open('trade/kline', 'symbol=BTC/USDT');
  await app.settled();
  await app.field('trade.amount').fill('0.05');
  await expect(page.locator('canvas').first()).toBeVisible();
  await expect(app.button('trade.reviewBuy')).toBeVisible();
  await picture(app, 'trade');
  await app.button('trade.reviewBuy').click();
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.check') })).toBeVisible();
  await picture(app, 'confirm');
  await page.keyboard.press('Escape');
  await app.open('assets/index');
  await expect(app.text('assets.coins')).toBeVisible();
  await picture(app, 'assets');
  await app.open('settings/language/language');
  await picture(app, 'language');
});

test('pictures of money in and out, and of the desk', async ({ app, browser, server }) => {
  const member = await ready(app, server);
  await storeAddress(server, member);
  await server.call('/sandbox/clock', { advance_ms: '86400000' });
  await app.signIn(member);
  await app.open('assets/deposit/charge', 'coin=3');
  await picture(app, 'deposit');
  await app.open('assets/withdraw/index', 'coin=3');
  await app.settled();
  await app.field('assets.amount').fill('300');
  await picture(app, 'withdraw');

  await submitBasic(server, await app.member());
  const desk = await Console.open(browser, server, { width: 1440, height: 900 });
  await desk.enter('verifier', 'vera');
  await desk.openCase('identity', await desk.newest('identity'));
  await desk.page.screenshot({ path: join(folder, 'console.png'), animations: 'disabled' });
  await desk.close();
});

test('pictures of the products', async ({ app, server }) => {
  const { page } = app;
  const member = await ready(app, server);
  for (const account of ['change', 'micro', 'lever', 'trust']) await app.fund(member, 'USDT', '5000', account);
  await app.signIn(member);

  await readOptionRisk(app, server, member);
  // The live line begins with the server: some minutes of it.
  test.setTimeout(600_000);
  await page.waitForTimeout(240_000);
  await checkOption(app, 'options.up', '100');
  await app.sheet.getByRole('button', { name: /^Buy/ }).click();
  await app.button('ui.done').click();
  await expect(page.getByRole('timer')).toBeVisible();
  await page.waitForTimeout(20_000);
  await picture(app, 'option');
  // It ends by itself, at prices of the living market, and its receipt waits for the sample after the end.
  await page.waitForTimeout(45_000);
  await page.getByRole('button', { name: app.t('options.settled'), exact: true }).click();
  await page.getByRole('link', { name: /BTC\/USDT/ }).filter({ visible: true }).first().click();
  await app.button('options.how').click();
  await expect(app.sheet.getByRole('heading', { name: app.t('options.how') })).toBeVisible();
  await picture(app, 'settled');
  await app.dismiss();

  await readRisk(app, server, member);
  await app.open('lever/index');
  await openContract(app, 'long', { lots: '20', multiple: '10' });
  await expect(card(app)).toBeVisible();
  await picture(app, 'contract');

  await app.tab('tab.plans').click();
  await page.getByRole('link', { name: /USDT, 15 days/ }).click();
  await app.field('plans.amount').fill('1000');
  await page.getByRole('textbox', { name: app.t('plans.leaveOn') }).fill('5');
  await page.getByRole('slider').focus();
  await picture(app, 'plan');

  await app.open('assets/flashpair');
  await page.getByRole('textbox', { name: app.t('convert.amount') }).fill('1000');
  await app.button('convert.review').click();
  await expect(app.sheet.getByRole('timer')).toBeVisible();
  await picture(app, 'convert');
  await app.dismiss();

  await app.open('settings/proof');
  await app.settled();
  await picture(app, 'check');
});
