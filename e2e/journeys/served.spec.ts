import { createHash } from 'node:crypto';
import { expect, test } from '../support/test.ts';

/** What a browser is served, by the debug binary from the folder and by the release binary from itself (`MERIDIAN_BIN`). */

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const year = 'public, max-age=31536000, immutable';

/** The directives of a policy, by name. */
const directives = (policy: string) =>
  Object.fromEntries(policy.split(';').map((part) => part.trim().split(/\s+/)).map(([name = '', ...sources]) => [name, sources]));

test('the page allows exactly its own inline script and styles, and nothing of another place', async ({ server }) => {
  const answer = await fetch(`${server.url}/h5/`);
  const html = await answer.text();
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  const policy = directives(answer.headers.get('content-security-policy') ?? '');
  const inline = (tag: string) => [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map((match) => sha256(match[1] ?? ''));
  expect(inline('script')).toHaveLength(1);
  expect(policy['script-src']).toEqual(["'self'", ...inline('script')]);
  expect(inline('style')).toHaveLength(1);
  expect(policy['style-src']).toEqual(["'self'", ...inline('style')]);
  expect(JSON.stringify(policy)).not.toMatch(/unsafe|https?:|\*/);
});

test('files with a hash in their name are kept for a year, come compressed, and unknown ones do not exist', async ({ server }) => {
  const html = await (await fetch(`${server.url}/h5/`)).text();
  const files = [...html.matchAll(/(?:src|href)="(\/h5\/static\/[^"]+)"/g)].map((match) => match[1] ?? '');
  expect(files.length).toBeGreaterThan(0);
  const compressed: (string | null)[] = [];
  for (const file of files) {
    const answer = await fetch(server.url + file, { headers: { 'accept-encoding': 'br' } });
    expect([file, answer.status, answer.headers.get('cache-control')]).toEqual([file, 200, year]);
    expect(answer.headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=utf-8$/);
    // Less than a kilobyte is sent uncompressed.
    if ((await answer.text()).length >= 1024) compressed.push(answer.headers.get('content-encoding'));
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  }
  expect(new Set(compressed)).toEqual(new Set(['br']));
  for (const missing of ['/h5/static/js/none-00000000.js', '/h5/csp.json', '/h5/../Cargo.toml', '/h5/%2e%2e/csp.json']) {
    expect([missing, (await fetch(server.url + missing)).status]).toEqual([missing, 404]);
  }
});

test('the app starts under that policy, and a script that was slipped in does not run', async ({ app }) => {
  const { page } = app;
  const wasted: string[] = [];
  page.on('console', (message) => /preload/.test(message.text()) && wasted.push(message.text()));
  await page.goto(app.server.url);
  await expect(page).toHaveURL(/\/h5\/(#|$)/);
  await expect(app.text('home.guestTitle')).toBeVisible();
  await expect(page.getByRole('link', { name: /BTC\s*\/\s*USDT/ })).not.toContainText(app.t('ui.notLive'));
  expect(app.complaints).toEqual([]);
  // The app requests what was preloaded, in the same way.
  expect(wasted).toEqual([]);
  await expect(
    page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.slippedIn = true';
      document.head.append(script);
    }),
  ).rejects.toThrow('TrustedScript');
  expect(await page.evaluate(() => 'slippedIn' in window)).toBe(false);
  app.complaints.length = 0;
});
