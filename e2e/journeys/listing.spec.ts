import { App } from '../support/app.ts';
import { Console } from '../support/console.ts';
import { hears } from '../support/said.ts';
import { Server } from '../support/server.ts';
import { expect, readBefore, test } from '../support/test.ts';

interface Order {
  symbol: string;
  status: number;
}

/** The sandbox of the other journeys keeps the pairs that they count on. */
test('two operators list a coin and a pair, and a member places an order in it', async ({ browser }) => {
  const server = await Server.start();
  try {
    const [mia, moe] = [await Console.open(browser, server), await Console.open(browser, server)];
    await mia.enter('market', 'mia');
    await moe.enter('market', 'moe');

    await test.step('a coin is proposed, with help for what cannot be', async () => {
      await mia.go('catalog/coin');
      await expect(mia.page.getByRole('region', { name: 'USDT' })).toContainText('Contracts');
      await mia.button('List a coin').click();
      const propose = mia.dialog.getByRole('button', { name: 'Propose the coin' });
      await propose.click();
      await expect(mia.dialog).toContainText('Check Code');
      const code = mia.dialog.getByLabel('Code', { exact: true });
      await code.fill('BTC');
      await expect(mia.dialog).toContainText('BTC is listed already');
      await code.fill('tok');
      await expect(mia.dialog).toContainText('2 to 12 capital letters and digits');
      await mia.accessible('a coin with a bad code');
      await code.fill('TOK');
      await mia.dialog.getByLabel('Decimals').selectOption('6');
      await mia.dialog.getByRole('checkbox', { name: 'Plans' }).press('Space');
      await expect(mia.dialog.getByRole('region', { name: 'In words' })).toContainText('0.000001 TOK');
      await mia.dialog.getByRole('button', { name: 'Members ask for it' }).click();
      await mia.accessible('the listing of a coin');
      await mia.picture('console-list-coin');
      await hears(mia.said('second person'), () => propose.press('Enter'));
    });

    await test.step('the second person reads in words what is signed', async () => {
      await moe.go('proposals');
      await expect(moe.page.getByRole('row', { name: /List the coin TOK/ })).toBeVisible();
      await moe.openNewest();
      await expect(moe.dialog.getByRole('heading', { level: 2 })).toContainText('List the coin TOK');
      await expect(moe.dialog.getByRole('region', { name: 'In words' })).toContainText('Spot, Plans');
      await expect(moe.dialog.getByRole('heading', { name: 'All that is signed' })).toBeVisible();
      await moe.accessible('a listing to be confirmed');
      await moe.picture('console-listing-signed');
      await moe.confirmNewest();
    });

    await test.step('a pair of it is proposed and confirmed', async () => {
      await mia.go('catalog/market');
      await mia.button('List a pair').click();
      const field = (name: string) => mia.dialog.getByLabel(name, { exact: true });
      await field('Traded coin').selectOption('TOK');
      await field('Priced in').selectOption('USDT');
      for (const [name, text] of Object.entries({ 'Price step': '0', 'Quantity step': '0.01', 'Smallest order': '0.01', 'Largest order': '1,000,000', 'Issue price': '0.5' })) await field(name).fill(text);
      await expect(mia.dialog).toContainText('More than 0');
      await field('Price step').fill('0.0001');
      await field('Issue price').fill('0.50005');
      await expect(mia.dialog).toContainText('A multiple of the price step');
      await mia.accessible('a pair with a bad price');
      await field('First price').selectOption('index');
      await expect(mia.dialog.getByRole('checkbox')).toHaveCount(5);
      await mia.accessible('a pair with an index');
      await field('First price').selectOption('issue');
      await field('Issue price').fill('0.5');
      await expect(mia.dialog.getByRole('region', { name: 'In words' })).toContainText('Issue price 0.5 USDT for 1 TOK');
      await mia.dialog.getByRole('button', { name: 'Members ask for it' }).click();
      await mia.accessible('the listing of a pair');
      await mia.picture('console-list-pair');
      await mia.press(mia.dialog.getByRole('button', { name: 'Propose the pair' }), 'second person');
      await moe.confirmNewest();
    });

    await test.step('deposits of the coin are opened by a network', async () => {
      await mia.go('catalog/network');
      await mia.button('Propose a network').click();
      const field = (name: string) => mia.dialog.getByLabel(name, { exact: true });
      for (const [name, text] of Object.entries({ Confirmations: '20', 'Smallest deposit': '1', 'Smallest withdrawal': '3', 'Fee of a withdrawal (bank: %)': '1' })) await field(name).fill(text);
      await field('Reason').fill('a new coin');
      await mia.dialog.getByRole('button', { name: 'Propose the change' }).click();
      await expect(mia.dialog).toContainText('Choose a coin');
      await field('Coin').selectOption('TOK');
      await field('Chain').selectOption('TRC20');
      await mia.accessible('a network of a coin');
      await mia.press(mia.dialog.getByRole('button', { name: 'Propose the change' }), 'second person');
      await moe.confirmNewest();
      const { currencies } = await server.read<{ currencies: { code: string; networks: unknown[] }[] }>('app/config');
      expect(currencies.find(({ code }) => code === 'TOK')?.networks).toHaveLength(1);
      await mia.close();
      await moe.close();
    });

    await test.step('a member finds the pair and places an order in it', async () => {
      const context = await browser.newContext();
      await context.addInitScript(readBefore);
      const app = new App(await context.newPage(), server);
      const member = await app.member();
      await app.fund(member, 'USDT', '1000');
      await app.signIn(member);
      await app.tab('tab.trade').click();
      await app.page.getByRole('link', { name: /TOK\s*\/\s*USDT/ }).click();
      await app.settled();
      await app.accessible('a pair that was never traded');
      await app.field('trade.price').fill('0.49');
      await app.field('trade.amount').fill('100');
      await app.button('trade.reviewBuy').click();
      await app.sheet.getByRole('button', { name: app.t('trade.order.buy', { amount: `${app.number('100', 4)}\u00a0TOK` }) }).click();
      await expect(app.sheet.getByText(app.t('trade.state.open'), { exact: true })).toBeVisible();
      await app.picture('listed-pair');
      const [order] = await server.read<Order[]>('coin/list', {}, member.token);
      expect(order).toMatchObject({ symbol: 'TOK/USDT', status: 1 });
      const { bids } = await server.read<{ bids: string[][] }>('market/book', { symbol: 'TOK/USDT' });
      expect(bids).toEqual([['0.4900', '100.000000']]);
      expect(app.complaints).toEqual([]);
      await context.close();
    });
  } finally {
    await server.stop();
  }
});
