import type { App } from '../support/app.ts';
import { LANGUAGES } from '../support/catalogue.ts';
import { expect, test } from '../support/test.ts';
import { mostAbove } from '../support/worst.ts';

// Free workers take the tests one by one.
test.describe.configure({ mode: 'parallel' });

interface Order {
  id: number;
  status: number;
  filled_amount: string;
  filled_value: string;
  avg_price: string | null;
  fee: string;
  frozen: string;
}

/** The number of USDT in the catalogue of coins. */
const USDT = 3;
const NARROW = /[\u00a0\u202f]/g;
/** Languages use different spaces in numbers; the figure is the same. */
const plain = (text: string) => text.replace(NARROW, ' ').replace(/\s+/g, ' ');

/** Reads the session that the app stores. */
const token = (app: App) => app.page.evaluate(() => (JSON.parse(localStorage.getItem('meridian.session') ?? '{}') as { token: string }).token);

/** Presses the review button, and then, below the most that is spent, the one that places the order; the sheet then shows its receipt. */
async function place(app: App, review: string, commit: string, most: string): Promise<void> {
  await app.button(review).click();
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.check') })).toBeVisible();
  await app.accessible('confirm sheet');
  const button = app.sheet.getByRole('button', { name: commit });
  await mostAbove(app, review === 'trade.reviewSell' ? 'trade.give' : 'trade.payAtMost', most, button);
  await button.click();
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.receipt'), exact: true })).toBeVisible();
  await expect(app.sheet.getByText(app.t('trade.number'))).toBeVisible();
}

test.afterEach(({ app }) => app.release('BTC/USDT'));

for (const code of ['en', 'deyu']) {
  test(`a person registers, gets paper money, buys, cancels, sells, moves money and leaves, in ${code}`, async ({ app, server }) => {
    test.skip(!LANGUAGES.includes(code), 'this language has no catalogue');
    const { page } = app;
    const email = `trader.${code}.${Date.now()}@example.org`;
    const password = 'a long pass word 7';
    await app.pin('BTC/USDT', '60000');
    await app.open();
    if (code !== 'en') await app.language(code);
    const orders = async () => server.read<Order[]>('coin/list', {}, await token(app));

    await test.step('register by e-mail with the code that the sandbox shows', async () => {
      await app.open();
      await app.button('ui.createAccount').click();
      await page.getByRole('link', { name: app.t('auth.emailText') }).click();
      await app.field('auth.email').fill(email);
      await app.accessible('register, first step');
      await app.button('auth.sendCode').click();
      await expect(app.text('auth.codeSecret')).toBeVisible();
      await app.accessible('register, second step');
      await app.enterCode();
      await app.field('auth.password').fill(password);
      await app.field('auth.repeat').fill('something else');
      await app.field('auth.repeat').blur();
      await expect(page.getByRole('alert').filter({ hasText: app.t('auth.mismatch') })).toBeVisible();
      await app.field('auth.repeat').fill(password);
      await page.getByText(app.t('auth.agree')).click();
      await app.accessible('register, third step');
      await app.button('ui.createAccount').click();
      await expect(app.text('home.total')).toBeVisible();
      await app.accessible('home of a new member');
    });

    await test.step('paper money', async () => {
      await app.link('home.paperMoney').first().click();
      await app.field('assets.amount').fill(app.number('10000', 0));
      await app.field('assets.amount').blur();
      await app.accessible('paper money');
      await page.getByRole('button', { name: app.t('assets.getAmount', { amount: `${app.number('10000', 2)}\u00a0USDT` }) }).click();
      await expect(app.text('assets.paperDone', { amount: `${app.number('10000', 2)}\u00a0USDT` })).toBeVisible();
      await app.accessible('receipt of paper money');
      await app.link('ui.done').click();
      await expect(page.locator('main').filter({ visible: true })).toContainText(app.number('10000', 2));
    });

    await test.step('a market buy fills at once', async () => {
      await app.tab('tab.trade').click();
      await page.getByRole('link', { name: /BTC\s*\/\s*USDT/ }).click();
      await app.settled();
      await expect(app.button('trade.usePrice', { price: app.number('60000', 1) })).toBeVisible();
      await app.accessible('chart and order');
      await app.button('trade.kind.limit').click();
      await app.sheet.getByRole('radio', { name: app.t('trade.kind.market') }).click();
      await app.accessible('order types');
      await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
      await app.field('trade.spend').fill('600');
      await place(app, 'trade.reviewBuy', app.t('trade.order.buyFor', { base: 'BTC', amount: `${app.number('600', 2)}\u00a0USDT` }), `${app.number('600', 2)}\u00a0USDT`);
      await expect(app.sheet.getByText(app.t('trade.state.completed'), { exact: true })).toBeVisible();
      await app.accessible('receipt of a market buy');
      const [order] = await orders();
      expect(order).toMatchObject({ status: 2, avg_price: expect.stringMatching(/^600\d\d\.\d+$/) });
      // The receipt shows what the server booked.
      const receipt = async () => plain(await app.sheet.innerText());
      await expect.poll(receipt).toContain(`${app.number(order?.filled_amount ?? '', 4)} BTC`);
      await expect.poll(receipt).toContain(app.number(order?.avg_price ?? '', 1));
      await expect.poll(receipt).toContain(`${app.number(order?.fee ?? '', 4)} BTC`);
      await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
    });

    const openOrders = page.getByRole('region', { name: app.t('orders.open') });
    await test.step('a limit buy rests and is cancelled', async () => {
      await app.button('trade.kind.market').click();
      await app.sheet.getByRole('radio', { name: app.t('trade.kind.limit') }).first().click();
      await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
      await app.field('trade.price').fill('59000');
      const size = app.field('trade.amount');
      // Either decimal mark is understood, and an invalid amount stays as it was typed.
      for (const typed of ['0.005', '0,005']) {
        await size.fill(typed);
        await size.blur();
        await expect(size).toHaveValue(app.number('0.005', 2));
      }
      await size.fill('1e3');
      await size.blur();
      await expect(size).toHaveValue('1e3');
      await size.fill(app.number('0.01', 2));
      await place(app, 'trade.reviewBuy', app.t('trade.order.buy', { amount: `${app.number('0.01', 4)}\u00a0BTC` }), `${app.number('590', 2)}\u00a0USDT`);
      await expect(app.sheet.getByText(app.t('trade.state.open'), { exact: true })).toBeVisible();
      // It still shows the cost, as in the review.
      await expect(app.sheet.locator('dl > div').filter({ hasText: app.t('trade.payAtMost') })).toContainText(`${app.number('590', 2)}\u00a0USDT`);
      await expect(app.sheet.getByText(app.t('trade.feeRounded', { rate: code === 'en' ? '0.10%' : '0,10\u00a0%' }))).toBeVisible();
      await app.sound('receipt of a waiting order');
      await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
      const toggle = openOrders.getByRole('button', { name: app.t('orders.open') });
      await expect(toggle).toContainText('1');
      await toggle.click();
      await app.accessible('open orders');
      const waiting = (await orders())[0];
      expect(waiting).toMatchObject({ status: 1 });
      expect(Number(waiting?.frozen)).toBeGreaterThanOrEqual(590);
      await app.press(openOrders.getByRole('button', { name: app.t('orders.cancelOf', { number: String(waiting?.id), pair: 'BTC/USDT' }) }), app.t('trade.state.cancelled'));
      await expect(app.text('orders.noneOpen')).toBeVisible();
      expect((await orders())[0]).toMatchObject({ id: waiting?.id, status: 3, frozen: expect.stringMatching(/^0\.0+$/) });
    });

    await test.step('a limit buy rests and fills when the market comes to it', async () => {
      await app.field('trade.price').fill('59000');
      await app.field('trade.amount').fill(app.number('0.01', 2));
      await place(app, 'trade.reviewBuy', app.t('trade.order.buy', { amount: `${app.number('0.01', 4)}\u00a0BTC` }), `${app.number('590', 2)}\u00a0USDT`);
      await expect(app.sheet.getByText(app.t('trade.state.open'), { exact: true })).toBeVisible();
      // The market falls below the price: a seller there gives the buyer the price of the order.
      await server.call('/sandbox/price', { symbol: 'BTC/USDT', price: '58000' });
      await expect(app.sheet.getByText(app.t('trade.state.completed'), { exact: true })).toBeVisible();
      expect((await orders())[0]).toMatchObject({ status: 2, avg_price: '59000.0' });
      await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
      await expect(app.text('orders.noneOpen')).toBeVisible();
    });

    await test.step('everything bought is sold', async () => {
      await app.button('trade.sell').click();
      await app.button('trade.kind.limit').click();
      await app.sheet.getByRole('radio', { name: app.t('trade.kind.market') }).click();
      await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
      await app.field('trade.amount').fill(app.number('0.015', 2));
      await place(app, 'trade.reviewSell', app.t('trade.order.sell', { amount: `${app.number('0.015', 4)}\u00a0BTC` }), `${app.number('0.015', 4)}\u00a0BTC`);
      await expect(app.sheet.getByText(app.t('trade.state.completed'), { exact: true })).toBeVisible();
      const [order] = await orders();
      await expect.poll(async () => plain(await app.sheet.innerText())).toContain(app.number(/^\d+\.\d\d/.exec(order?.filled_value ?? '')?.[0] ?? '', 2));
      await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
    });

    await test.step('a transfer arrives at once', async () => {
      await app.open('assets/transfer/index', 'to=micro');
      await app.settled();
      await app.field('transfer.amount').fill('100');
      await app.field('transfer.amount').blur();
      await app.accessible('transfer');
      await page.getByRole('button', { name: app.t('transfer.submit', { amount: `${app.number('100', 2)}\u00a0USDT` }) }).click();
      await expect(app.text('transfer.done', { amount: `${app.number('100', 2)}\u00a0USDT`, account: app.t('account.micro') })).toBeVisible();
      await app.accessible('receipt of a transfer');
      const wallet = await server.call<{ micro_wallet: { balance: { currency: number; balance: string }[] } }>('wallet/list', {}, await token(app));
      expect(wallet.micro_wallet.balance.find((row) => row.currency === USDT)?.balance).toMatch(/^100\.0+$/);
    });

    await test.step('all of it is in the history', async () => {
      await app.open('assets/transfer/record');
      await expect(app.text('transfer.path', { from: app.t('account.change'), to: app.t('account.micro') })).toBeVisible();
      await app.open('index/orderlist');
      const rows = page.locator('main section li');
      await expect(rows).toHaveCount(4);
      await expect(rows.filter({ hasText: app.t('trade.state.completed') })).toHaveCount(3);
      await expect(rows.filter({ hasText: app.t('trade.state.cancelled') })).toHaveCount(1);
      await app.accessible('history of orders');
      await rows.first().getByRole('button').first().click();
      await expect(app.sheet.getByText(app.t('trade.number'))).toBeVisible();
      await app.accessible('an order of the history');
      await app.dismiss();
      await app.open('assets/tradeAccount');
      await expect(app.text('assets.log.trade')).toBeVisible();
      // One line per order, with what it held and gave back in the details.
      const event = page.locator('main details').filter({ hasText: app.t('assets.log.trade') }).last();
      await expect(event.getByText(app.t('assets.log.hold')).first()).toBeHidden();
      await event.locator('summary').click();
      await expect(event.getByText(app.t('assets.log.hold')).first()).toBeVisible();
      await app.accessible('changes of an account');
      await app.picture('account-log');
    });

    await test.step('log out', async () => {
      await app.open();
      await app.button('menu.open').click();
      await app.sheet.getByRole('button', { name: app.t('menu.logOut') }).click();
      await expect(app.text('home.guestTitle')).toBeVisible();
      await app.tab('tab.assets').click();
      await expect(app.text('assets.guestTitle')).toBeVisible();
      await app.accessible('assets of a guest');
    });
  });
}
