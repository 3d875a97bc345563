import { App } from '../support/app.ts';
import { lotsField } from '../support/contracts.ts';
import { ready } from '../support/desk.ts';
import { dock } from '../support/options.ts';
import { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

/** Real venues, all unreachable: there is no listener on this port. */
const AWAY = ['binance', 'coinbase', 'kraken', 'okx', 'bybit'].map((venue) => `${venue}=ws://127.0.0.1:9`).join(',');

test('a server that never had a price says so on every screen, and nothing can be opened', async ({ page }) => {
  test.setTimeout(300_000);
  const server = await Server.start({ args: ['--market', 'live', '--venue-address', AWAY] });
  try {
    const app = new App(page, server);
    const member = await ready(app, server);
    for (const account of ['micro', 'lever']) await app.fund(member, 'USDT', '100', account);
    await app.signIn(member);
    const { id } = await server.read<{ id: number }>('user/center', {}, member.token);
    await page.evaluate((user) => localStorage.setItem('meridian.firstUse', JSON.stringify({ seen: [`${user} option 1`, `${user} contract 1`] })), id);
    await app.reload();
    const waiting = app.t('trade.reason.stale');
    const shown = page.locator('main').filter({ visible: true });

    await test.step('options', async () => {
      await app.open('option/detail');
      await expect(page.getByRole('status').filter({ hasText: waiting, visible: true })).toBeVisible();
      await expect(dock(app, 'options.up')).toHaveAttribute('aria-disabled', 'true');
      await expect(app.text('options.none')).toBeVisible();
      await expect(shown).not.toContainText('%');
      await app.sound('options without a price');
      await app.picture('option-no-price');
    });
    await test.step('contracts', async () => {
      await app.open('lever/index');
      await app.button('contracts.openLong').click();
      await lotsField(app).fill('2');
      await expect(app.sheet.getByRole('button', { name: app.t('contracts.reason.stale'), exact: true })).toBeVisible();
      await app.dismiss();
    });
    await test.step('a pair', async () => {
      await app.open('trade/kline', 'symbol=BTC%2FUSDT');
      await expect(app.field('trade.price')).toHaveValue('');
      await expect(page.getByRole('region', { name: app.t('trade.priceOf', { symbol: 'BTC/USDT' }) })).not.toContainText('0.00');
      await expect(page.getByRole('button', { name: app.t('trade.usePrice', { price: '—' }) })).toBeDisabled();
      await expect(app.button('trade.reason.empty_price')).toBeVisible();
    });
    await test.step('the list', async () => {
      await app.open('trade/index');
      await expect(shown.getByText(waiting)).toBeVisible();
    });
    expect(app.complaints, 'what the browser complained about').toEqual([]);
  } catch (error) {
    console.log(server.log);
    throw error;
  } finally {
    await server.stop();
  }
});
