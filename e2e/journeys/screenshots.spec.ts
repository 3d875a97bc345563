import { join } from 'node:path';
import { test } from '../support/test.ts';

const folder = process.env.MERIDIAN_SCREENSHOTS ?? '';

/** The pictures of README.md, from a sandbox that a member uses. Made by `make screenshots`, not by the test run. */
test('pictures', async ({ app }) => {
  const { page } = app;
  const member = await app.member();
  await app.fund(member, 'USDT', '25000');
  await app.fund(member, 'BTC', '0.4');
  await app.fund(member, 'ETH', '6');
  await app.signIn(member);
  const views = [
    ['home', 'index/index', ''],
    ['markets', 'trade/index', ''],
    ['trade', 'trade/kline', 'symbol=BTC/USDT'],
    ['assets', 'assets/index', ''],
  ] as const;
  for (const [name, path, query] of views) {
    await app.open(path, query);
    await page.waitForTimeout(4_000);
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  }
});
