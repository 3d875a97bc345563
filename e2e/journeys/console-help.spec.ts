import { Console, submitBasic } from '../support/console.ts';
import { approve, forgetFundPassword, operator, setFundPassword } from '../support/desk.ts';
import { expect, test } from '../support/test.ts';

interface Message {
  content: string;
}

test('a request is answered and closed, and so is a chat answered, in words that the member reads', async ({ app, browser, server }) => {
  const member = await app.member();
  const ticket = await server.call<{ id: number }>('feedback/add', { title: 'Lost', content: 'Where is it?', category: 'deposit' }, member.token);
  await server.call('chat/send', { content: 'Hello?' }, member.token);
  const desk = await Console.open(browser, server);
  await desk.enter('support', 'sue');
  const answer = desk.page.getByLabel('Your answer, seen by the user');

  await desk.openTalk('ticket', ticket.id);
  await desk.button('Send answer').click();
  await expect(desk.page.getByText('Write an answer')).toBeVisible();
  await answer.fill('It arrived <b>today</b>.');
  await desk.page.getByLabel('Close the ticket with this answer').check();
  await desk.accessible('an answer');
  await desk.press(desk.button('Send and close'), 'Sent and closed');
  const told = await server.read<{ ticket: { status: number | string }; messages: Message[] }>('feedback/detail', { id: String(ticket.id) }, member.token);
  expect(told.messages.at(-1)?.content).toBe('It arrived <b>today</b>.');
  await desk.go('ticket');
  await desk.button(/^Decided/).click();
  await expect(desk.page.getByRole('link', { name: `T-${ticket.id}` })).toBeVisible();

  await desk.openTalk('chat', await desk.newest('chat'));
  await answer.fill('Good day.');
  await desk.press(desk.button('Send answer'), 'Sent');
  await expect(answer).toHaveValue('');
  const [newest] = await server.read<Message[]>('chat/history', {}, member.token);
  expect(newest?.content).toBe('Good day.');
  await desk.close();
});

test('a forgotten fund password is set once a verifier has looked', async ({ app, browser, server }) => {
  const member = await app.member();
  await submitBasic(server, member);
  await approve(server, 'identity', 'verifier', ['vera']);
  await setFundPassword(server, member);
  await forgetFundPassword(app, member);
  const desk = await Console.open(browser, server);
  await desk.enter('verifier', 'vera');
  const id = await desk.newest('fund_reset');
  await desk.openCase('fund_reset', id);
  await desk.button(/^Approve /).click();
  await desk.accessible('a reset');
  await desk.press(desk.dialog.getByRole('button', { name: /^Approve / }), 'approved');
  const { withdraw_hold_until_ms } = await server.read<{ withdraw_hold_until_ms: number | null }>('user/center', {}, member.token);
  expect(withdraw_hold_until_ms).not.toBeNull();
  await desk.close();
});

test('an article gets a language that it lacks, and what another language says stays', async ({ browser, server }) => {
  const titled = async (lang: string) => (await server.read<{ list: { title: string }[] }>('news/list', { c_id: '4', lang, limit: '100' })).list.map(({ title }) => title);
  const sam = await operator(server, 'support', 'sam');
  const { id } = await server.call<{ id: number }>('/operator/api/news/save', { c_id: '4', lang: 'en', title: 'A pause', content: '<p>Short.</p>' }, sam);
  const desk = await Console.open(browser, server);
  await desk.enter('support', 'sue');
  await desk.go('news');
  await desk.button('Edit A pause').click();
  await expect(desk.page.getByRole('heading', { name: `Article ${id}` })).toBeVisible();
  await desk.button('Deutsch').click();
  await desk.page.getByLabel('Title').fill('Eine Pause');
  await desk.accessible('a further language of an article');
  await desk.button('Publish in Deutsch').click();
  await expect(desk.button('Deutsch ✓')).toBeVisible();
  expect(await titled('deyu')).toContain('Eine Pause');
  expect(await titled('deyu')).not.toContain('A pause');
  expect(await titled('en')).toContain('A pause');
  // From either language the other is available.
  await desk.button('Done').click();
  await desk.page.getByLabel('Language').selectOption('deyu');
  await desk.button('Edit Eine Pause').click();
  await desk.button('English ✓').click();
  await expect(desk.page.getByLabel('Title')).toHaveValue('A pause');
  await desk.close();
});
