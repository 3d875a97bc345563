import { expect } from '@playwright/test';
import type { App } from './app.ts';

/** The end of a receipt: its number is copied and can be shared, and its link leads to help. */
export async function numbered(app: App, of: string, id: number, copy: string): Promise<void> {
  await expect(app.page.getByText(String(id), { exact: true }).filter({ visible: true }).first()).toBeVisible();
  await app.press(app.button(copy), app.t('ui.copied'));
  await expect(app.button('trade.shareOrder').filter({ visible: true })).toHaveCount(1);
  await expect(app.link('ui.getHelp').filter({ visible: true })).toHaveAttribute('href', `#/pages/help-center?number=${id}&of=${of}`);
}

/** From the receipt on the screen to a request for help, whose title names the receipt. */
export async function askAbout(app: App, title: string): Promise<void> {
  await app.link('ui.getHelp').filter({ visible: true }).click();
  await app.link('help.requests').click();
  await app.link('tickets.new').click();
  await expect(app.field('tickets.subject')).toHaveValue(title);
}
