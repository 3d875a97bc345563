import type { Page } from '@playwright/test';
import { LANGUAGES } from '../support/catalogue.ts';
import { test, walk } from '../support/life.ts';
import { ROUTES } from '../support/routes.ts';
import { expect } from '../support/test.ts';

// Free workers take the tests one by one. Each visits all pages, which takes long beside other work.
test.describe.configure({ mode: 'parallel', timeout: 600_000 });

/**
 * Pages whose texts and colours are checked more closely in every language. Each language checks a share of the others; English checks the
 * colours of all of them in `a11y.spec.ts`.
 */
const MAIN = ['user/login/login', 'index/index', 'trade/index', 'trade/kline', 'assets/index', 'settings/index', 'index/jied'];
const TABS = ['tab.home', 'tab.trade', 'tab.option', 'tab.plans', 'tab.assets'];

/** Languages that break lines between any two letters. */
const UNSPACED = ['zh', 'hk', 'jp', 'th'];

/** Labels below icons of actions and tabs that wrap without a hyphen. */
const torn = (page: Page) =>
  page.locator('nav a').evaluateAll((links) =>
    links.flatMap((link) =>
      [...link.childNodes].flatMap((node) =>
        [...(node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '').matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          return range.getClientRects().length > 1 ? [word] : [];
        }),
      ),
    ),
  );

test('there are eleven languages', () => {
  expect(LANGUAGES).toHaveLength(11);
});

for (const [at, code] of LANGUAGES.entries()) {
  test(`every page in ${code} is whole and fits a narrow screen`, async ({ app, life }) => {
    const { page } = app;
    await page.setViewportSize({ width: 320, height: 640 });
    await app.language(code);
    let seen = 0;
    await walk(app, life, async (path) => {
      seen += 1;
      await app.fits(`${path} in ${code}`);
      await app.accessible(`${path} in ${code}`, MAIN.includes(path) || seen % LANGUAGES.length === at);
      if (!MAIN.includes(path)) return;
      if (!UNSPACED.includes(code)) await expect.poll(() => torn(page), `words torn apart on ${path} in ${code}`).toEqual([]);
      await app.picture(`${code}-${path.replaceAll('/', '-')}`);
    });
    expect(seen).toBe(ROUTES.length);
    // The choice outlives the visit, because the session was opened by reloading the app. All five tabs are shown where all products are
    // offered.
    await app.open();
    await app.reload();
    for (const key of TABS) {
      expect([...app.t(key)].length, `letters of ${key} in ${code}`).toBeLessThanOrEqual(10);
      const tab = app.tab(key);
      await expect(tab).toBeVisible();
      await expect.poll(() => tab.evaluate((node) => node.scrollWidth <= node.clientWidth), `${key} in ${code} fits its tab`).toBe(true);
    }
  });
}
