import { expect, type Locator } from '@playwright/test';
import type { App } from './app.ts';

/** A line is visible when the sheet opens, completely above the button; what needs scrolling is below it. */
async function above(line: Locator, button: Locator): Promise<void> {
  await expect(line).toBeInViewport({ ratio: 1 });
  const commit = await button.elementHandle();
  if (!commit) throw new Error('the sheet has no button');
  await expect.poll(() => line.evaluate((element, below) => below.getBoundingClientRect().top - element.getBoundingClientRect().bottom, commit)).toBeGreaterThanOrEqual(0);
}

/** The sheet shows the largest possible loss in money: first in its outcome line, left of the gain, and above the button that commits. */
export async function worstAbove(app: App, amount: string, button: Locator): Promise<void> {
  const halves = app.sheet.locator('p.vh + [aria-hidden="true"]').filter({ hasText: amount }).locator('> *');
  const worst = halves.first().getByText(amount, { exact: true });
  await above(worst, button);
  const left = async (box: Locator) => (await box.boundingBox())?.x ?? 0;
  expect(await left(halves.first())).toBeLessThan(await left(halves.last()));
}

/** Anything that is bought at a price can become worthless, so its highest cost is shown above the button. */
export const mostAbove = (app: App, label: string, amount: string, button: Locator): Promise<void> =>
  above(app.sheet.locator('dl > div').filter({ hasText: app.t(label) }).getByText(amount, { exact: true }), button);
