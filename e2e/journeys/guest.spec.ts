import { expect, test } from '../support/test.ts';

test('a guest sees prices, is told that it is a sandbox, and is invited to an account', async ({ app }) => {
  const { page } = app;
  await app.open();
  await expect(page.getByText(app.t('app.sandbox'))).toBeVisible();
  await expect(page.getByText(app.t('home.guestTitle'))).toBeVisible();
  await expect(app.button('ui.logIn').first()).toBeVisible();
  await app.accessible('home of a guest');
  await app.picture('guest-home');
});

test('an address that does not exist says so and leads home', async ({ app }) => {
  const { page } = app;
  await app.open('no/such/page');
  await expect(page.getByText(app.t('app.notFound'))).toBeVisible();
  await page.getByRole('link', { name: app.t('app.goHome') }).or(app.button('app.goHome')).first().click();
  await expect(page.getByText(app.t('home.guestTitle'))).toBeVisible();
});

test('back on the first page stays in the app', async ({ app }) => {
  const { page } = app;
  await app.open();
  await app.button('home.menu').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByText(app.t('home.guestTitle'))).toBeVisible();
});
