import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

/** The first visit of a phone on a slow connection: what moves before the first price, and when content is visible. */

/** The browser's own "Slow 4G", and a quarter of the processor's speed. */
const LINE = { offline: false, latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 };
const KB = 1024;
const MOST = 130 * KB;

interface Figures {
  /** When the first price was visible, ms from the start. */
  price: number;
  /** Largest contentful paint, and total blocking time beyond 50 ms of each task, ms. */
  lcp: number;
  tbt: number;
}

/** Records paints, long tasks and the first price from the start. */
const observe = (page: Page) =>
  page.addInitScript(() => {
    const figures = { price: 0, lcp: 0, tbt: 0 };
    Object.assign(window, { figures });
    // Work that the app does long after it is drawn must not begin before the first price, however slow the machine is.
    const after = window.setTimeout;
    window.setTimeout = ((run: TimerHandler, ms = 0, ...rest: unknown[]) => (ms >= 5_000 ? 0 : after(run, ms, ...rest))) as typeof window.setTimeout;
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) figures.lcp = startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) figures.tbt += Math.max(0, duration - 50);
    }).observe({ type: 'longtask', buffered: true });
    const look = () => {
      if ([...document.querySelectorAll('main a')].some((row) => /BTC\s*\/\s*USDT.*\d/.test(row.textContent ?? ''))) figures.price = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });

test('a cold home shows its first words before its script runs, and moves at most 130 KB before the first price', async ({ app }) => {
  const { page } = app;
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', LINE);
  // Text is painted again when its font file loads, before the first price or after it.
  await client.send('Network.setBlockedURLs', { urls: ['*.woff2'] });
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  /** Chunks of files as they came: seconds of the browser's clock, and bytes. */
  const files = new Map<string, { url: string; parts: { at: number; bytes: number }[] }>();
  let start = 0;
  const note = (requestId: string, at: number, bytes: number) => void files.get(requestId)?.parts.push({ at, bytes });
  const sum = (parts: { bytes: number }[]) => parts.reduce((all, { bytes }) => all + bytes, 0);
  client.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    start ||= timestamp;
    files.set(requestId, { url: request.url, parts: [] });
  });
  client.on('Network.responseReceived', ({ requestId, response, timestamp }) => note(requestId, timestamp, response.encodedDataLength));
  client.on('Network.dataReceived', ({ requestId, encodedDataLength, timestamp }) => note(requestId, timestamp, encodedDataLength));
  // Some bytes of a file are reported only when it is complete.
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => note(requestId, timestamp, Math.max(0, encodedDataLength - sum(files.get(requestId)?.parts ?? []))));
  await observe(page);
  await page.goto(`${app.server.url}/h5/`);
  const figures = () => page.evaluate(() => (window as unknown as { figures: Figures }).figures);
  await expect.poll(async () => (await figures()).price).toBeGreaterThan(0);
  const { price, lcp, tbt } = await figures();
  const moved = [...files.values()]
    .map(({ url, parts }) => ({ path: url.replace(app.server.url, ''), bytes: sum(parts.filter(({ at }) => (at - start) * 1_000 <= price)) }))
    .filter(({ bytes }) => bytes > 0);
  const bytes = sum(moved);
  console.log(`cold home: ${(bytes / KB).toFixed(1)} KB before the first price at ${Math.round(price)} ms, LCP ${Math.round(lcp)} ms, TBT ${Math.round(tbt)} ms`);
  for (const file of moved.toSorted((a, b) => b.bytes - a.bytes)) console.log(`  ${(file.bytes / KB).toFixed(1).padStart(6)} KB  ${file.path}`);
  // The duration depends on the machine; that the first text waits for no script and no price does not.
  expect(lcp).toBeLessThan(price);
  expect(moved.length).toBeGreaterThan(3);
  expect(bytes).toBeLessThanOrEqual(MOST);
});
