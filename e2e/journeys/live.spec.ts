import type { Locator, Page } from '@playwright/test';
import type { App } from '../support/app.ts';
import { FIRST, onChain, openDesks, register, type Desks } from '../support/live.ts';
import { expect, test } from '../support/test.ts';

/** The watcher polls every 12 seconds, and the page every 15. */
const SEEN = { timeout: 90_000 };
/** Three photos are scaled down here, and decoded and encoded again on the server. */
const SENT = { timeout: 90_000 };

/** Takes the photo of a tile with the camera, following its hints. */
async function shoot(app: App, tile: Locator): Promise<void> {
  await tile.getByRole('button', { name: app.t('funding.takePhoto') }).click();
  await expect(app.sheet.locator('video')).toBeVisible();
  await expect(app.sheet.getByRole('img', { name: app.t('identity.photoOf', { at: 1, of: 3 }), exact: true })).toBeVisible();
  await expect(app.sheet.getByRole('status').getByRole('listitem')).toHaveCount(3);
  await app.accessible('camera');
  await app.picture('identity-camera');
  await app.sheet.getByRole('button', { name: app.t('funding.takePhoto') }).click();
  await expect(app.sheet.getByRole('img', { name: app.t('identity.yourPhoto') })).toBeVisible();
  await app.button('identity.use').click();
  await expect(tile.locator('img')).toBeVisible();
}

/** Both levels: details, then photos, one taken and two chosen. Operators decide, and the page updates by itself. */
async function verify(app: App, { ada, bob }: Desks): Promise<void> {
  const { page } = app;
  await app.open('verification/basic');
  await page.getByRole('button', { name: app.t('identity.country') }).click();
  await app.sheet.getByRole('searchbox').fill('Germany');
  await app.sheet.getByRole('radio', { name: /Germany/ }).click();
  await app.field('identity.name').fill('Ada Example');
  await app.field('identity.number').fill('X1234567');
  await app.field('identity.contact').fill('1 High Street, Berlin');
  await app.button('identity.review').click();
  await app.button('funding.sendForReview').click();
  await expect(app.text('funding.inReview')).toBeVisible();
  const basic = await ada.newest('identity');
  await ada.openCase('identity', basic);
  await ada.approve(`K-${basic}`, 'approved');
  await expect(page.getByText(app.t('identity.verified'))).toHaveCount(1);
  await app.sound('the basic level, verified');
  await app.picture('identity-basic-verified');

  await app.link('identity.startAdvanced').click();
  await app.settled();
  const tile = (side: string) => page.getByRole('group', { name: app.t(side), exact: true });
  await shoot(app, tile('identity.front'));
  await choose(page, tile('identity.back'), 260);
  await choose(page, tile('identity.hand'), 300);
  await app.sound('photos of a document');
  await app.picture('identity-photos');
  await app.button('funding.sendForReview').click();
  await expect(app.text('funding.inReview')).toBeVisible(SENT);
  const advanced = await bob.newest('identity');
  for (const desk of [bob, ada]) {
    await desk.openCase('identity', advanced);
    await expect(desk.page.getByRole('region', { name: /details/ }).locator('img')).toHaveCount(3);
    await desk.approve(`K-${advanced}`, 'approved');
  }
  await expect(page.getByText(app.t('identity.verified'))).toHaveCount(2);
}

async function choose(page: Page, tile: Locator, height: number): Promise<void> {
  await tile.locator('input[type="file"]').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: await page.screenshot({ clip: { x: 0, y: 0, width: 390, height } }) });
  await expect(tile.locator('img')).toBeVisible();
}

test('live: two operators agree on a key, a person proves who they are, and a real transfer is credited once when it is deep enough', async ({ page, browser }) => {
  test.setTimeout(600_000);
  await onChain(page, browser, async ({ live, mail, anvil, app, desks }) => {
    await page.context().grantPermissions(['camera'], { origin: live.url });
    await test.step('two operators', () => openDesks(live, desks));
    await test.step('a person registers', () => register(app, mail));
    await app.theme('dark');
    await app.picture('live-home');
    await test.step('identity', () => verify(app, desks));

    await app.open('assets/deposit/charge', 'coin=3&chain=ERC20');
    await expect(page.getByRole('img', { name: app.t('deposit.qr', { code: 'USDT', chain: 'ERC20' }) })).toBeVisible();
    const address = (await page.locator('.code .vh').first().textContent())?.replaceAll(' ', '') ?? '';
    expect(address).toBe(FIRST);
    await app.sound('a real address');
    await app.picture('deposit-chain');

    await app.open('assets/record', 'tab=deposits');
    await expect(app.text('records.noDeposits')).toBeVisible();
    const tx = await anvil.transfer(address, 250_000_000n);
    await anvil.mine(1);
    const row = page.getByRole('button', { name: /USDT ERC20/ });
    await expect(row).toContainText(app.t('funding.inReview'), SEEN);
    await row.click();
    await expect(app.sheet.getByText(app.t('records.seen', { seen: 1, needed: 32 }))).toBeVisible(SEEN);
    await expect(app.sheet.getByText(tx)).toBeVisible();
    await app.accessible('a deposit that was seen');
    await app.picture('deposit-chain-seen');
    await anvil.mine(30);
    await expect(app.sheet.getByText(app.t('records.seen', { seen: 31, needed: 32 }))).toBeVisible(SEEN);
    const log = async () => (await live.read<{ data: { credited: string | null; tx: string }[] }>('charge_mention/log2', {}, await token(page))).data;
    expect(await log()).toMatchObject([{ credited: null }]);
    await app.picture('deposit-chain-confirmations');
    await anvil.mine(1);
    await expect(app.sheet.getByText(app.t('records.decided'))).toBeVisible(SEEN);
    await app.accessible('a deposit that was credited');
    await app.picture('deposit-chain-credited');
    expect(await log()).toMatchObject([{ credited: '250.000000' }]);
    await app.dismiss();
    await app.open('assets/index');
    await expect(page.locator('main').filter({ visible: true })).toContainText('250.00');
    await app.picture('live-assets');
    expect(app.complaints, 'what the browser complained about').toEqual([]);
  });
});

/** Reads the session that the app stores. */
const token = (page: Page) => page.evaluate(() => (JSON.parse(localStorage.getItem('meridian.session') ?? '{}') as { token: string }).token);
