import { expect, test } from '../support/test.ts';

/** Links and accounts follow what this server offers. */

const ABSENT = ['options.absent', 'explain.contract.absent', 'explain.plan.absent', 'products.coin.absent', 'loans.absent', 'convert.absent'];
/** Accounts in the app's order, with the product that they belong to. */
const ACCOUNTS = [
  ['lever', 'contract'],
  ['trust', 'plan'],
  ['micro', 'option'],
] as const;

test('no tab, no entry and no switch leads to a product that is not there', async ({ app, server }) => {
  const { page } = app;
  const member = await app.member();
  await app.fund(member, 'USDT', '1000');
  await app.signIn(member);
  const found = new Set<string>();
  const collect = async () => {
    for (const href of await page.locator('a[href^="#/pages/"]').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))) found.add(href);
  };
  for (const path of ['index/index', 'trade/index', 'assets/index']) {
    await app.open(path);
    await collect();
  }
  await app.button('menu.open').click();
  await expect(app.sheet.getByRole('link', { name: app.t('menu.help') })).toBeVisible();
  await collect();
  await app.dismiss();
  const { products } = await server.read<{ products: { product: string }[] }>('app/config');
  const offered = new Set(products.map(({ product }) => product));
  expect(found).toContain('#/pages/index/index');
  const absent = new RegExp(ABSENT.map((key) => app.t(key)).join('|'));
  const pages = new Set([...found].map((href) => href.slice('#/pages/'.length).split('?')[0] ?? ''));
  for (const path of pages) {
    await app.open(path);
    await expect(page.locator('main').filter({ visible: true }).first(), path).not.toContainText(absent);
  }

  // A transfer's target is an account of an offered product, or none that the person did not choose.
  await app.open('assets/transfer/index');
  const to = page.getByLabel(app.t('transfer.to'), { exact: true });
  const [first] = ACCOUNTS.find(([, product]) => offered.has(product)) ?? [];
  await expect(to).toHaveText(first ? app.t(`account.${first}`) : '—');
  await app.accessible('a transfer whose account is not chosen yet');
});
