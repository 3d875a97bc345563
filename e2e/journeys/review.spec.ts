import type { App, Member } from '../support/app.ts';
import { advance } from '../support/clock.ts';
import { FUND_PASSWORD, operator, ready, TRON } from '../support/desk.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

const DAY = 86_400_000;
/** Another Tron address with a valid checksum. */
const OTHER = 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8';
const AMOUNT = { amount: '300.00\u00a0USDT' };

interface Row {
  id: number;
  address: string;
}

/** Stores an address from another device of the member. */
async function add(server: Server, member: Member, address: string, notes: string): Promise<void> {
  // One code a minute, which is a little over a second in a sandbox.
  await new Promise((wake) => setTimeout(wake, 1_500));
  await server.call('set/sms_other_mail', { type: 'operation' }, member.token);
  const code = await server.code(member.email);
  await server.call('wallet/addaddress', { currency_id: '3', netType: 'TRC20', address, notes, pay_password: FUND_PASSWORD, code }, member.token);
}

const addresses = (server: Server, member: Member) => server.read<Row[]>('wallet/get_address', { currency: '3' }, member.token);
const sent = async (server: Server, member: Member) => (await server.read<{ data: (Row & { rate: string })[] }>('charge_mention/log3', {}, member.token)).data;

/** The person comes back to the page, which reads data again that is older than a moment. */
async function reread(app: App, path: string): Promise<void> {
  await expect(async () => {
    const answer = app.page.waitForResponse((one) => one.url().includes(path), { timeout: 1_000 });
    await Promise.all([answer, app.page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))]);
  }).toPass();
}

/** The open review of 300 USDT to the first of these addresses, which was added within the week, with its box ticked. */
async function review(app: App, server: Server, others: readonly string[] = []): Promise<Member> {
  const member = await ready(app, server);
  await add(server, member, TRON, 'Cold wallet');
  await advance(server, DAY);
  for (const other of others) await add(server, member, other, 'Hot wallet');
  await app.signIn(member);
  await app.open('assets/withdraw/index');
  await app.field('assets.amount').fill('300');
  await app.field('funding.fundPassword').fill(FUND_PASSWORD);
  await app.button('withdraw.review').click();
  await expect(app.sheet.getByText('TJRa bPrw')).toBeVisible();
  await app.sheet.getByRole('checkbox').check({ force: true });
  return member;
}

test('review: the end of another hold and an address added elsewhere change nothing of an open withdrawal', async ({ app, server }) => {
  const member = await review(app, server, [OTHER]);
  await add(server, member, 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7', 'A third one');
  await advance(server, DAY);
  await reread(app, 'wallet/get_address');
  await reread(app, 'wallet/get_info');
  await expect(app.sheet.getByText('TJRa bPrw')).toBeVisible();
  await expect(app.sheet.getByRole('checkbox')).toBeChecked();
  await app.button('withdraw.submit', AMOUNT).click();
  await expect(app.text('withdraw.state.review')).toBeVisible();
  expect((await sent(server, member)).map(({ address }) => address)).toEqual([TRON]);
});

test('review: an address that is removed elsewhere is said to be, and what takes its place is looked at and ticked first', async ({ app, server }) => {
  const member = await review(app, server, [OTHER]);
  await advance(server, DAY);
  const gone = (await addresses(server, member)).find(({ address }) => address === TRON);
  await server.call('wallet/deladdress', { address_id: String(gone?.id) }, member.token);
  await reread(app, 'wallet/get_address');
  await expect(app.sheet.getByRole('alert')).toContainText(app.t('review.changed'));
  // The screen still shows what was reviewed.
  await expect(app.sheet.getByText('TJRa bPrw')).toBeVisible();
  await expect(app.button('review.first')).toBeVisible();
  await app.sound('a review of something that changed');
  await app.picture('review-changed');
  await app.button('review.first').click({ force: true });
  await app.button('review.show').click();
  await expect(app.sheet.getByText('TEkx iTeh')).toBeVisible();
  await expect(app.sheet.getByRole('checkbox')).not.toBeChecked();
  await expect(app.button('withdraw.tickFirst')).toBeVisible();
  expect(await sent(server, member)).toEqual([]);
});

test('review: a fee that changed is seen before the money goes, and money that is spent elsewhere stops it', async ({ app, server }) => {
  // The page's interval must not read the new fee before the tap, which is meant to find it.
  await app.onlyTold();
  const member = await review(app, server);
  const [mia, moe] = [await operator(server, 'market', 'mia'), await operator(server, 'market', 'moe')];
  const setFee = async (withdraw_fee: string) => {
    const rows = await server.read<{ id: number; name: string; values: object }[]>('/operator/api/catalog', { kind: 'network' }, mia);
    const row = rows.find(({ name }) => name === 'USDT TRC20');
    const values = JSON.stringify({ ...row?.values, withdraw_fee });
    const { id, hash } = await server.call<{ id: number; hash: string }>('/operator/api/catalog/propose', { kind: 'network', id: String(row?.id), values, reason: 'costs' }, mia);
    await server.call('/operator/api/proposal/confirm', { id: String(id), hash }, moe);
  };
  await setFee('2.000000');
  try {
    await expect(app.sheet.getByText('299.00\u00a0USDT')).toBeVisible();
    await app.button('withdraw.submit', AMOUNT).click();
    await expect(app.sheet.getByRole('alert')).toContainText(app.t('review.changed'));
    expect(await sent(server, member)).toEqual([]);
    await app.button('review.show').click();
    await expect(app.sheet.getByText('298.00\u00a0USDT')).toBeVisible();
    await app.sheet.getByRole('checkbox').check({ force: true });

    await server.call('wallet/change', { currency_id: '3', number: '900', from_field: 'change', to_field: 'micro' }, member.token);
    await expect(app.sheet.getByRole('button', { name: app.t('transfer.tooMuch', { more: '200.00\u00a0USDT' }), exact: true })).toBeVisible();
    await server.call('wallet/change', { currency_id: '3', number: '900', from_field: 'micro', to_field: 'change' }, member.token);
    await app.button('withdraw.submit', AMOUNT).click();
    await expect(app.text('withdraw.state.review')).toBeVisible();
    expect((await sent(server, member)).map(({ address, rate }) => [address, rate])).toEqual([[TRON, '2.000000']]);
  } finally {
    await setFee('1.000000');
  }
});

test('review: a withdrawal that is decided under an open cancellation can no longer be cancelled', async ({ app, server }) => {
  await review(app, server);
  await app.button('withdraw.submit', AMOUNT).click();
  await app.button('withdraw.cancel').click();
  const ann = await operator(server, 'treasury', 'ann');
  const { data } = await server.read<{ data: { id: number; version: number; hash: string }[] }>('/operator/api/queue', { kind: 'withdrawal', status: 'open', limit: '100' }, ann);
  const row = data.toSorted((a, b) => b.id - a.id)[0];
  const decision = { kind: 'withdrawal', id: String(row?.id), decision: 'reject', version: String(row?.version), hash: row?.hash ?? '', reason: 'not confirmed with you' };
  await server.call('/operator/api/decide', decision, ann);
  await expect(app.sheet.getByRole('alert')).toContainText(app.t('review.gone'));
  await expect(app.sheet.getByRole('button', { name: app.t('withdraw.cancel'), exact: true })).toHaveCount(0);
  await app.accessible('a review of something that is gone');
  await app.picture('review-gone');
});
