import { test as base, expect, type Locator } from '@playwright/test';
import { App, type Member } from './app.ts';
import { advance } from './clock.ts';
import { operator } from './desk.ts';
import { Server } from './server.ts';
import { readBefore } from './test.ts';

/**
 * Each of these journeys has its own sandbox, because it spans weeks or its pools are the subject. With `popup` the new coin has not been
 * shown yet.
 */
export const test = base.extend<{ app: App; popup: boolean }>({
  popup: [false, { option: true }],
  app: async ({ page, popup }, use, info) => {
    const server = await Server.start();
    const app = new App(page, server);
    if (!popup) await page.addInitScript(readBefore);
    await use(app);
    if (info.status !== info.expectedStatus) await info.attach('server.log', { body: server.log, contentType: 'text/plain' });
    else expect(app.complaints, 'what the browser complained about').toEqual([]);
    await server.stop();
  },
});

const DAY = 86_400_000;

/** Moves the server's day forward; each advance does the work that is due. */
export async function days(server: Server, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await advance(server, DAY);
}

/** Lets this many days pass, with a visit of the member every three: a session that is unused for a week ends. */
export async function weeks(server: Server, member: Member, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 3) {
    await days(server, Math.min(3, left));
    await server.read('user/center', {}, member.token);
  }
}

/** Reads the risk text and answers its questions, as a person does who tries one answer after the other. */
export async function understand(app: App): Promise<void> {
  await expect(app.sheet.getByRole('heading', { name: app.t('risk.questions') })).toBeVisible();
  for (const question of await app.sheet.getByRole('group').all()) {
    for (const answer of await question.getByRole('radio').all()) {
      await answer.check({ force: true });
      if (await question.getByText(app.t('risk.right')).isVisible()) break;
    }
  }
  await app.button('risk.go').click();
}

export interface Hosting {
  id: number;
  amount: string;
  status: number;
  is_cancel: number;
  returned: string | null;
  current_interest: string;
  end_at_ms: number;
}
export const hostings = async (server: Server, member: Member, status = 1) => (await server.read<{ order_list: Hosting[] }>('lh/deposit/order', { status: String(status) }, member.token)).order_list;

/** The free balance in an account of the member. */
export async function free(server: Server, member: Member, account: 'trust' | 'change', coin: string): Promise<string> {
  type Rows = { balance: Record<string, string>[] };
  const wallet = await server.read<Record<string, Rows>>('wallet/list', {}, member.token);
  return wallet[`${account}_wallet`]?.balance.find((row) => row.currency_name === coin)?.[`${account}_balance`] ?? '';
}

export interface Offering {
  id: number;
  new_currency_name: string;
  state: string;
  send_start_ms: number;
  send_end_ms: number;
  online_time_ms: number;
  release: { day: number }[];
}

/** Marks the risk texts of plans and new coins as read by these members on this device. */
export async function readRisks(app: App, members: readonly Member[]): Promise<void> {
  const ids = await Promise.all(members.map(async ({ token }) => (await app.server.read<{ id: number }>('user/center', {}, token)).id));
  const seen = ids.flatMap((id) => ['plan', 'subscription'].map((product) => `${id} ${product} 1`));
  await app.page.addInitScript((marks) => {
    if (location.protocol.startsWith('http')) localStorage.setItem('meridian.firstUse', JSON.stringify({ seen: marks }));
  }, seen);
}

/** A day as the phone writes it; releases are shown in UTC. */
export const date = (ms: number, timeZone = 'Europe/Berlin') => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone }).format(ms);
/** The steps of a timeline: title, text, and whether each is done, present or future. */
export const timeline = (part: Locator) =>
  part.locator('ol > li').evaluateAll((steps) => steps.map((step) => [...[...step.querySelectorAll('div > div')].map((line) => line.textContent), step.querySelector('svg') ? 'done' : step.hasAttribute('aria-current') ? 'now' : 'next']));
/** A line of an explanation by its label. */
export const line = (part: Locator, label: string) => part.locator('dl > div').filter({ hasText: new RegExp(`^${label}`) }).locator('dd');

/** Opens the newest message with this title in the list, and follows its link. */
export async function followMessage(app: App, title: string, text: string): Promise<void> {
  await app.open('notice/index');
  await app.page.getByRole('button', { name: new RegExp(`^${app.t('messages.title')}`) }).click();
  await app.page.getByRole('button', { name: new RegExp(title) }).first().click();
  await expect(app.sheet).toContainText(text);
  await app.sheet.getByRole('link', { name: app.t('messages.open'), exact: true }).click();
}

/** Two operators agree on something; returns the result. */
export async function agree<T>(server: Server, role: string, path: string, fields: Record<string, string>): Promise<T> {
  const [one, two] = [await operator(server, role, `${role}-one`), await operator(server, role, `${role}-two`)];
  const { id, hash, values } = await server.call<{ id: number; hash: string; values: T }>(`/operator/api/${path}`, { ...fields, reason: 'agreed on Monday' }, one);
  await server.call('/operator/api/proposal/confirm', { id: String(id), hash }, two);
  return values;
}
