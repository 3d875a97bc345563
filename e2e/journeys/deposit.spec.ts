import type { Page } from '@playwright/test';
import { Console } from '../support/console.ts';
import { expect, test } from '../support/test.ts';

/** A screenshot serves as the photo. */
const photo = async (page: Page) => ({ name: 'voucher.png', mimeType: 'image/png', buffer: await page.screenshot() });

test('a bank deposit is credited when two people of the desk entered the same reference, and the member sees it at once', async ({ app, browser, server }) => {
  const { page } = app;
  const member = await app.member();
  await app.onlyTold();
  await app.signIn(member);
  await app.theme('dark');
  await app.open('assets/deposit/index');
  await app.sound('ways to deposit');
  await app.picture('deposit-ways');
  await page.getByRole('link', { name: new RegExp(app.t('deposit.bankText')) }).click();
  await expect(app.text('deposit.bankWarning')).toBeVisible();
  await app.sound('our bank account');
  await app.picture('deposit-bank');
  await app.button('deposit.claim').click();
  await app.field('deposit.sentAmount').fill('250');
  await app.sheet.locator('input[type="file"]').setInputFiles(await photo(page));
  await expect(app.sheet.locator('img')).toBeVisible();
  await app.accessible('voucher of a bank transfer');
  await app.picture('deposit-bank-voucher');
  await app.button('funding.sendForReview').click();
  await expect(app.sheet.getByText(app.t('records.told'))).toBeVisible();
  await app.accessible('a bank deposit in review');
  await app.picture('deposit-bank-review');
  const claim = async () => (await server.read<{ data: { id: number; credited: string | null }[] }>('charge_mention/log2', {}, member.token)).data[0];
  const id = (await claim())?.id ?? 0;
  const number = `B-${id}`;
  const reference = `MT-${id}-250`;

  const [ann, ben] = [await Console.open(browser, server), await Console.open(browser, server)];
  const sign = async (desk: Console, text: string, answer: string | RegExp) => {
    await desk.openCase('bank_deposit', id);
    await desk.approve(number, answer, { 'Reference of the bank transfer': text });
  };
  await ann.enter('treasury', 'ann');
  await ann.openCase('bank_deposit', id);
  await expect(ann.page.getByRole('region', { name: /details/ }).locator('img')).toHaveCount(1);
  // The facts that are compared with the bank's statement.
  const { account_number } = await server.read<{ account_number: string }>('user/center', {}, member.token);
  await expect(ann.page.getByRole('region', { name: /details/ })).toContainText(account_number);
  await ann.accessible('a bank deposit');
  await ann.picture('console-bank-deposit');
  // A typing error: the second entry differs, so no one is credited and entering starts again.
  await ann.approve(number, 'needs another person', { 'Reference of the bank transfer': `MT-${id}-205` });
  await ben.enter('treasury', 'ben');
  await sign(ben, reference, 'not the reference of the first person');
  await ben.close();
  expect((await claim())?.credited).toBeNull();
  await sign(ann, reference, new RegExp(`${number} approved(?!.*another)`));
  await ann.close();

  // The sheet stays open all the time.
  await expect(app.sheet.getByText(app.t('records.decided'))).toBeVisible();
  await expect(app.sheet).toContainText(app.number((await claim())?.credited ?? '', 2));
  await expect(app.sheet.locator('dl > div').filter({ hasText: app.t('withdraw.rate') })).toContainText('1 USDT/USD');
  await app.accessible('a bank deposit that was credited');
  await app.picture('deposit-bank-credited');
  await app.dismiss();
  await app.open('assets/index');
  await expect(page.locator('main').filter({ visible: true })).toContainText(app.number((await claim())?.credited ?? '', 2));
});

test('each network tells about how long its confirmations take', async ({ app }) => {
  await app.signIn(await app.member());
  await app.open('assets/deposit/charge', 'coin=3');
  await expect(app.text('deposit.about', { name: 'Tron', minutes: 1 })).toBeVisible();
  await app.page.getByRole('button', { name: /^ERC20/ }).click();
  await expect(app.text('deposit.about', { name: 'Ethereum', minutes: 7 })).toBeVisible();
});
