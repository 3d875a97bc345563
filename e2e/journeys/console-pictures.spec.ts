import { Console, submitBasic } from '../support/console.ts';
import { upload } from '../support/desk.ts';
import { expect, test } from '../support/test.ts';

interface Case {
  row: { id: number; version: number; hash: string };
}

test('photos of an identity are shown marked with the viewer, enlarged, turned, compared, and hidden when nobody looks', async ({ app, browser, server }) => {
  const member = await app.member();
  await submitBasic(server, member);
  const { token } = await server.call<{ token: string }>('/sandbox/operator', { role: 'verifier', name: 'vic' });
  const kind = 'identity';
  const newest = async () => (await server.read<{ data: { id: number }[] }>('/operator/api/queue', { kind, limit: '100' }, token)).data.at(-1)?.id;
  await expect.poll(newest).toBeDefined();
  const basic = String(await newest());
  const { row } = await server.read<Case>('/operator/api/item', { kind, id: basic, reason: 'a journey' }, token);
  await server.call('/operator/api/decide', { kind, id: basic, decision: 'approve', version: String(row.version), hash: row.hash }, token);

  const [front_pic = '', reverse_pic = '', hand_pic = ''] = await upload(app, member, 'kyc', 3);
  await server.call('user/real_name2', { front_pic, reverse_pic, hand_pic }, member.token);

  const desk = await Console.open(browser, server);
  const { page } = desk;
  await desk.enter('verifier', 'vera');
  const open = await server.read<{ data: { id: number }[] }>('/operator/api/queue', { kind, limit: '100' }, token);
  const advanced = open.data.at(-1)?.id ?? 0;
  await server.read('/operator/api/item', { kind, id: String(advanced), reason: 'a look before' }, token);
  await desk.openCase(kind, advanced);
  // A verifier must not see the list of operators, but sees colleagues by name.
  await expect(page.getByRole('listitem').filter({ hasText: 'View by vic' })).toBeVisible();
  const pictures = page.getByRole('region', { name: /details/ }).locator('img');
  await expect(pictures).toHaveCount(3);
  await expect.poll(() => pictures.first().evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  await desk.accessible('a case with pictures');
  // What is read in the photos is compared with what was typed; a difference in the number is marked.
  await page.getByLabel('Name, as you read it').fill('ANN MARIE LEE');
  // A German card has one letter where others have three.
  await page.getByLabel('Country, as you read it').fill('D');
  await page.getByLabel('ID number, as you read it').fill('AB1');
  const typed = page.getByRole('region', { name: /details/ }).getByRole('row');
  await expect(typed.filter({ hasText: 'Country' })).toContainText('the same');
  await expect(typed.filter({ hasText: 'ID number' })).toContainText('differs');
  await expect(page.getByText('1 differ', { exact: true })).toBeVisible();
  await desk.accessible('typed and read');
  // The keys act again once the focus has left the fields.
  await page.getByLabel('ID number, as you read it').blur();

  await page.keyboard.press('2');
  await expect(desk.dialog).toContainText('vera');
  await desk.dialog.getByRole('group', { name: 'Compare with' }).getByRole('button', { name: 'holder' }).click();
  await expect(desk.dialog.locator('img')).toHaveCount(2);
  await desk.dialog.getByRole('button', { name: 'Rotate' }).click();
  await expect(desk.dialog.locator('img').first()).toHaveAttribute('style', /rotate\(90deg\)/);
  const width = () => desk.dialog.locator('img').first().evaluate((image) => image.getBoundingClientRect().width);
  const before = await width();
  await page.keyboard.press('z');
  expect(await width()).toBeGreaterThan(before * 1.4);
  await desk.accessible('two pictures side by side');

  await page.evaluate(() => {
    document.hasFocus = () => false;
    dispatchEvent(new Event('blur'));
  });
  await expect(page.locator('img')).toHaveCount(0);
  await expect(desk.dialog).toContainText('Hidden while this window is not in use');
  await desk.close();
});

/** The files below a folder that a page references. */
const filesOf = (page: string, folder: string): string[] => [...page.matchAll(/(?:src|href)="([^"]+\.js)"/g)].flatMap(([, file]) => (file?.startsWith(folder) ? [file] : []));

/** Whether any of the files contains a call of operators. */
async function speaks(url: string, files: readonly string[]): Promise<boolean> {
  const texts = await Promise.all(files.map(async (file) => (await fetch(url + file)).text()));
  return texts.some((text) => text.includes('/operator/api/'));
}

test('the console is served apart from the app, under a strict policy, and the app holds none of it', async ({ server }) => {
  const page = await fetch(`${server.url}/console/`);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*require-trusted-types-for 'script'/);
  expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
  const scripts = filesOf(await page.text(), '/console/static/js/');
  expect((await fetch(server.url + scripts[0])).headers.get('cache-control')).toContain('immutable');
  expect(await speaks(server.url, scripts)).toBe(true);
  expect((await fetch(`${server.url}/h5/console/console.html`)).status).toBe(404);
  expect((await fetch(`${server.url}/console`, { redirect: 'manual' })).headers.get('location')).toBe('/console/');

  const app = await (await fetch(`${server.url}/h5/`)).text();
  expect(app).not.toContain('/console/');
  const own = filesOf(app, '/h5/static/js/');
  expect(own.length).toBeGreaterThan(0);
  expect(await speaks(server.url, own)).toBe(false);
});
