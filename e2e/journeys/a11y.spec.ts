import { ROUTES } from '../support/routes.ts';
import { expect, test } from '../support/test.ts';

test('the table of routes is read', () => {
  expect(ROUTES).toContain('index/index');
});

for (const path of ROUTES) {
  test(`${path} has no fault for a guest or a member, in the dark or the light theme`, async ({ app }) => {
    await app.open(path);
    await app.accessible(`${path} of a guest`);
    await app.fits(`${path} of a guest`);
    const member = await app.member();
    await app.fund(member, 'USDT', '1000');
    await app.signIn(member);
    await app.open(path);
    await app.accessible(`${path} of a member`);
    await app.fits(`${path} of a member`);
    await app.page.evaluate(() => localStorage.setItem('meridian.appearance', JSON.stringify({ theme: 'light' })));
    await app.reload();
    await app.accessible(`${path} in light`);
    await app.page.setViewportSize({ width: 320, height: 640 });
    await app.fits(`${path} on a narrow screen`);
  });
}

test('the tab bar and the menu work with the keyboard alone', async ({ app }) => {
  const { page } = app;
  await app.open();
  const menu = app.button('home.menu');
  await menu.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Tab');
    expect(await dialog.evaluate((node) => node.contains(document.activeElement) || document.activeElement === document.body)).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(menu).toBeFocused();

  const tab = page.getByRole('navigation', { name: app.t('app.tabs') }).getByRole('link', { name: app.t('tab.trade') });
  for (let step = 0; step < 60 && !(await tab.evaluate((node) => node === document.activeElement)); step++) await page.keyboard.press('Tab');
  await expect(tab).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/pages\/trade\/index/);
});
