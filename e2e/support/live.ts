import { type Browser, expect, type Page } from '@playwright/test';
import { Anvil } from './anvil.ts';
import { App } from './app.ts';
import { Console } from './console.ts';
import { Mail } from './mail.ts';
import { Server } from './server.ts';

/** m/44'/60'/0' of the mnemonic that development nodes use, and the first address below it. */
const KEY = 'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';
export const FIRST = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

export interface Desks {
  ada: Console;
  bob: Console;
}

/** A live server on a real chain node, with its mail, the app of one member and the consoles of two operators. */
export interface Live {
  live: Server;
  mail: Mail;
  anvil: Anvil;
  app: App;
  desks: Desks;
}

/** Starts all of it for a journey, prints the server's log if the journey fails, and stops it. */
export async function onChain(page: Page, browser: Browser, journey: (all: Live) => Promise<void>): Promise<void> {
  const [mail, anvil] = [await Mail.start(), await Anvil.start()];
  const live = await Server.start({ genesis: 'live', args: ['--chain-ethereum', anvil.url, '--smtp-url', mail.url] });
  try {
    const desks = { ada: await Console.open(browser, live), bob: await Console.open(browser, live) };
    await journey({ live, mail, anvil, app: new App(page, live), desks });
    await desks.ada.close();
    await desks.bob.close();
  } catch (error) {
    console.log(live.log);
    throw error;
  } finally {
    await live.stop();
    anvil.stop();
    mail.stop();
  }
}

/** Two operators set themselves up with the machine's links and agree on where deposits arrive. */
export async function openDesks(live: Server, { ada, bob }: Desks): Promise<void> {
  const roles = 'verifier,treasury,market';
  await ada.setUp(live.operator('ada', roles), 'ada');
  await bob.setUp(live.operator('bob', roles), 'bob');
  await ada.go('catalog/network');
  await ada.button('Propose a receiving key').click();
  await ada.dialog.getByLabel('Chain').selectOption('ERC20');
  await ada.dialog.getByLabel('Receiving key', { exact: true }).fill(KEY);
  await ada.dialog.getByLabel('Reason').fill('The custody wallet of Ethereum');
  await ada.accessible('the proposal of a receiving key');
  await ada.press(ada.dialog.getByRole('button', { name: 'Propose the change' }), 'second person');
  await bob.openNewest();
  // The confirmer compares the first addresses with the wallet.
  await expect(bob.dialog).toContainText(FIRST);
  await bob.accessible('a receiving key to confirm');
  await bob.picture('console-receiving-key');
  await bob.dialog.getByRole('button', { name: 'Confirm' }).click();
  await bob.press(bob.dialog.getByRole('button', { name: /^Confirm/ }).last(), 'in force');
}

/** Registers by e-mail with the code of the message. */
export async function register(app: App, mail: Mail): Promise<void> {
  const email = `ada.example.${Date.now()}@example.org`;
  await app.open();
  await app.button('ui.createAccount').click();
  await app.page.getByRole('link', { name: app.t('auth.emailText') }).click();
  await app.field('auth.email').fill(email);
  await app.button('auth.sendCode').click();
  await app.field('auth.code').fill(await mail.code(email));
  await app.field('auth.password').fill('a long pass word 7');
  await app.field('auth.repeat').fill('a long pass word 7');
  await app.page.getByText(app.t('auth.agree')).click();
  await app.button('ui.createAccount').click();
  await expect(app.text('home.total')).toBeVisible();
}
