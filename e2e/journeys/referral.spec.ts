import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { decodeQR } from '../../web/node_modules/qr/decode.js';
import type { App, Member } from '../support/app.ts';
import { until } from '../support/clock.ts';
import { operator } from '../support/desk.ts';
import type { Server } from '../support/server.ts';
import { free, test } from '../support/wealth.ts';

interface Invite {
  extension_code: string;
  share_url: string;
}
const invite = (server: Server, member: Member) => server.read<Invite>('user/invite', {}, member.token);
const PASSWORD = 'a long pass word';
const DAY = 86_400_000;
/** An unused address. */
const someone = (name: string) => `${name}.${Date.now()}@example.org`;

/** Opens an invitation's link and continues to the step of the password. */
async function toPassword(app: App, email: string, link: string): Promise<void> {
  await app.page.goto(`${app.server.url}/readyz`);
  await app.page.evaluate(() => localStorage.removeItem('meridian.session'));
  await app.page.goto(link);
  await app.settled();
  await app.button('auth.byEmail').click();
  await app.field('auth.email').fill(email);
  await app.button('auth.sendCode').click();
  await app.enterCode();
  await app.field('auth.password').fill(PASSWORD);
  await app.field('auth.repeat').fill(PASSWORD);
  await app.page.getByText(app.t('auth.agree')).click();
}

/** Joins in the app with the code of a link, or with a typed one. */
async function join(app: App, name: string, link: string, typed?: string): Promise<Member> {
  const email = someone(name);
  await toPassword(app, email, link);
  const code = app.field('auth.invite');
  if (typed) await code.fill(typed);
  else await expect(code).toHaveValue(new URL(link.replace('#/', '')).searchParams.get('extension_code') ?? '');
  await app.button('ui.createAccount').click();
  await expect(app.text('home.total')).toBeVisible();
  return { email, password: PASSWORD, token: await app.server.call<string>('user/login', { user_string: email, password: PASSWORD }) };
}

/** Buys 0.01 BTC at 100 000: a fee of 0.00001 BTC. */
async function buy(app: App, buyer: Member, seller: Member): Promise<void> {
  await app.fund(seller, 'BTC', '0.01');
  await app.fund(buyer, 'USDT', '1000');
  const order = { currency_id: '1', legal_id: '3', target_price: '100000', amount: '0.01', order_type: 'limit' };
  await app.server.call('coin/trade', { ...order, type: '2' }, seller.token);
  await app.server.call('coin/trade', { ...order, type: '1' }, buyer.token);
}

/** What a phone reads when it scans a picture of the page. */
async function scanned(app: App, picture: string): Promise<string> {
  const image = await app.page.evaluate(async (selector) => {
    const shown = document.querySelector<HTMLImageElement>(selector);
    if (!shown) throw new Error('no picture');
    await shown.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [shown.naturalWidth, shown.naturalHeight];
    const draw = canvas.getContext('2d');
    draw?.drawImage(shown, 0, 0);
    const { data, width, height } = draw?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [], width: 0, height: 0 };
    return { data: Array.from(data), width, height };
  }, picture);
  return decodeQR({ ...image, data: Uint8Array.from(image.data) });
}

test('referral: two levels are paid at midnight, to the atom of the rule, and everybody sees their own', async ({ app }) => {
  const { page, server } = app;
  await app.pin('BTC/USDT', '100000');
  const [ada, seller] = [await app.member(), await app.member()];
  const first = await invite(server, ada);

  // No rebates have been paid yet: the board is empty and says so.
  await app.signIn(ada);
  await app.button('menu.open').click();
  await app.link('menu.invite').click();
  await expect(app.text('invite.topEmpty')).toBeVisible();
  await expect(app.text('invite.friendsEmpty')).toBeVisible();
  await app.sound('an invitation that nobody took');
  await app.picture('promotion-empty');

  const bob = await join(app, 'bob', first.share_url);
  const cid = await join(app, 'cid', `${server.url}/h5/#/pages/user/login/register`, ` ${(await invite(server, bob)).extension_code.toLowerCase()} `);
  await buy(app, bob, seller);
  await buy(app, cid, seller);

  const now = (await server.read<{ server_time_ms: number }>('app/config')).server_time_ms;
  const midnight = (Math.floor(now / DAY) + 1) * DAY;
  // Time passes while the page is open: a minute is left.
  await until(server, midnight - 60_000);
  expect(await free(server, ada, 'change', 'BTC')).toBe('0.00000000');
  // Ada's page is open as the day ends.
  await app.signIn(ada);
  await app.open('promotion/index');
  await expect(app.text('invite.topEmpty')).toBeVisible();
  await until(server, midnight);
  // floor(1,000 atoms x 20 %) and floor(1,000 x 5 %): of Bob and Cid for Ada, of Cid for Bob, who also bought 0.00999.
  expect([await free(server, ada, 'change', 'BTC'), await free(server, bob, 'change', 'BTC'), await free(server, cid, 'change', 'BTC')]).toEqual(['0.00000250', '0.00999200', '0.00999000']);

  const main = page.locator('main').filter({ visible: true });
  await expect(main.getByRole('listitem').filter({ hasText: app.t('invite.you') })).toContainText('0.25');
  // The row of Bob has only what his own fee paid to Ada; what Cid's fee paid counts on the second level.
  await expect(main.getByText('0.20\u00a0USDT', { exact: true })).toBeVisible();
  await app.sound('an invitation with a friend');
  await app.picture('promotion-friends');
  await app.button('invite.rebates').click();
  for (const [level, value] of [['invite.level1', '0.000002\u00a0BTC'], ['invite.level2', '0.0000005\u00a0BTC']] as const) {
    await expect(app.text(level)).toBeVisible();
    await expect(main.getByText(value, { exact: true })).toBeVisible();
  }
  await app.sound('an invitation with rebates');
  await app.picture('promotion');
  // The rules open below their title, each separately.
  await app.text('invite.how').click();
  const rules = main.locator('details p');
  const [rule, next] = [await rules.nth(0).boundingBox(), await rules.nth(1).boundingBox()];
  expect((next?.y ?? 0) - (rule?.y ?? 0) - (rule?.height ?? 0)).toBeGreaterThanOrEqual(8);

  // The code as a picture contains the same link.
  await app.button('invite.savePoster').click();
  await expect(app.sheet.getByRole('img')).toBeVisible();
  await app.sound('the poster');
  await app.picture('promotion-poster');
  expect(await scanned(app, 'dialog[open] img')).toBe(first.share_url);
  // If a device cannot save it, the app says what to do.
  await page.evaluate(() => {
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = () => {
      HTMLAnchorElement.prototype.click = click;
      throw new Error('no downloads here');
    };
  });
  await app.button('invite.save').click();
  await expect(app.sheet.getByRole('alert')).toHaveText(app.t('invite.notSaved'));
  await app.sound('a poster that was not saved');
  const saved = page.waitForEvent('download');
  await app.button('invite.save').click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe(`meridian-${first.extension_code}.png`);
  const png = await readFile(await file.path());
  expect([png.subarray(0, 8).toString('latin1'), png.readUInt32BE(16)]).toEqual(['\x89PNG\r\n\x1a\n', await app.sheet.getByRole('img').evaluate((shown: HTMLImageElement) => shown.naturalWidth)]);
  await app.dismiss();

  // In the account's records, and as a message.
  await app.open('assets/tradeAccount', 'account=change&coin=1');
  await expect(main.getByText('0.000002').first()).toBeVisible();
  await app.open('notice/index');
  await page.getByRole('button', { name: new RegExp(`^${app.t('messages.title')}`) }).click();
  await page.getByRole('button', { name: /Rebates credited/ }).click();
  await expect(app.sheet.getByText(/Your share of the trading fees of \d{1,2} \w{3,4} \d{4} \(UTC\)/)).toBeVisible();
  await app.sound('a message about rebates');
  await app.dismiss();

  // Bob has one level, and sees the same board from his place.
  await app.signIn(bob);
  await app.open('promotion/index');
  await expect(main.getByRole('listitem')).toHaveCount(2);
  await expect(main.getByRole('listitem').filter({ hasText: app.t('invite.you') })).toContainText('0.20');
});

test('referral: no code but that of another who may invite is taken', async ({ app }) => {
  const { page, server } = app;
  const [ada, ivy] = [await app.member(), await app.member()];
  const own = await invite(server, ada);
  const frozen = await invite(server, ivy);
  const member = await server.read<{ id: number }>('user/center', {}, ivy.token);
  const verifier = await operator(server, 'verifier', 'vera');
  await server.call('/operator/api/user/freeze', { id: String(member.id), scope: 'all', reason: 'looked strange' }, verifier);

  const email = someone('cleo');
  await toPassword(app, email, own.share_url);
  const code = app.field('auth.invite');
  for (const wrong of ['NOBODYS1', '<b>&', frozen.extension_code]) {
    await code.fill(wrong);
    await app.button('ui.createAccount').click();
    await expect(page.getByRole('alert').filter({ hasText: app.t('errors.E_INVITE') })).toBeVisible();
    await expect(code).toHaveValue(wrong);
  }
  await app.sound('a code that is refused');
  // Without a code the account is created all the same.
  await code.fill('');
  await app.button('ui.createAccount').click();
  await expect(app.text('home.total')).toBeVisible();
  expect((await server.read<{ invite_num: number }>('user/invite', {}, ada.token)).invite_num).toBe(0);

  // A member is not asked to join by their own link.
  await app.signIn(ada);
  await app.page.goto(own.share_url);
  await app.settled();
  await expect(app.field('auth.email')).toHaveCount(0);
});
