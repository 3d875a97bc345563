import { readFileSync } from 'node:fs';
import { expect, test } from '../support/test.ts';

test('a statement of chosen days is saved as a table', async ({ app }) => {
  const { page } = app;
  const member = await app.member();
  await app.fund(member, 'USDT', '1234.5');
  await app.signIn(member);
  await app.open('assets/tradeAccount', 'account=change');
  // On the narrowest phone half of a line is left for the description.
  await page.setViewportSize({ width: 320, height: 844 });
  const after = page.getByText(app.t('assets.balanceAfter', { amount: '1,234.50\u00a0USDT' }), { exact: true }).filter({ visible: true });
  await expect.poll(async () => (await after.boundingBox())?.width ?? 999).toBeLessThan(140);
  await page.setViewportSize({ width: 390, height: 844 });
  await app.button('assets.statement').click();
  await expect(app.sheet).toBeVisible();
  await app.accessible('a statement');
  await app.fits('a statement');
  await app.picture('statement');
  const last = await app.field('assets.statementTo').inputValue();
  await app.field('assets.statementTo').fill('2020-01-01');
  await expect(app.button('assets.statementRange')).toBeVisible();
  await app.field('assets.statementTo').fill(last);
  const saved = page.waitForEvent('download');
  await app.button('assets.statementSave').click();
  const file = await saved;
  expect(file.suggestedFilename()).toContain(last);
  const [head, ...lines] = readFileSync(await file.path(), 'utf8').trim().split('\r\n');
  expect(head).toContain('balance_after');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('1234.5');
  await expect(app.sheet).toHaveCount(0);
});

test('a coin that cannot come in is not replaced by another', async ({ app }) => {
  await app.signIn(await app.member());
  await app.open('assets/deposit/charge', 'coin=987');
  await expect(app.text('deposit.closedText')).toBeVisible();
  await app.sound('a coin that cannot come in');
  await app.link('deposit.other').click();
  await expect(app.text('deposit.crypto')).toBeVisible();
});
