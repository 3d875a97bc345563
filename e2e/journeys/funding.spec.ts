import type { Page } from '@playwright/test';
import { submitBasic } from '../support/console.ts';
import { approve, BITCOIN_CODE, FUND_PASSWORD, operator, setFundPassword, TRON } from '../support/desk.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

const BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

/** A screenshot serves as the photo. */
async function choosePicture(page: Page): Promise<void> {
  const buffer = await page.screenshot();
  await page.locator('dialog[open] input[type="file"]').setInputFiles({ name: 'proof.png', mimeType: 'image/png', buffer });
}

test('identity: details are checked before they are sent, and the status follows', async ({ app }) => {
  const { page } = app;
  await app.signIn(await app.member());
  await app.open('verification/index');
  await expect(app.text('identity.basicFirst')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link').last()).toHaveAccessibleName(app.t('help.title'));
  await app.sound('identity');
  await app.link('identity.startBasic').click();
  await app.settled();

  // Pressed too early, the form says what is missing.
  await app.button('cards.fillIn').click({ force: true });
  await expect(page.getByRole('alert').filter({ hasText: app.t('funding.needed') }).first()).toBeVisible();
  await app.sound('identity details');
  await page.getByRole('button', { name: app.t('identity.country') }).click();
  await app.sheet.getByRole('searchbox').fill('Germany');
  await app.sheet.getByRole('radio', { name: /Germany/ }).click();
  await app.field('identity.name').fill('Ada Example');
  await app.field('identity.contact').fill('1 High Street, Berlin');
  // No document has such a number: the field says what it expects.
  await app.field('identity.number').fill('--');
  await app.button('identity.review').click();
  await app.button('funding.sendForReview').click();
  await expect(page.getByRole('alert').filter({ hasText: app.t('identity.nameText') })).toBeVisible();
  await app.field('identity.number').fill(`X${Date.now()}`);
  await app.button('identity.review').click();
  await expect(page.getByText('Ada Example')).toBeVisible();
  await app.sound('identity check');
  await app.button('funding.sendForReview').click();
  await expect(app.text('funding.inReview')).toBeVisible();
  await app.link('identity.history').click();
  await expect(app.text('identity.basic')).toBeVisible();
  await app.sound('identity history');
});

/** An operator rejects the newest identity. */
async function reject(server: Server, reason: string): Promise<void> {
  const token = await operator(server, 'verifier', 'vera');
  const { data } = await server.read<{ data: { id: number; version: number; hash: string }[] }>('/operator/api/queue', { kind: 'identity', limit: '100' }, token);
  const row = data.toSorted((a, b) => b.id - a.id)[0];
  await server.call('/operator/api/decide', { kind: 'identity', id: String(row?.id), decision: 'reject', version: String(row?.version), hash: row?.hash ?? '', reason }, token);
}

test('identity: after a rejection the form says why and holds what was sent', async ({ app, server }) => {
  const member = await app.member();
  const number = `X${Date.now()}`;
  await server.call('user/real_name', { country: 'DE', name: 'Ada Exampel', card_id: number, address: '1 High Street', residence_address: '2 Low Street' }, member.token);
  await reject(server, 'The name differs from the document');
  await app.signIn(member);
  await app.open('verification/index');
  await app.link('identity.fix').click();
  await expect(app.text('identity.rejectedText', { reason: 'The name differs from the document' })).toBeVisible();
  await expect(app.field('identity.name')).toHaveValue('Ada Exampel');
  await expect(app.field('identity.number')).toHaveValue(number);
  await expect(app.field('identity.contact')).toHaveValue('1 High Street');
  await expect(app.field('identity.residence')).toHaveValue('2 Low Street');
  await app.sound('identity details to correct');
  await app.field('identity.name').fill('Ada Example');
  await app.button('identity.review').click();
  await expect(app.page.getByText('Ada Example', { exact: true })).toBeVisible();
  await app.button('funding.sendForReview').click();
  await expect(app.text('funding.inReview')).toBeVisible();
});

test('identity: a photo that is too small, or chosen for another side, is told at itself before it is sent', async ({ app, server }) => {
  const { page } = app;
  const member = await app.member();
  await submitBasic(server, member);
  await approve(server, 'identity', 'verifier', ['vera']);
  await app.signIn(member);
  await app.open('verification/advanced');
  const tile = (side: string) => page.getByRole('group', { name: app.t(side), exact: true });
  const choose = async (side: string, height: number) => {
    const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 390, height } });
    await tile(side).locator('input[type="file"]').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer });
    return buffer;
  };
  await choose('identity.front', 100);
  await expect(tile('identity.front').getByRole('alert')).toHaveText(app.t('funding.fileSmall', { side: 200, least: 480 }));
  await expect(tile('identity.front').locator('img')).toHaveCount(0);
  const front = await choose('identity.front', 300);
  await expect(tile('identity.front').locator('img')).toBeVisible();
  await expect(tile('identity.front').getByRole('alert')).toHaveCount(0);
  await tile('identity.back').locator('input[type="file"]').setInputFiles({ name: 'again.png', mimeType: 'image/png', buffer: front });
  await expect(tile('identity.back').getByRole('alert')).toHaveText(app.t('identity.samePhoto'));
  await expect(tile('identity.back').locator('img')).toHaveCount(0);
  await app.sound('a photo chosen twice');
  await choose('identity.back', 320);
  await choose('identity.hand', 340);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await app.button('funding.sendForReview').click();
  await expect(app.text('funding.inReview')).toBeVisible();
});

test('identity: photos wait for the basic level, cards for a checked name', async ({ app }) => {
  await app.signIn(await app.member());
  await app.open('verification/advanced');
  await expect(app.text('identity.basicFirst')).toBeVisible();
  await app.open('bankbind/index');
  await expect(app.text('cards.empty')).toBeVisible();
  await expect(app.link('cards.add')).toHaveCount(0);
  await app.sound('bank cards');
  await app.open('assets/withdraw/index');
  await expect(app.text('withdraw.identityTitle')).toBeVisible();
  await app.sound('a withdrawal without identity');
});

test('deposit: an address of this network only, and a claim with its proof that can be followed', async ({ app }) => {
  const { page } = app;
  await app.signIn(await app.member());
  await app.open('assets/index');
  await app.link('assets.deposit').first().click();
  await app.settled();
  await app.sound('ways to deposit');
  await page.getByRole('link', { name: /USDT/ }).click();
  await expect(page.getByRole('img', { name: app.t('deposit.qr', { code: 'USDT', chain: 'TRC20' }) })).toBeVisible();
  await expect(app.text('deposit.warning', { code: 'USDT', chain: 'TRC20' })).toBeVisible();
  await app.sound('deposit address');
  const shown = async () => (await page.locator('.code .vh').first().textContent())?.replaceAll(' ', '') ?? '';
  await expect.poll(shown).toMatch(/^SANDBOX-/);
  const tron = await shown();
  await page.getByRole('button', { name: 'ERC20' }).click();
  await expect.poll(shown).not.toBe(tron);

  await app.button('deposit.claim').click();
  await app.field('deposit.sentAmount').fill('250');
  await choosePicture(page);
  await expect(app.sheet.locator('img')).toBeVisible();
  await app.accessible('proof of a deposit');
  await app.button('funding.sendForReview').click();
  await expect(app.sheet.getByText(app.t('records.deposit'), { exact: true })).toBeVisible();
  await expect(app.sheet.getByText(app.t('records.told'))).toBeVisible();
  await app.accessible('a deposit in review');
  await app.dismiss();
  await expect(page.getByRole('button', { name: /USDT ERC20/ })).toContainText(app.t('funding.inReview'));
  await app.sound('records');
});

test('addresses: another network is told, the code and the fund password are asked, and a day passes before use', async ({ app, server }) => {
  const { page } = app;
  const member = await app.member();
  await setFundPassword(server, member);
  await app.signIn(member);
  await app.open('user/address/address');
  await expect(app.text('addresses.empty')).toBeVisible();
  await app.link('addresses.add').click();
  await app.settled();
  // Read from a picture of a code: only the address, checked like a typed one.
  await app.button('addresses.scan').click();
  await choosePicture(page);
  await expect(app.sheet.getByText(app.t('addresses.scanNothing'))).toBeVisible();
  await app.accessible('scan');
  await app.picture('addresses-scan');
  await page.locator('dialog[open] input[type="file"]').setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: Buffer.from(BITCOIN_CODE, 'base64') });
  await expect(app.field('addresses.address')).toHaveValue(BITCOIN);
  await expect(page.getByText(app.t('addresses.otherNetwork', { family: 'BTC', chain: 'TRC20' })).first()).toBeVisible();
  // A typing error is shown at its field before anything is sent.
  await app.field('addresses.address').fill(TRON.replace('JR', 'RJ'));
  await expect(page.getByRole('alert').filter({ hasText: app.t('addresses.checksum') })).toBeVisible();
  await app.field('addresses.address').fill(TRON);
  await expect(app.text('addresses.checksum')).toHaveCount(0);
  await app.field('addresses.label').fill('Cold wallet');
  await app.field('funding.fundPassword').fill('000000');
  await app.button('funding.sendCode').click();
  await expect(app.page.getByText(/^Sent to/)).toBeVisible();
  await app.field('security.sandboxTo').fill(member.email);
  await app.enterCode();
  await app.sound('a new address');
  await app.button('addresses.save').click();
  await expect(page.getByRole('alert').filter({ hasText: /fund password is wrong/ })).toBeVisible();
  await expect(app.field('funding.fundPassword')).toBeFocused();
  await app.field('funding.fundPassword').fill(FUND_PASSWORD);
  await app.button('addresses.save').click();
  await expect(page.getByText('Cold wallet')).toBeVisible();
  await expect(page.getByText(/usable from/)).toBeVisible();
  await app.sound('addresses');
  await app.button('addresses.removeOne', { name: 'Cold wallet' }).click();
  await expect(app.sheet.getByText('TJRa bPrw')).toBeVisible();
  await app.button('funding.remove').click();
  await expect(app.text('addresses.empty')).toBeVisible();
});
