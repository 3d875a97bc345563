import type { Page } from '@playwright/test';
import { LANGUAGES } from '../support/app.ts';
import { expect, test } from '../support/test.ts';

// A worker takes one after the other as it comes free.
test.describe.configure({ mode: 'parallel' });

const PAGES = ['index/index', 'trade/index', 'trade/kline', 'assets/index', 'settings/index', 'index/jied'];
const TABS = ['tab.home', 'tab.trade', 'tab.option', 'tab.plans', 'tab.assets'];

/** Languages that break a line between any two letters. */
const UNSPACED = ['zh', 'hk', 'jp', 'th'];

/** Words below the icons of actions and tabs that go on in the next line without a hyphen. */
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

for (const code of LANGUAGES) {
  test(`the main pages in ${code} are whole and fit a narrow screen`, async ({ app }) => {
    const { page } = app;
    await page.setViewportSize({ width: 320, height: 640 });
    await app.language(code);
    await app.open('user/login/login');
    await app.fits(`login in ${code}`);
    await app.accessible(`login in ${code}`);
    const member = await app.member();
    await app.fund(member, 'USDT', '12345.678901');
    await app.signIn(member);
    for (const path of PAGES) {
      await app.open(path);
      await app.settled();
      await app.fits(`${path} in ${code}`);
      await app.accessible(`${path} in ${code}`);
      if (!UNSPACED.includes(code)) expect(await torn(page), `words torn apart on ${path} in ${code}`).toEqual([]);
      await app.picture(`${code}-${path.replace('/', '-')}`);
    }
    // The choice outlives the visit: the session was opened by loading the app anew. All five tabs stand where all products do.
    await app.open();
    await app.reload();
    for (const key of TABS) {
      expect([...app.t(key)].length, `letters of ${key} in ${code}`).toBeLessThanOrEqual(10);
      const tab = app.tab(key);
      await expect(tab).toBeVisible();
      expect(await tab.evaluate((node) => node.scrollWidth <= node.clientWidth), `${key} in ${code} fits its tab`).toBe(true);
    }
  });
}
