import { holds } from '../support/said.ts';
import { expect, test } from '../support/test.ts';
import { followMessage } from '../support/wealth.ts';

test('a message over an open sheet is in the tree of what can be read, and can be tapped', async ({ app, server }) => {
  const { page } = app;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const member = await app.member();
  await app.fund(member, 'USDT', '1000');
  await app.signIn(member);
  await app.pin('BTC/USDT', '95000');
  await server.call('coin/trade', { legal_id: '3', currency_id: '1', type: '1', amount: '0.001', target_price: '90000' }, member.token);
  await app.release('BTC/USDT');
  await app.open('index/orderlist');
  await page.getByRole('button', { name: /BTC.*USDT/ }).first().click();
  const message = app.sheet.getByRole('status').getByText(app.t('ui.copied'), { exact: true });
  // Nothing covers it where it is drawn.
  await holds(message, () => app.button('trade.copyNumber').click());
  const tree = await (await page.context().newCDPSession(page)).send('Accessibility.getFullAXTree');
  const read = tree.nodes.filter(({ ignored, name }) => !ignored && name?.value === app.t('ui.copied'));
  expect(read.length).toBeGreaterThan(0);
  await app.picture('message-over-a-sheet');
  await app.accessible('a message over a sheet');

  // The order is filled meanwhile: a toast says so at once, and its message leads to the receipt.
  const seller = await app.member();
  await app.fund(seller, 'BTC', '1');
  const text = 'You bought 0.001 BTC at an average price of 90,000 USDT.';
  const said = expect(app.sheet.getByText(text)).toBeVisible();
  await server.call('/sandbox/price', { symbol: 'BTC/USDT', price: '89950' });
  await server.call('coin/trade', { legal_id: '3', currency_id: '1', type: '2', amount: '0.001', target_price: '89900' }, seller.token);
  await said;
  await app.release('BTC/USDT');
  await followMessage(app, 'Order filled: BTC/USDT', text);
  await expect(app.sheet).toContainText(app.t('trade.receipt'));
});
