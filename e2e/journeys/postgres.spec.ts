import { App } from '../support/app.ts';
import { Postgres } from '../support/postgres.ts';
import { Server } from '../support/server.ts';
import { expect, test as base } from '../support/test.ts';

/** The same app with a server whose journal, people and history are in PostgreSQL. */
const test = base.extend<object, { server: Server }>({
  server: [
    async ({}, use) => {
      const postgres = await Postgres.start();
      const server = await Server.start({ args: ['--database', postgres.url] });
      await use(server);
      await server.stop();
      await postgres.stop();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

async function history(app: App): Promise<void> {
  await app.open('index/orderlist');
  const rows = app.page.locator('main section li');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(app.t('trade.state.completed'));
}

test('on PostgreSQL a person buys, and finds it again after the server was killed', async ({ app, server }) => {
  const { page } = app;
  const member = await app.member();
  await app.pin('BTC/USDT', '60000');
  await app.fund(member, 'USDT', '1000');
  await app.signIn(member);
  await app.open('trade/kline', 'symbol=BTC/USDT');
  await expect(app.button('trade.usePrice', { price: app.number('60000', 1) })).toBeVisible();
  await app.button('trade.kind.limit').click();
  await app.sheet.getByRole('radio', { name: app.t('trade.kind.market') }).click();
  await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
  await app.field('trade.spend').fill('600');
  await app.button('trade.reviewBuy').click();
  await app.sheet.getByRole('button', { name: app.t('trade.order.buyFor', { base: 'BTC', amount: `${app.number('600', 2)}\u00a0USDT` }) }).click();
  await expect(app.sheet.getByText(app.t('trade.state.completed'), { exact: true })).toBeVisible();
  await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
  const wallets = () => server.call<object>('wallet/list', { currency_name: 'BTC' }, member.token);
  const before = JSON.stringify(await wallets()).match(/"change_balance":"[^"]+"/)?.[0];
  expect(before).toMatch(/0\.00[89]/);
  await history(app);

  await server.kill();
  await server.run();
  await page.reload();
  await history(app);
  expect(JSON.stringify(await wallets())).toContain(before);
  await app.release('BTC/USDT');
});
