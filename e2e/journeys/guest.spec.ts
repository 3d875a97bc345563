import { expect, test } from '../support/test.ts';

test('a guest sees prices, is told that it is a sandbox, and is invited to an account', async ({ app }) => {
  const { page } = app;
  await app.open();
  await expect(app.text('app.sandbox')).toBeVisible();
  await expect(app.text('home.guestTitle')).toBeVisible();
  await expect(app.button('ui.logIn')).toBeVisible();
  await expect(app.button('ui.createAccount')).toBeVisible();
  await expect(page.getByRole('link', { name: /BTC\s*\/\s*USDT/ })).toBeVisible();
  await app.accessible('home of a guest');
});

test('a guest looks at a market, its book and its trades', async ({ app }) => {
  const { page } = app;
  await app.pin('ETH/USDT', '3000');
  await app.open('trade/index');
  await app.settled();
  await page.getByLabel(app.t('markets.search')).fill('eth');
  await expect(page.getByRole('link', { name: /BTC\s*\/\s*USDT/ })).toHaveCount(0);
  await page.getByRole('link', { name: /ETH\s*\/\s*USDT/ }).click();
  await app.settled();
  await expect(app.button('trade.reason.guest')).toBeVisible();
  // The price follows the market until the person chooses one.
  await expect(app.field('trade.price')).toHaveValue('3,000.00');
  await app.pin('ETH/USDT', '3010');
  await expect(app.field('trade.price')).toHaveValue('3,010.00');
  const book = page.getByRole('list', { name: app.t('trade.bookBids') });
  // The house has moved its orders to the new price.
  await expect(book.getByRole('button').first()).toContainText(/3,0(09|10)\./);
  const best = await book.getByRole('button').first().locator('span').first().innerText();
  await book.getByRole('button').first().click();
  await expect(app.field('trade.price')).toHaveValue(best);
  await app.pin('ETH/USDT', '3000');
  await expect(app.page.getByRole('button', { name: app.t('trade.usePrice', { price: '3,000.00' }), exact: true })).toBeVisible();
  await expect(app.field('trade.price')).toHaveValue(best);
  await app.button('trade.trades').click();
  await app.accessible('trades of a market');
  await app.release('ETH/USDT');
});

test('each page has a title of its own, a tab keeps its place from the first visit on, and choices are reached with arrows', async ({ app }) => {
  const { page } = app;
  const name = app.t('app.name');
  await page.setViewportSize({ width: 390, height: 420 });
  await app.open();
  await expect(page).toHaveTitle(name);
  const place = () => page.evaluate(() => [...document.querySelectorAll('[data-scroll]')].find((one) => one.clientHeight > 0)?.scrollTop ?? -1);
  await app.tab('tab.trade').click();
  await expect(page).toHaveTitle(`${app.t('tab.trade')} \u00b7 ${name}`);
  await expect(page.getByRole('link', { name: /ETH\s*\/\s*USDT/ })).toBeVisible();
  await page.evaluate(() => [...document.querySelectorAll('[data-scroll]')].find((one) => one.clientHeight > 0)?.scrollTo(0, 60));
  expect(await place()).toBe(60);
  await page.getByRole('link', { name: /ETH\s*\/\s*USDT/ }).click();
  await expect(page).toHaveTitle(`ETH/USDT \u00b7 ${name}`);

  await page.getByRole('button', { name: 'ETH/USDT', exact: true }).click();
  const chosen = app.sheet.getByRole('radio', { name: 'ETH/USDT' });
  await expect(chosen).toHaveAttribute('tabindex', '0');
  await expect(app.sheet.locator('[role="radio"][tabindex="0"]')).toHaveCount(1);
  await chosen.focus();
  await page.keyboard.press('ArrowUp');
  await expect(app.sheet.getByRole('radio', { name: 'BTC/USDT' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle(`BTC/USDT \u00b7 ${name}`);
  await app.open('trade/index');
  await expect(page).toHaveTitle(`${app.t('tab.trade')} \u00b7 ${name}`);
  await expect.poll(place).toBe(60);
});

test('pages of products that a server has not say so honestly', async ({ app }) => {
  await app.withhold('plan', 'subscription');
  for (const [path, key, worst = 'explain.loseMost'] of [
    ['finance/buyPage', 'explain.plan.absent', 'explain.plan.lose'],
    ['publication/details', 'products.coin.absent'],
  ]) {
    await app.open(path);
    await expect(app.text(key ?? '')).toBeVisible();
    await expect(app.text(worst)).toBeVisible();
  }
});

test('plans, new coins and loans stand beside one another', async ({ app }) => {
  const { page } = app;
  await app.open('finance/index');
  for (const [half, path, text] of [
    ['explain.newCoins', 'publication/index', 'coins.noteTitle'],
    ['menu.loans', 'index/jied', 'menu.loans'],
    ['tab.plans', 'finance/index', 'plans.noteTitle'],
  ] as const) {
    await app.button(half).click();
    await expect(page).toHaveURL(new RegExp(`#/pages/${path}$`));
    await expect(app.text(text).first()).toBeVisible();
    await expect(app.tab('tab.plans')).toHaveAttribute('aria-current', 'page');
    await app.picture(`half-${path.replaceAll('/', '-')}`);
  }
});

test('an address that does not exist says so and leads home', async ({ app }) => {
  await app.open('no/such/page');
  await expect(app.text('app.notFound')).toBeVisible();
  await app.link('app.goHome').click();
  await expect(app.text('home.guestTitle')).toBeVisible();
});

test('back closes the menu and stays on the page', async ({ app }) => {
  const { page } = app;
  await app.open();
  await app.button('menu.open').click();
  await expect(app.sheet.getByRole('link', { name: app.t('help.chat') })).toBeVisible();
  await page.goBack();
  await expect(app.sheet).toHaveCount(0);
  await expect(app.text('home.guestTitle')).toBeVisible();
});

test('a sheet that opens the moment another one closed stays open', async ({ app }) => {
  const { page } = app;
  await app.open();
  await app.button('menu.open').click();
  for (let round = 0; round < 20; round++) {
    await expect(app.sheet).toBeVisible();
    await app.button('menu.open').evaluate(async (button: HTMLElement) => {
      const sheet = document.querySelector('dialog[open]') as HTMLDialogElement;
      sheet.dispatchEvent(new Event('cancel', { cancelable: true }));
      while (sheet.open) await new Promise((done) => setTimeout(done));
      button.click();
      // The step back that removed the first one from the history comes a little later.
      await new Promise((done) => setTimeout(done, 60));
    });
  }
  // The last of them is in the history.
  await page.waitForFunction(() => (history.state as { layer?: number }).layer === 21);
  await expect(app.sheet).toBeVisible();
  await page.goBack();
  await expect(app.sheet).toHaveCount(0);
  await expect(app.text('home.guestTitle')).toBeVisible();
});
