import type { App, Member } from './app.ts';
import { ready } from './desk.ts';
import type { Server } from './server.ts';
import { expect } from './test.ts';
import { line } from './wealth.ts';

interface Loan {
  id: number;
  status: number;
  reason: string | null;
  debt: string;
  collateral: string;
  end_at_ms: number | null;
}
/** The member's loans, newest first. */
export const loans = async (server: Server, member: Member) => (await server.read<{ data: Loan[] }>('user/bosslist', {}, member.token)).data;
/** What of a coin is free in Spot. */
export async function free(server: Server, member: Member, coin: string): Promise<string> {
  const wallet = await server.call<{ change_wallet: { balance: { currency_name: string; change_balance: string }[] } }>('wallet/list', {}, member.token);
  return wallet.change_wallet.balance.find((row) => row.currency_name === coin)?.change_balance ?? '';
}

/** A verified member with 1,000 USDT and 0.02 BTC, about to apply for 600 against 0.01 for 7 days (7.4). */
export async function reviewed(app: App, server: Server): Promise<Member> {
  await app.pin('BTC/USDT', '100000');
  const member = await ready(app, server);
  await app.fund(member, 'BTC', '0.02');
  await app.signIn(member);
  await app.button('menu.open').click();
  await app.link('menu.loans').click();
  const [amount, collateral] = [app.page.getByRole('textbox', { name: app.t('loans.amount') }), app.page.getByRole('textbox', { name: app.t('loans.collateral'), exact: true })];
  await amount.fill('600');
  await expect(collateral).not.toHaveValue('');
  // An amount that cannot be borrowed needs no collateral.
  for (const refused of ['999999999999', '600', 'abc']) {
    await amount.fill(refused);
    await (refused === '600' ? expect(collateral).not.toHaveValue('') : expect(collateral).toHaveValue(''));
  }
  await expect(app.text('loans.free', { amount: '0.0200\u00a0BTC' })).toBeVisible();
  // The minimum, and shares of what 0.02 BTC secures at 60 % with 2 % of room: the most needs all of the collateral.
  // Less than the minimum is not offered.
  for (const [chip, filled, needed] of [
    [app.t('loans.least', { amount: '100.00' }), '100', '0.00170001'],
    ['25%', '294.1176', '0.005'],
    ['50%', '588.2352', '0.01'],
    [app.t('ui.max'), '1,176.4704', '0.02'],
  ] as const) {
    await app.page.getByRole('button', { name: chip, exact: true }).filter({ visible: true }).first().click();
    await expect(amount).toHaveValue(filled);
    await expect(collateral).toHaveValue(needed);
  }
  await amount.fill('600');
  await app.page.locator('#loan-cycles').getByRole('button').first().click();
  await collateral.fill('0.01');
  await app.button('loans.review').click();
  await expect(line(app.sheet, app.t('loans.saleAtDue'))).toHaveText('72,542.16');
  await expect(app.sheet.getByText('602.10\u00a0USDT', { exact: true })).toBeVisible();
  return member;
}
