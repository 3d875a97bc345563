import { LANGUAGES } from '../support/app.ts';
import { expect, test } from '../support/test.ts';

const PAGES = ['index/index', 'trade/index', 'assets/index', 'settings/index'];

test('there are eleven languages', () => {
  expect(LANGUAGES).toHaveLength(11);
});

for (const code of LANGUAGES) {
  test(`the main pages in ${code} are whole and fit a narrow screen`, async ({ app }) => {
    await app.page.setViewportSize({ width: 320, height: 640 });
    const member = await app.member();
    await app.fund(member, 'USDT', '12345.678901');
    await app.language(code);
    await app.signIn(member);
    for (const path of PAGES) {
      await app.open(path);
      await app.fits(`${path} in ${code}`);
      await app.accessible(`${path} in ${code}`);
      await app.picture(`${code}-${path.replace('/', '-')}`);
    }
    await expect(app.page.getByRole('navigation', { name: app.t('app.tabs') }).or(app.page.getByRole('main')).first()).toBeVisible();
  });
}
