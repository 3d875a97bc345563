import { ROUTES } from '../support/routes.ts';
import { expect, test } from '../support/test.ts';

// Free workers take the tests one by one.
test.describe.configure({ mode: 'parallel' });

test('the table of routes is read', () => {
  expect(ROUTES).toContainEqual({ path: 'index/index', login: false });
  expect(ROUTES).toContainEqual({ path: 'assets/transfer/index', login: true });
});

/** The tests split the pages into this many shares; each needs one server and one member. */
const SHARES = 6;

for (let share = 0; share < SHARES; share++) {
  const routes = ROUTES.filter((_, index) => index % SHARES === share);
  test(`no page has a fault for a guest or a member, in the dark or the light theme (${share + 1} of ${SHARES})`, async ({ app }) => {
    const { page } = app;
    const entrances = routes.filter(({ path }) => path.startsWith('user/login/'));
    const pages = routes.filter((route) => !entrances.includes(route));
    for (const { path, login } of routes) {
      await app.open(path);
      if (login) await expect(page).toHaveURL(/user\/login\/login\?.*backpage=/);
      else {
        await app.accessible(`${path} of a guest`);
        await app.fits(`${path} of a guest`);
      }
    }
    await app.theme('light');
    for (const { path } of entrances) {
      await app.open(path);
      await app.accessible(`${path} in light`);
    }
    await app.theme('dark');
    const member = await app.member();
    await app.fund(member, 'USDT', '1000');
    await app.signIn(member);
    for (const { path } of pages) {
      await app.open(path);
      await app.accessible(`${path} of a member`);
      await app.fits(`${path} of a member`);
    }
    await app.theme('light');
    for (const { path } of pages) {
      await app.open(path);
      await app.accessible(`${path} in light`);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    for (const { path } of pages) {
      await app.open(path);
      await app.fits(`${path} on a narrow screen`);
    }
  });
}

test('the tab bar and the menu work with the keyboard alone', async ({ app }) => {
  const { page } = app;
  await app.open();
  const menu = app.button('menu.open');
  await menu.focus();
  await page.keyboard.press('Enter');
  await expect(app.sheet).toBeVisible();
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Tab');
    expect(await app.sheet.evaluate((node) => node.contains(document.activeElement) || document.activeElement === document.body)).toBe(true);
  }
  await app.dismiss();
  await expect(menu).toBeFocused();

  const tab = app.tab('tab.trade');
  for (let step = 0; step < 60 && !(await tab.evaluate((node) => node === document.activeElement)); step++) await page.keyboard.press('Tab');
  await expect(tab).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/pages\/trade\/index/);
});

test('a sheet takes the focus to its title, keeps it, and gives it back', async ({ app }) => {
  const { page } = app;
  await app.open('trade/kline', 'symbol=BTC/USDT');
  await app.settled();
  const trigger = app.button('trade.kind.limit');
  await trigger.focus();
  await page.keyboard.press('Enter');
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.typeTitle') })).toBeFocused();
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Tab');
    expect(await app.sheet.evaluate((node) => node.contains(document.activeElement) || document.activeElement === document.body)).toBe(true);
  }
  await app.sheet.getByRole('radio', { name: app.t('trade.kind.market') }).focus();
  await page.keyboard.press('Space');
  await expect(app.sheet.getByRole('radio', { name: app.t('trade.kind.market') })).toBeChecked();
  await app.dismiss();
  await expect(app.button('trade.kind.market')).toBeFocused();
  // The device's back button closes a sheet, too, and stays on the page.
  await page.keyboard.press('Enter');
  await expect(app.sheet).toBeVisible();
  await page.goBack();
  await expect(app.sheet).toHaveCount(0);
  await expect(page).toHaveURL(/trade\/kline/);
});
