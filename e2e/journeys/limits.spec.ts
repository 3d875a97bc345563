import type { App, Member } from '../support/app.ts';
import { expect, test } from '../support/test.ts';

const DAY = 86_400_000;

interface Limits {
  option_stake_day: string | null;
  leverage_max: number | null;
  pause_until_ms: number | null;
  pending: { field: string; value: string | null }[];
}
const limitsOf = (app: App, member: Member) => app.server.read<Limits>('user/limits', {}, member.token);
const row = (app: App, key: string) => app.page.locator('main').getByRole('button', { name: app.t(key) });

test('an own limit is tighter at once and looser only after a day, and says so before and after', async ({ app }) => {
  const { page } = app;
  const member = await app.member();
  await app.signIn(member);
  await app.open('settings/security/index');
  await page.getByRole('link', { name: app.t('security.limits') }).click();
  await expect(row(app, 'security.limitStake')).toContainText(app.t('security.limitNone'));
  await app.sound('own limits');

  await row(app, 'security.limitStake').click();
  await expect(app.sheet.getByText(app.t('security.limitNeed'))).toBeVisible();
  await app.sheet.getByRole('textbox').fill('500');
  await expect(app.sheet.getByText(app.t('security.limitNow'))).toBeVisible();
  await app.sound('a limit');
  await app.press(app.sheet.getByRole('button', { name: app.t('ui.save') }), app.t('security.limitSaved'));
  await expect(row(app, 'security.limitStake')).toContainText('500.00');
  expect((await limitsOf(app, member)).option_stake_day).toMatch(/^500(\.0+)?$/);

  await row(app, 'security.limitStake').click();
  await app.sheet.getByRole('textbox').fill('800');
  await expect(app.sheet.getByText(app.t('security.limitLater'))).toBeVisible();
  await app.sheet.getByRole('button', { name: app.t('ui.save') }).click();
  await expect(row(app, 'security.limitStake')).toContainText('500.00');
  await expect(page.getByText('800.00')).toBeVisible();
  await app.sound('a limit that waits');
  const waiting = await limitsOf(app, member);
  expect(waiting.option_stake_day).toMatch(/^500(\.0+)?$/);
  expect(waiting.pending.map(({ field }) => field)).toEqual(['option_stake_day']);

  await row(app, 'security.limitStake').click();
  await app.button('security.limitRemove').click();
  await expect.poll(async () => (await limitsOf(app, member)).pending.map(({ value }) => value)).toEqual([null]);
  await expect(page.getByText('800.00')).toHaveCount(0);
  await app.server.call('/sandbox/clock', { advance_ms: String(DAY + 60_000) }, member.token);
  await app.reload();
  await expect(row(app, 'security.limitStake')).toContainText(app.t('security.limitNone'));
});

test('leverage takes whole multiples, and a pause can be made longer at once but not ended', async ({ app }) => {
  const member = await app.member();
  await app.signIn(member);
  await app.open('settings/security/limits');
  await row(app, 'security.limitLeverage').click();
  await app.sheet.getByRole('textbox').fill('2.5');
  await expect(app.sheet.getByText(app.t('security.limitNeed'))).toBeVisible();
  await app.sheet.getByRole('textbox').fill('5');
  await app.sheet.getByRole('button', { name: app.t('ui.save') }).click();
  await expect(row(app, 'security.limitLeverage')).toContainText('5×');

  await row(app, 'security.limitPause').click();
  await expect(app.sheet).toBeVisible();
  await app.sound('a pause');
  await app.sheet.getByRole('radio').nth(1).click();
  await app.sheet.getByRole('button', { name: app.t('security.pauseStart') }).click();
  await expect(app.sheet).toHaveCount(0);
  await expect(row(app, 'security.limitPause')).not.toContainText(app.t('security.pauseOff'));
  const until = (await limitsOf(app, member)).pause_until_ms ?? 0;
  expect(until - Date.now()).toBeGreaterThan(6 * DAY);

  await row(app, 'security.limitPause').click();
  await app.button('security.pauseEnd').click();
  await expect.poll(async () => (await limitsOf(app, member)).pending.map(({ field }) => field)).toEqual(['pause_until_ms']);
  expect((await limitsOf(app, member)).pause_until_ms).toBe(until);
});

test('home draws what the accounts were worth, without what was paid in', async ({ app }) => {
  const { page } = app;
  // The price is pinned, whatever an earlier journey left, so that deposits keep their value.
  await app.pin('BTC/USDT', '70000');
  const member = await app.member();
  await app.signIn(member);
  await app.open();
  await expect(app.text('home.addMoney')).toBeVisible();
  await app.fund(member, 'USDT', '1000');
  await app.fund(member, 'BTC', '0.1');
  await app.reload();
  const line = page.getByRole('img', { name: new RegExp(app.t('home.total')) });
  await expect(line).toBeVisible();
  // More than seven thousand came in; only the price change since then is a result.
  const result = page.locator('p').filter({ has: page.getByText(app.t('home.since', { date: '' })) });
  const change = async () => Math.abs(Number(/\d+(?:\.\d+)?/.exec((await result.innerText()).replaceAll(/[\s,]/g, ''))?.[0] ?? NaN));
  await expect.poll(change).toBeLessThan(500);
  await app.sound('home with its line');
  for (const range of ['w1', 'mo1']) {
    await app.button(`trade.period.${range}`).click();
    await expect(app.button(`trade.period.${range}`)).toHaveAttribute('aria-pressed', 'true');
    await expect(line).toBeVisible();
  }
  // The line does not reveal hidden amounts either.
  await app.button('home.hide').click();
  await expect(line).toHaveCount(0);
  await app.button('home.show').click();
  await expect(line).toBeVisible();

  await page.route('**/api/wallet/value_history*', (route) => route.abort());
  await app.button('trade.period.d1').click();
  await app.reload();
  await expect(app.text('home.lineError')).toBeVisible({ timeout: 60_000 });
  await app.sound('home without its line');
  await page.unroute('**/api/wallet/value_history*');
  await app.button('ui.tryAgain').click();
  await expect(line).toBeVisible();
  await app.release('BTC/USDT');
});
