import { expect, type Locator, type Page } from '@playwright/test';
import { join } from 'node:path';
import { accessible } from './axe.ts';
import { type Catalogue, catalogue } from './catalogue.ts';
import { hears } from './said.ts';
import type { Server } from './server.ts';

export type Values = Record<string, string | number>;

/** A person of the sandbox. */
export interface Member {
  email: string;
  password: string;
  token: string;
}

interface Book {
  bids: string[][];
  asks: string[][];
}
/** Levels that the house keeps on each side. */
const LEVELS = 8;
/** The shortest polling interval of pages, milliseconds. */
const POLL = 15_000;

let members = 0;

/** The app on the phone, in the texts of its own catalogue. */
export class App {
  readonly page: Page;
  readonly server: Server;
  /** Errors reported by the browser; a journey must end without any. */
  readonly complaints: string[] = [];
  #code = 'en';
  #tag = 'en';
  #words: Catalogue = {};

  constructor(page: Page, server: Server) {
    this.page = page;
    this.server = server;
    this.#words = catalogue('en');
    page.on('response', (answer) => server.note(answer.headers()['x-seq']));
    page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
    page.on('console', (message) => {
      const text = message.text();
      // The journey itself causes a failed request by killing the server or cutting the connection.
      if (message.type() === 'error' && !text.startsWith('Failed to load resource') && !/WebSocket connection|ERR_/.test(text)) {
        this.complaints.push(`console: ${text}`);
      }
    });
  }

  /** A text of the catalogue in the present language; of plurals the form for one, if it has one, or for many. */
  t(key: string, values: Values = {}): string {
    let at: string | Catalogue | undefined = this.#words;
    for (const part of key.split('.')) at = typeof at === 'object' ? at[part] : undefined;
    if (typeof at !== 'string') throw new Error(`${this.#code}.json has no text ${key}`);
    const form = (name: string, one: string | undefined, many: string) => (Number(values[name]) === 1 ? (one ?? many) : many).replace('#', String(values[name]));
    const counted = at.replace(/\{(\w+), plural,(?: one \{([^{}]*)\})?.*?other \{([^{}]*)\}\}/g, (_, ...found: [string, string | undefined, string]) => form(...found));
    return counted.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  }

  /** A decimal of the wire as the present language writes it, with at least this many decimals. */
  number(text: string, min: number): string {
    const short = text.includes('.') ? text.replace(/0+$/, '') : text;
    const decimals = Math.max(min, (short.split('.')[1] ?? '').length);
    return new Intl.NumberFormat(this.#tag, { useGrouping: 'always', minimumFractionDigits: decimals, maximumFractionDigits: decimals } as Intl.NumberFormatOptions).format(
      text as unknown as bigint,
    );
  }

  /** Opens a page of the app by its hash route. */
  async open(path = 'index/index', query = ''): Promise<void> {
    const place = path.startsWith('/') ? path : `/pages/${path}`;
    const url = `${this.server.url}/h5/#${place}${query && `?${query}`}`;
    // Navigating to the same document with another hash does not reload it.
    if (this.page.url().startsWith(`${this.server.url}/h5/`)) {
      // A sheet that has just closed leaves the history a moment later, and would undo the new place.
      await this.page.waitForFunction(() => document.querySelector('dialog[open]') || location.hash.includes('user/login') || !(history.state as { layer?: number } | null)?.layer);
      await this.page.evaluate(follow, `${place}${query && `?${query}`}`);
    } else await this.page.goto(url);
    await this.settled();
  }

  /** From the next load on the page does not poll, so any later change came as an event. */
  async onlyTold(): Promise<void> {
    await this.page.addInitScript((least) => {
      const every = window.setInterval;
      window.setInterval = ((run: TimerHandler, ms = 0, ...rest: unknown[]) => every(ms >= least ? () => {} : run, ms, ...rest)) as typeof window.setInterval;
    }, POLL);
  }

  /** From the next load on the app reads that the server does not offer these products. */
  async withhold(...products: string[]): Promise<void> {
    await this.page.route('**/api/app/config*', async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { message: { products: { product: string }[] } };
      json.message.products = json.message.products.filter(({ product }) => !products.includes(product));
      await route.fulfill({ response, json });
    });
  }

  /** Loads the page as if the app had just been opened, once all earlier writes can be read. */
  async reload(): Promise<void> {
    await this.server.read('app/config');
    await this.page.reload();
    await this.settled();
  }

  /** Waits until the page is drawn: it has content, and no placeholder is left. */
  async settled(): Promise<void> {
    await expect(this.page.locator('#root main').filter({ visible: true }).first()).toBeVisible();
    await expect(this.page.locator('[aria-busy="true"]').filter({ visible: true })).toHaveCount(0);
  }

  /** Chooses the language on its page, as a person does. */
  async language(code: string): Promise<void> {
    const config = await this.server.read<{ languages: { code: string; name: string; bcp47: string }[] }>('app/config');
    const language = config.languages.find((one) => one.code === code);
    if (!language) throw new Error(`the server does not know the language ${code}`);
    await this.open('settings/language/language');
    const row = this.page.getByRole('button', { name: language.name, exact: true });
    await row.click();
    await expect(row).toHaveAttribute('aria-pressed', 'true');
    this.#code = code;
    this.#tag = language.bcp47;
    this.#words = catalogue(code);
    await expect(this.page.getByRole('heading', { name: this.t('settings.language'), exact: true })).toBeVisible();
  }

  /** A member who registered by the interface; journeys about registration use the screen. */
  async member(): Promise<Member> {
    members += 1;
    const person = { email: `member${members}.${Date.now()}@example.org`, password: `pass word ${members}` };
    await this.server.call('sms_mail', { user_string: person.email, type: 'register' });
    const code = await this.server.code(person.email);
    const { password } = person;
    await this.server.call('user/register', {
      type: 'email',
      user_string: person.email,
      code,
      password,
      re_password: password,
      agree: '1',
    });
    return { ...person, token: await this.server.call<string>('user/login', { user_string: person.email, password }) };
  }

  /** Pins the index of a pair at this price until it is released, and waits for the book to follow. */
  async pin(symbol: string, price: string): Promise<void> {
    await this.server.call('/sandbox/price', { symbol, price });
    const near = (level: string[] | undefined) => level !== undefined && Math.abs(Number(level[0]) / Number(price) - 1) < 0.0005;
    await expect
      .poll(async () => {
        const { bids, asks } = await this.server.read<Book>('market/book', { symbol });
        return near(bids[0]) && near(asks[0]) && bids.length >= LEVELS && asks.length >= LEVELS;
      })
      .toBe(true);
  }

  release = (symbol: string) => this.server.call('/sandbox/price', { symbol, release: '1' });

  /** Credits paper money from the sandbox. */
  async fund(member: Member, asset: string, amount: string, account = 'change'): Promise<void> {
    await this.server.call('/sandbox/faucet', { asset, amount, account }, member.token);
  }

  /** Opens the app with this member's session, as the app itself stores it. */
  async signIn(member: Member): Promise<void> {
    const user = await this.server.read<unknown>('user/center', {}, member.token);
    const record = JSON.stringify({ user, token: member.token, version: '1.0.0' });
    // Any response of the server shares the storage, so the app itself is loaded only once, with the session.
    await this.page.goto(`${this.server.url}/readyz`);
    await this.page.evaluate((value) => localStorage.setItem('meridian.session', value), record);
    await this.server.read('app/config');
    await this.page.goto(`${this.server.url}/h5/`);
    await this.settled();
  }

  /** Reloads the app in another theme. */
  async theme(theme: 'dark' | 'light'): Promise<void> {
    await this.page.evaluate((value) => localStorage.setItem('meridian.appearance', value), JSON.stringify({ theme }));
    await this.reload();
    await expect(this.page.locator('html')).toHaveAttribute('data-theme', theme);
  }

  button(key: string, values: Values = {}) {
    return this.page.getByRole('button', { name: this.t(key, values).replace(/[.。]$/, ''), exact: true });
  }

  link(key: string, values: Values = {}) {
    return this.page.getByRole('link', { name: this.t(key, values), exact: true });
  }

  field(key: string, values: Values = {}) {
    return this.page.getByLabel(this.t(key, values), { exact: true });
  }

  /** A visible text; pages hidden behind the present one do not count. */
  text(key: string, values: Values = {}) {
    return this.page.getByText(this.t(key, values)).filter({ visible: true }).first();
  }

  /** The open sheet. */
  get sheet() {
    return this.page.locator('dialog[open]');
  }

  /** Closes the open sheet with Escape, until it has left the history as well. */
  async dismiss(): Promise<void> {
    const place = () => this.page.evaluate(() => (history.state as { index: number }).index);
    const inside = await place();
    await this.page.keyboard.press('Escape');
    await expect(this.sheet).toHaveCount(0);
    await expect.poll(place).toBeLessThan(inside);
  }

  /** A tab of the bar. */
  tab(key: string) {
    return this.page.getByRole('navigation', { name: this.t('app.tabs') }).getByRole('link', { name: this.t(key), exact: true });
  }

  /** Presses a button and waits for the app's message. */
  async press(button: Locator, answer: string): Promise<void> {
    await hears(this.said(answer), () => button.click());
  }

  /** The app's message after an act. */
  said(text: string) {
    return this.page.getByRole('status').filter({ hasText: text });
  }

  /** Fills in the code that the sandbox shows instead of sending it. */
  async enterCode(): Promise<void> {
    await this.button('auth.fillIn').click();
  }

  /** Fills in the log-in form for an e-mail address and sends it. */
  async logIn(email: string, password: string): Promise<void> {
    await this.button('auth.byEmail').click();
    await this.field('auth.email').fill(email);
    await this.field('auth.password').fill(password);
    await this.button('ui.logIn').click();
  }

  /** The accessibility checker finds no fault in what is shown; `colours` false omits its colour rules. */
  async accessible(what: string, colours = true): Promise<void> {
    await accessible(this.page, what, colours);
  }

  /** Nothing is wider than the screen, and no text shows the name of a missing one. */
  async fits(what: string): Promise<void> {
    const wide = () =>
      this.page.evaluate(() => {
        const limit = document.documentElement.clientWidth;
        // Content of a row that scrolls may be wider; a whole page may not.
        const inRow = (element: Element): boolean => {
          for (let at: Element | null = element; at && at.matches(':not([data-scroll], dialog, #root)'); at = at.parentElement) {
            if (/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflowX)) return true;
          }
          return false;
        };
        const pages = [document.documentElement, ...document.querySelectorAll('[data-scroll], dialog')].filter((page) => page.scrollWidth > page.clientWidth);
        const over = [...document.querySelectorAll('#root *')].filter((element) => element.getBoundingClientRect().right > limit + 1 && !inRow(element));
        return [...pages, ...over].map((element) => `${element.scrollWidth} px: ${element.outerHTML.slice(0, 120)}`);
      });
    // Charts get their new width a moment after the screen.
    await expect.poll(wide, `width of ${what}`).toEqual([]);
    const text = await this.page.locator('#root').innerText();
    const areas = Object.keys(catalogue('en')).join('|');
    expect(text.match(new RegExp(`\\b(?:${areas})\\.[a-z]\\w+(?:\\.\\w+)*`, 'g')) ?? [], `missing texts of ${what}`).toEqual([]);
  }

  /** Checks the narrowest phone and a wide one, without accessibility faults. */
  async sound(what: string): Promise<void> {
    for (const width of [320, 430]) {
      await this.page.setViewportSize({ width, height: 844 });
      await this.fits(`${what} at ${width} px`);
    }
    await this.page.setViewportSize({ width: 390, height: 844 });
    await this.accessible(what);
  }

  /** Saves a picture of the screen. */
  async picture(name: string): Promise<void> {
    await this.page.screenshot({ path: join('results/pictures', `${name}.png`), animations: 'disabled' });
  }
}

/** Runs in the page: sets a hash, and waits until the page has handled it. */
export async function follow(hash: string): Promise<void> {
  const before = location.hash;
  const heard = new Promise((done) => addEventListener('hashchange', done, { once: true }));
  location.hash = hash;
  if (location.hash !== before) await heard;
}
