import { expect, type Browser, type Locator, type Page } from '@playwright/test';
import { join } from 'node:path';
import { follow, type Member } from './app.ts';
import { accessible } from './axe.ts';
import { otp } from './otp.ts';
import { hears } from './said.ts';
import type { Server } from './server.ts';

/** A Tron withdrawal address with a valid checksum. */
export const TRON = 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8';
const FUND = '482915';
const DAY = '86400000';
const PASSWORD = 'one horse, two horses';

/** The console with one logged-in operator. */
export class Console {
  readonly page: Page;
  readonly server: Server;
  /** Errors reported by the browser; a journey must end without any. */
  readonly complaints: string[] = [];
  /** The session of this operator. */
  #token = '';

  private constructor(page: Page, server: Server) {
    this.page = page;
    this.server = server;
    page.on('response', (answer) => server.note(answer.headers()['x-seq']));
    page.on('request', (request) => {
      this.#token = request.headers().authorization ?? this.#token;
    });
    page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) this.complaints.push(message.text());
    });
  }

  /** A console of its own: another browser context stands for another person's machine. */
  static async open(browser: Browser, server: Server, size = { width: 1280, height: 800 }): Promise<Console> {
    const context = await browser.newContext({ viewport: size, isMobile: false, hasTouch: false, deviceScaleFactor: 1, locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' });
    const desk = new Console(await context.newPage(), server);
    await desk.page.goto(`${server.url}/console/`);
    return desk;
  }

  /** Logs in by the buttons of the sandbox; another name counts as another person. */
  async enter(role: string, name: string): Promise<void> {
    await this.page.getByLabel('Your name here').fill(name);
    this.#token = '';
    await this.page.getByRole('button', { name: new RegExp(`^${role}`) }).click();
    await this.#entered();
  }

  /** The areas are drawn before the first call with the new session is sent. */
  async #entered(): Promise<void> {
    await expect(this.page.getByRole('navigation', { name: 'Areas' })).toBeVisible();
    await expect.poll(() => this.#token, 'the session of this operator').not.toBe('');
  }

  /** Sets up by a one-time link, then logs in with the authenticator's next code. */
  async setUp(link: string, name: string): Promise<void> {
    await this.page.goto(this.server.url + link);
    await this.button('Begin').click();
    const secret = (await this.page.getByLabel('Secret for the authenticator').innerText()).replace(/\s/g, '');
    await this.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await this.page.getByLabel('Password again').fill(PASSWORD);
    await this.page.getByLabel('Authenticator code').fill(otp(secret));
    await this.button('Set password and finish').click();
    await this.button('Go to log-in').click();
    await this.page.getByLabel('Login name').fill(name);
    await this.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await this.page.getByLabel('Authenticator code').fill(otp(secret, 1));
    this.#token = '';
    await this.button('Log in').click();
    await this.#entered();
  }

  async go(place: string): Promise<void> {
    await this.page.evaluate(follow, `#/${place}`);
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The open dialog. */
  get dialog() {
    return this.page.locator('dialog[open]');
  }

  /** Goes to a case and opens it with the most frequent reason. */
  async look(kind: string, id: number): Promise<void> {
    await this.go(`${kind}/${id}`);
    await this.button('Review from the queue').click();
    await this.page.getByRole('button', { name: /^Open [A-Z]-/ }).click();
  }

  async openCase(kind: string, id: number): Promise<void> {
    await this.look(kind, id);
    await expect(this.page.getByRole('heading', { name: /All that is decided/ })).toBeVisible();
  }

  /** Opens a ticket or a chat. */
  async openTalk(kind: 'ticket' | 'chat', id: number): Promise<void> {
    await this.look(kind, id);
    await expect(this.page.getByLabel('Your answer, seen by the user')).toBeVisible();
  }

  /** The newest of a list, read from the server, because the same list on a screen may be some seconds old. */
  async #newest(path: string, fields: Record<string, string>): Promise<number> {
    const { data } = await this.server.read<{ data: { id: number }[] }>(`/operator/api/${path}`, { ...fields, limit: '100' }, this.#token);
    if (data.length === 0) throw new Error(`nothing in ${path}`);
    return Math.max(...data.map(({ id }) => id));
  }

  /** Opens the newest open proposal; returns its number. */
  async openNewest(): Promise<number> {
    const id = await this.#newest('proposals', { state: 'waiting' });
    await this.go('proposals');
    await this.page.getByRole('main').getByRole('link', { name: `P-${id}`, exact: true }).click();
    return id;
  }

  /**
   * Confirms the newest proposal, made by another operator, after checking that it is about `what`; `said` is a part of the console's
   * answer.
   */
  async confirmNewest(said = 'in force', what = ''): Promise<void> {
    const id = await this.openNewest();
    await expect(this.dialog).toContainText(what);
    await this.dialog.getByRole('button', { name: 'Confirm' }).click();
    await this.press(this.dialog.getByRole('button', { name: /^Confirm / }), `P-${id} is ${said}`);
  }

  /** The newest case of a queue, once the list shows it. */
  async newest(kind: string): Promise<number> {
    const id = await this.#newest('queue', { kind, status: 'open' });
    await this.go(kind);
    await expect(this.page.locator(`tbody a[href="#/${kind}/${id}"]`)).toBeVisible();
    return id;
  }

  /** Approves the open case and waits for this message; `needed` is what the confirmation asks for besides the press. */
  async approve(number: string, answer: string | RegExp, needed: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.button(`Approve ${number}`).click();
    for (const [label, text] of Object.entries(needed)) await this.dialog.getByLabel(label).fill(text);
    await this.press(this.dialog.getByRole('button', { name: `Approve ${number}` }), answer);
  }

  /** Presses a button and waits for the console's message. */
  async press(button: Locator, answer: string | RegExp): Promise<void> {
    await hears(this.said(answer), () => button.click());
  }

  /** The console's message after an act. */
  said(text: string | RegExp) {
    return this.page.getByRole('status').filter({ hasText: text });
  }

  /** Saves a picture of the screen. */
  async picture(name: string): Promise<void> {
    await this.page.screenshot({ path: join('results/pictures', `${name}.png`), animations: 'disabled' });
  }

  /** The accessibility checker finds no fault. */
  async accessible(what: string): Promise<void> {
    await accessible(this.page, what);
  }

  /** Nothing is wider than the screen. */
  async fits(what: string): Promise<void> {
    const wide = () => this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    // Some parts get their new width a moment after the screen.
    await expect.poll(wide, `width of ${what}`).toBeLessThanOrEqual(0);
  }

  async theme(theme: 'dark' | 'light'): Promise<void> {
    await this.page.evaluate((value) => localStorage.setItem('meridian.appearance', value), JSON.stringify({ theme }));
    await this.page.reload();
    await expect(this.page.locator('html')).toHaveAttribute('data-theme', theme);
  }

  async close(): Promise<void> {
    expect(this.complaints, 'what the browser complained about').toEqual([]);
    await this.page.context().close();
  }
}

/** Submits basic documents for review; returns the number of the submission. */
export async function submitBasic(server: Server, member: Member): Promise<void> {
  const number = `AB${Date.now()}`;
  await server.call('user/real_name', { country: 'de', name: 'Ann Marie Lee', card_id: number, address: '1 Road', residence_address: '2 Road' }, member.token);
}

/** Sends the member a code for this purpose; one is available a minute, which is a little over a second in a sandbox. */
async function code(server: Server, member: Member, purpose: string): Promise<string> {
  await new Promise((wake) => setTimeout(wake, 1_500));
  await server.call('set/sms_other_mail', { type: purpose }, member.token);
  return server.code(member.email);
}

/** A verified member requests 30 of 100 USDT to an address that is old enough. */
export async function withdrawal(server: Server, member: Member): Promise<void> {
  const fund = await code(server, member, 'fund');
  await server.call('safe/update_password', { password: FUND, re_password: FUND, login_password: member.password, code: fund }, member.token);
  await server.call('/sandbox/faucet', { asset: 'USDT', amount: '100' }, member.token);
  const fields = { currency_id: '3', netType: 'TRC20', address: TRON, pay_password: FUND, notes: 'Cold' };
  await server.call('wallet/addaddress', { ...fields, code: await code(server, member, 'operation') }, member.token);
  await server.call('/sandbox/clock', { advance_ms: DAY });
  const [stored] = await server.read<{ id: number }[]>('wallet/get_address', { currency: '3' }, member.token);
  await server.call('wallet/out', { currency: '3', number: '30', address_id: String(stored?.id), pay_password: FUND }, member.token);
}
