import type { Locator } from '@playwright/test';

/** Presses a button twice: the second tap comes when something else is already in its place. */
export async function tapTwice(button: Locator): Promise<void> {
  await button.evaluate((element) => {
    const heading = () => document.querySelector('dialog[open] h2')?.textContent;
    const before = heading();
    const { x, y, width, height } = element.getBoundingClientRect();
    const watch = new MutationObserver(() => {
      if (heading() === before) return;
      watch.disconnect();
      const hit = document.elementFromPoint(x + (width * 3) / 4, y + height / 2);
      if (hit instanceof HTMLElement) hit.click();
    });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await button.click();
}
