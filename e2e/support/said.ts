import { expect, type Locator } from '@playwright/test';

/**
 * Does something that ends with a message, and waits for that message; an equal one of an earlier act must be gone by then. A message stays
 * for four seconds, and on a busy machine a click may return later than that.
 */
export async function hears(message: Locator, act: () => Promise<unknown>): Promise<void> {
  await expect(message).toHaveCount(0);
  await Promise.all([expect(message).toBeVisible(), act()]);
}

/** The same, and holds the message under the pointer: there it stays. */
export async function holds(message: Locator, act: () => Promise<unknown>): Promise<void> {
  await expect(message).toHaveCount(0);
  await Promise.all([message.hover(), act()]);
}
