import { test as base, expect } from '@playwright/test';
import { App } from './app.ts';
import { Server } from './server.ts';

/** Marks the popup of a new coin as read: it would appear some seconds after the home page and block a journey. */
export const readBefore = () => {
  if (location.protocol.startsWith('http')) localStorage.setItem('meridian.recommended', JSON.stringify({ ids: [1, 2, 3] }));
};

/** Journeys share the sandbox of their worker; each has members of its own. */
export const test = base.extend<{ app: App; other: App }, { server: Server }>({
  server: [
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  app: async ({ page, server }, use, info) => {
    const app = new App(page, server);
    await page.addInitScript(readBefore);
    await use(app);
    if (info.status !== info.expectedStatus) await info.attach('server.log', { body: server.log, contentType: 'text/plain' });
    else expect(app.complaints, 'what the browser complained about').toEqual([]);
  },
  /** The same app on a second device. */
  other: async ({ browser, server }, use) => {
    const context = await browser.newContext();
    await context.addInitScript(readBefore);
    await use(new App(await context.newPage(), server));
    await context.close();
  },
});

export { expect };
