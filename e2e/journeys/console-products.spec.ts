import { Console } from '../support/console.ts';
import { ready } from '../support/desk.ts';
import { expect, test } from '../support/test.ts';

interface Quote {
  gross: string;
  fee: string;
}
interface Loan {
  id: number;
  status: number;
}

test.afterEach(async ({ app }) => {
  await app.release('BTC/USDT');
});

test('two people change the terms of conversions on their screens, and the next quote has them', async ({ app, browser, server }) => {
  await app.pin('BTC/USDT', '100000');
  const member = await app.member();
  await app.fund(member, 'USDT', '1000');
  const quote = () => server.call<Quote>('wallet/flash_quote', { l_currency_id: '3', r_currency_id: '1', num: '1000' }, member.token);
  const [mia, moe] = [await Console.open(browser, server), await Console.open(browser, server)];
  await mia.enter('market', 'mia');
  await moe.enter('market', 'moe');
  await mia.go('catalog/flash');
  await expect(mia.page.getByRole('region', { name: 'conversions' })).toContainText('Spread, %0.1');
  await mia.fits('terms of conversions');
  await mia.accessible('terms of conversions');
  await mia.picture('console-conversions');
  // And back again, so that other journeys in this sandbox convert as before.
  for (const [spread, other, got] of [
    ['0.2', '0.1', { gross: '0.00998000', fee: '0.00000998' }],
    ['0.1', '0.2', { gross: '0.00999000', fee: '0.00000999' }],
  ] as const) {
    await mia.button('Propose a change of conversions').click();
    await mia.dialog.getByLabel('Spread, %', { exact: true }).fill(spread);
    await mia.dialog.getByLabel('Reason').fill('agreed on Monday');
    await expect(mia.dialog.getByRole('row', { name: /^Spread, %/ })).toContainText(`${other}${spread}`);
    await mia.accessible('other terms of conversions');
    await mia.press(mia.dialog.getByRole('button', { name: 'Propose the change' }), 'second person');
    // One operator is not enough.
    const { gross: before } = await quote();
    expect(before).not.toBe(got.gross);
    await moe.confirmNewest('in force', `Spread, %: ${other} → ${spread}`);
    expect(await quote()).toMatchObject(got);
    await mia.go('catalog/flash');
    await expect(mia.page.getByRole('region', { name: 'conversions' })).toContainText(`Spread, %${spread}`);
  }
  await mia.close();
  await moe.close();
});

test('a loan above 5,000 USDT is decided by two people on their screens', async ({ app, browser, server }) => {
  await app.pin('BTC/USDT', '100000');
  const member = await ready(app, server);
  await app.fund(member, 'BTC', '0.2');
  await server.call('user/bossorder', { config_id: '1', amount: '5000.01', collateral: '0.1', collateral_currency_id: '1' }, member.token);
  const loan = async () => (await server.read<{ data: Loan[] }>('user/bosslist', {}, member.token)).data[0];
  const id = (await loan())?.id ?? 0;
  const number = `L-${id}`;
  const [ann, ben] = [await Console.open(browser, server), await Console.open(browser, server)];
  await ann.enter('treasury', 'ann');
  await ben.enter('treasury', 'ben');
  await ann.openCase('loan', id);
  await ann.button(`Approve ${number}`).click();
  await expect(ann.dialog).toContainText('Your approval is number 1 of 2. Another person must approve it too.');
  await ann.accessible('the first approval of a loan');
  await ann.press(ann.dialog.getByRole('button', { name: `Approve ${number}` }), `${number} approved by you. It needs another person.`);
  expect((await loan())?.status).toBe(1);
  // The same operator cannot be the second one.
  await ann.openCase('loan', id);
  await expect(ann.page.getByText('You approved this. It needs another person. You can still reject it.')).toBeVisible();
  await expect(ann.button(`Approve ${number}`)).toHaveCount(0);

  await ben.openCase('loan', id);
  await ben.button(`Approve ${number}`).click();
  await expect(ben.dialog).toContainText('Your approval is the last one: it takes effect at once.');
  await ben.picture('console-loan-second');
  await ben.dialog.getByRole('button', { name: `Approve ${number}` }).click();
  await expect.poll(async () => (await loan())?.status).toBe(2);
  await ann.close();
  await ben.close();
});
