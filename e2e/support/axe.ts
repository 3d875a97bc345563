import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/** Colours do not depend on the language, so what is checked in English need not be in the others; these rules are half of the work. */
const COLOURS = { 'color-contrast': { enabled: false } };

/** The accessibility checker finds no fault in what is shown; `colours` false omits the rules of contrast. */
export async function accessible(page: Page, what: string, colours = true): Promise<void> {
  // The checker runs in the document itself, which does not include other frames.
  expect(page.frames(), `frames of ${what}`).toHaveLength(1);
  // The code of a page may still be loading: its placeholder has no heading. A page that never has one is a fault as well.
  await page.waitForFunction(() => [...document.querySelectorAll('h1, [role="heading"][aria-level="1"]')].some((heading) => heading.checkVisibility()));
  // A document keeps the checker; only a reload needs it again.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { checked, faults } = await page.evaluate(async (rules) => {
    const { passes, violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'], rules });
    return { checked: passes.length + violations.length, faults: violations.map(({ id, help, nodes }) => `${id}: ${help}\n    ${nodes.map((node) => node.html).join('\n    ')}`) };
  }, colours ? {} : COLOURS);
  expect(checked, `rules that looked at ${what}`).toBeGreaterThan(0);
  expect(faults, `accessibility of ${what}`).toEqual([]);
}
