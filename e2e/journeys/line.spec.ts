import { expect, test } from '../support/test.ts';

/** The live connection on poor networks: slow, or without WebSockets. */

const SOCKET = /\/socket\.io\//;
const LATE = 10_000;

test('prices that come ten seconds late are told as ten seconds old (F32)', async ({ app }) => {
  const { page } = app;
  await page.routeWebSocket(SOCKET, (line) => {
    const server = line.connectToServer();
    // The connection opens as usual, but its market events are late.
    server.onMessage((message) => setTimeout(() => line.send(message), /"(daymarket|index)"/.test(String(message)) ? LATE : 0));
  });
  await app.open('trade/kline', 'symbol=BTC/USDT');
  const age = page.getByText(/^\d+ s old$/);
  await expect(age).toBeVisible();
  // Also after the first late events have arrived.
  await page.waitForTimeout(LATE + 5_000);
  await expect(age).toBeVisible();
  // After a lost and restored connection the prices are read again, once.
  await expect.poll(async () => parseInt(await age.innerText(), 10)).toBeGreaterThanOrEqual(9);
});

test('where a network lets no WebSocket through, prices come all the same', async ({ app }) => {
  const { page } = app;
  await page.addInitScript(() => {
    window.WebSocket = class extends EventTarget {
      onerror = () => {};
      close = () => {};
      constructor() {
        super();
        setTimeout(() => this.onerror());
      }
    } as unknown as typeof WebSocket;
  });
  const polled = page.waitForRequest((request) => SOCKET.test(request.url()) && request.url().includes('transport=polling'));
  await app.open();
  await polled;
  await expect(page.getByRole('link', { name: /BTC\s*\/\s*USDT/ })).not.toContainText(app.t('ui.notLive'));
});
