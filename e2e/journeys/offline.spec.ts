import { expect, test } from '../support/test.ts';

test('without a connection the app says so, keeps what it knows, and comes back by itself', async ({ app }) => {
  const { page } = app;
  await app.open();
  const pair = page.getByText('BTC', { exact: false }).first();
  await expect(pair).toBeVisible();
  await page.context().setOffline(true);
  const banner = page.getByRole('status').filter({ hasText: app.t('app.offlineShort').replace('.', '') });
  await expect(banner).toBeVisible();
  await expect(pair).toBeVisible();
  await app.accessible('home without a connection');
  await page.context().setOffline(false);
  await expect(banner).toBeHidden();
});

test('a page that cannot be loaded says so and can be tried again', async ({ app }) => {
  const { page } = app;
  await app.open();
  await page.context().setOffline(true);
  await page.evaluate(() => {
    location.hash = '/pages/settings/index';
  });
  await expect(page.getByText(app.t('app.chunk'))).toBeVisible();
  await page.context().setOffline(false);
  await app.button('ui.tryAgain').or(app.button('app.reload')).first().click();
  await expect(page.getByText(app.t('app.chunk'))).toBeHidden();
});
