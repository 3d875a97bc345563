import { Buffer } from 'node:buffer';
import { expect, test } from '../support/test.ts';

/** A red square of 16 by 16 pixels. */
const PICTURE = {
  name: 'receipt.png',
  mimeType: 'image/png',
  buffer: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mP4z8BAEmIY1TCqYfhqAACQ+f8B8u7oVwAAAABJRU5ErkJggg==', 'base64'),
};

test('a member writes a request with a picture, and adds to it', async ({ app }) => {
  const { page } = app;
  await app.signIn(await app.member());
  await app.open('help-center');
  await app.link('help.requests').click();
  await expect(app.text('tickets.empty')).toBeVisible();
  await app.accessible('no requests');
  await app.link('tickets.new').click();
  await app.button('tickets.category.deposit').click();
  await app.field('tickets.subject').fill('Where is my deposit?');
  await app.field('tickets.story').fill('I sent it <b>yesterday</b>.');
  await page.locator('input[type=file]').filter({ visible: false }).last().setInputFiles(PICTURE);
  await expect(page.getByRole('img', { name: app.t('tickets.picture', { number: 1 }) })).toBeVisible();
  await app.accessible('a new request');
  await app.fits('a new request');
  await app.button('tickets.send').click();
  await expect(page.getByRole('heading', { name: 'Where is my deposit?' })).toBeVisible();
  // Typed text is shown as text, never as markup.
  await expect(page.getByText('I sent it <b>yesterday</b>.')).toBeVisible();
  await app.button('tickets.picture', { number: 1 }).click();
  await expect(app.sheet.locator('img')).toHaveJSProperty('naturalWidth', 16);
  await app.accessible('a picture of a request');
  await app.dismiss();
  await app.field('tickets.message').fill('It is there now.');
  await app.button('tickets.send').click();
  await expect(page.getByText('It is there now.')).toBeVisible();
  await expect(app.field('tickets.message')).toHaveValue('');
  await app.accessible('a request');
  await app.fits('a request');
  await app.open('help/center/tickets');
  await expect(page.getByRole('link', { name: /Where is my deposit\?/ })).toBeVisible();
});

test('a chat shows on every device of the member what was said', async ({ app, other }) => {
  const member = await app.member();
  await app.signIn(member);
  await app.open('help/center/chat');
  await expect(app.text('chat.empty')).toBeVisible();
  await app.accessible('an empty chat');
  await app.field('tickets.message').fill('Hello');
  await app.button('tickets.send').click();
  await expect(app.page.getByText('Hello', { exact: true })).toBeVisible();
  await app.accessible('a chat');
  await app.fits('a chat');
  // A second message and back: the page continues from where it was scrolled.
  await app.field('tickets.message').fill('Are you there?');
  await app.button('tickets.send').click();
  await expect(app.page.getByText('Are you there?', { exact: true })).toBeVisible();
  await app.open('help-center');
  await expect(app.text('help.question')).toBeVisible();
  await other.signIn(member);
  await other.open('help/center/chat');
  await expect(other.page.getByText('Hello', { exact: true })).toBeVisible();
});

test('a message arrives by itself, is counted, read and leads to what it is about', async ({ app, other }) => {
  const { page } = app;
  const member = await app.member();
  await app.signIn(member);
  await app.open();
  await expect(app.text('home.total')).toBeVisible();
  // Something happens on another device.
  await other.signIn(member);
  const code = await sendNewMail(other.server, member);
  await other.server.call('user/edit_email', code, member.token);
  const bell = page.getByRole('link', { name: app.t('home.unread', { count: 1 }) });
  await expect(bell).toBeVisible();
  await bell.click();
  await expect(app.button('messages.markAll')).toBeVisible();
  await app.accessible('messages');
  await app.fits('messages');
  await page.locator('main').getByRole('button').filter({ hasText: app.t('messages.unread') }).first().click();
  await expect(app.sheet).toBeVisible();
  await app.accessible('a message');
  await app.sheet.getByRole('link', { name: app.t('messages.open') }).click();
  await expect(page).toHaveURL(/settings\/security\/index/);
  await app.open();
  await expect(page.getByRole('link', { name: app.t('home.notices'), exact: true })).toBeVisible();
});

async function sendNewMail(server: { call: <T>(path: string, fields?: Record<string, string>, token?: string) => Promise<T>; code: (to: string) => Promise<string> }, member: { token: string; password: string }) {
  const email = `moved.${Date.now()}@example.org`;
  await server.call('sms_mail', { user_string: email, type: 'bind' }, member.token);
  return { email, code: await server.code(email), password: member.password };
}

test('the help has topics, of which one shows what it is about', async ({ app }) => {
  const { page } = app;
  await app.open('help-center');
  const article = page.getByRole('listitem').filter({ visible: true });
  await expect(article.first()).toBeVisible();
  await app.settled();
  const all = await article.count();
  await app.button('assets.deposit').click();
  await expect(app.button('assets.deposit')).toHaveAttribute('aria-pressed', 'true');
  await expect(article).toHaveCount(1);
  await expect(article).toContainText('How deposits work');
  await app.sound('help with a topic');
  // A search looks into the articles too.
  await app.button('assets.deposit').click();
  const search = page.getByRole('searchbox').filter({ visible: true });
  await search.fill('Recovery codes');
  await expect(article).toHaveCount(1);
  await expect(article).toContainText('How to protect your account');
  await app.button('assets.deposit').click();
  // A search within a topic without results offers to search everything.
  await search.fill('zzz');
  await app.button('help.showAll').click();
  await expect(article).toHaveCount(all);
});
