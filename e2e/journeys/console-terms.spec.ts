import { Console } from '../support/console.ts';
import { operator } from '../support/desk.ts';
import { expect, test } from '../support/test.ts';

interface Product {
  id: number;
  currency_name: string;
  day: number;
  interest_rate: string;
  start_ltv: string;
  status: number;
}

const DAY = 86_400_000;
const HOUR = 3_600_000;

test('two people change the terms of loans, list a product and stop it, agree on a plan and on a new coin, and members see it', async ({ app, browser, server }) => {
  const products = () => server.read<Product[]>('user/bossconfig');
  const [mia, moe] = [await Console.open(browser, server), await Console.open(browser, server)];
  await mia.enter('market', 'mia');
  await moe.enter('market', 'moe');
  const propose = async (fields: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(fields)) await mia.dialog.getByLabel(name, { exact: true }).fill(text);
    await mia.dialog.getByLabel('Reason').fill('agreed on Monday');
    await mia.accessible('terms of a loan');
    await mia.press(mia.dialog.getByRole('button', { name: 'Propose the change' }), 'second person');
    await moe.confirmNewest();
  };

  // A new product.
  await mia.go('catalog/loan_product');
  await expect(mia.page.getByRole('heading', { name: 'USDT 7 days' })).toBeVisible();
  const product = mia.page.getByRole('region', { name: 'USDT 7 days' });
  await expect(product).toContainText('CoinUSDT');
  await expect(product).not.toContainText('Coin number');
  await mia.fits('terms of loans');
  await mia.picture('console-loans');
  await mia.button('Propose a loan product').click();
  await mia.dialog.getByLabel('Reason').fill('agreed on Monday');
  await mia.dialog.getByRole('button', { name: 'Propose the change' }).click();
  await expect(mia.dialog).toContainText('Give it a number');
  await mia.dialog.getByLabel('Coin', { exact: true }).selectOption({ label: 'USDT' });
  await mia.picture('console-loan-product');
  const before = await products();
  const id = Math.max(...before.map((one) => one.id)) + 1;
  await propose({ ID: String(id), Days: '60', 'Interest of a day, %': '0.03', 'Smallest loan': '100', 'Largest loan': '5000' });
  const made = (await products()).find((one) => one.id === id);
  expect(made).toMatchObject({ currency_name: 'USDT', day: 60, interest_rate: '0.03', status: 1 });

  // The terms that all of them share.
  await mia.go('catalog/loan_product');
  await mia.button('Propose a change of Shared terms').click();
  await propose({ 'Loan to value at the start, at most, %': '55' });
  expect((await products()).map(({ start_ltv }) => start_ltv)).toEqual((await products()).map(() => '55'));

  // Members are offered the new one, and no longer once it is stopped.
  await app.open('index/jied');
  const cycle = app.page.locator('#loan-cycles').getByRole('button', { name: /60/ });
  await expect(cycle).toBeVisible();
  await mia.go('catalog/loan_product');
  await mia.button('Propose a change of USDT 60 days').click();
  await mia.dialog.getByLabel('Offered').selectOption({ label: 'No' });
  await propose({});
  expect((await products()).find((one) => one.id === id)?.status ?? 0).toBe(0);
  await app.reload();
  await expect(app.page.locator('#loan-cycles').getByRole('button').first()).toBeVisible();
  await expect(cycle).toHaveCount(0);

  // One operator stops all of it at once; the other products continue.
  await mia.go('catalog/loan_product');
  for (const [what, on] of [
    ['Pause opening', 0],
    ['Resume opening', 1],
  ] as const) {
    await mia.button('Pause or resume').click();
    await mia.dialog.getByLabel('Product').selectOption({ label: 'Loans' });
    await mia.dialog.getByLabel('What').selectOption({ label: what });
    await mia.dialog.getByRole('textbox', { name: 'Reason' }).fill('a look at the collateral');
    await mia.press(mia.dialog.getByRole('button', { name: what }), on ? 'Resumed' : 'Paused');
    const { products: switches } = await server.read<{ products: { product: string; on: number }[] }>('app/config');
    expect(switches.find(({ product }) => product === 'loan')?.on).toBe(on);
  }

  // A new plan is agreed on, and members are offered it.
  await mia.go('catalog/plan');
  await mia.button('Propose a plan').click();
  await mia.dialog.getByLabel('Coin', { exact: true }).selectOption({ label: 'USDT' });
  const terms = { ID: '900', Days: '21', 'Yield of a day, %': '0.2', 'Damages for each day left, %': '0.4', 'Smallest amount': '100', 'Largest amount': '5000' };
  await propose(terms);
  const plan = async () => (await server.read<{ id: number; day: number; day_percent: string }[]>('lh/deposit/config', { limit: '100' })).find(({ id: one }) => one === 900);
  expect(await plan()).toMatchObject({ currency_name: 'USDT', day: 21, day_percent: '0.2', save_max: '5000.000000' });
  await app.open('finance/index');
  await app.reload();
  await expect(app.page.getByRole('link', { name: /USDT, 21 days/ })).toBeVisible();
  await mia.go('catalog/plan');
  await mia.button('Propose a change of USDT 21 d').click();
  await mia.dialog.getByLabel('Offered').selectOption({ label: 'No' });
  await propose({});
  await app.reload();
  await expect(app.page.getByRole('link', { name: /USDT, 15 days/ })).toBeVisible();
  await expect(app.page.getByRole('link', { name: /USDT, 21 days/ })).toHaveCount(0);

  // A new coin, too, listed among those that will open.
  const { server_time_ms: now } = await server.read<{ server_time_ms: number }>('app/config');
  await mia.go('catalog/offering');
  await mia.button('Propose an offering').click();
  // Dates are typed as date and time in UTC, whatever the zone of the console is.
  const opens = Math.floor(now / DAY) * DAY + 100 * DAY + 9.5 * HOUR;
  const minute = (ms: number) => new Date(ms).toISOString().slice(0, 16);
  await propose({ Code: 'TERRA', 'Offered coins': '1000', Price: '0.25', 'Opens, UTC': minute(opens), 'Closes, UTC': minute(opens + 10 * DAY), 'Launched at the earliest, UTC': minute(opens + 11 * DAY) });
  const coin = (await server.read<{ id: number; new_currency_name: string }[]>('lh/send/config')).find(({ new_currency_name: name }) => name === 'TERRA');
  expect(coin).toMatchObject({ change_rate: '0.2500', num: '1000.00000000', send_start_ms: opens, send_end_ms: opens + 10 * DAY });
  await mia.go('catalog/offering');
  await expect(mia.page.getByRole('region', { name: 'TERRA' })).toContainText(`${minute(opens).replace('T', ' ')}:00 UTC`);
  await app.open('publication/index', 'tab=upcoming');
  await app.page.getByRole('link', { name: /TERRA/ }).click();
  await expect(app.text('coins.issued', { price: '0.2500\u00a0USDT' })).toBeVisible();
  await expect(app.text('coins.whitePaper')).toHaveCount(0);

  // Two operators also agree on the address of its white paper. Members see whose page that is, and it opens beside the app.
  await mia.go('catalog/white_paper');
  await mia.button('Propose a white paper').click();
  await mia.dialog.getByLabel('New coin', { exact: true }).selectOption({ label: 'TERRA' });
  await propose({ 'Address, https': 'https://terra.example/paper.pdf' });
  await expect(mia.page.getByRole('heading', { name: 'TERRA' })).toBeVisible();
  await app.reload();
  const paper = app.page.getByRole('link', { name: 'terra.example', exact: true });
  await expect(app.text('coins.whitePaperNote')).toBeVisible();
  expect(await Promise.all(['href', 'target', 'rel'].map((name) => paper.getAttribute(name)))).toEqual(['https://terra.example/paper.pdf', '_blank', 'noopener noreferrer']);
  await app.sound('a new coin with a white paper');
  await app.picture('coin-paper');

  // Later loans in this sandbox have the earlier terms again.
  const [one, two] = [await operator(server, 'market', 'mia'), await operator(server, 'market', 'moe')];
  const rows = await server.read<{ id: number; values: Record<string, unknown> }[]>('/operator/api/catalog', { kind: 'loan_product' }, one);
  const values = JSON.stringify({ ...rows.find((row) => row.id === 0)?.values, start_ltv: '60' });
  const { id: proposal, hash } = await server.call<{ id: number; hash: string }>('/operator/api/catalog/propose', { kind: 'loan_product', id: '0', values, reason: 'as before' }, one);
  await server.call('/operator/api/proposal/confirm', { id: String(proposal), hash }, two);
  await mia.close();
  await moe.close();
});

test('the terms of options and contracts stand in the catalog and can be proposed', async ({ browser, server }) => {
  const mia = await Console.open(browser, server);
  await mia.enter('market', 'mia');
  for (const kind of ['option_duration', 'contract']) {
    await mia.go(`catalog/${kind}`);
    const change = mia.page.getByRole('button', { name: /^Propose a change of / });
    await expect(change.first()).toBeVisible();
    await mia.fits(`terms of ${kind}`);
    await mia.accessible(`terms of ${kind}`);
    await change.first().click();
    await expect(mia.dialog.getByRole('button', { name: 'Propose the change' })).toBeVisible();
    await mia.accessible(`a change of ${kind}`);
    await mia.page.keyboard.press('Escape');
    await expect(mia.dialog).toHaveCount(0);
  }
  await mia.close();
});
