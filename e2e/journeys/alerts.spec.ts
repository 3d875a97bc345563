import { expect, test } from '../support/test.ts';

/** Price alerts from the page of the chart, and what the chart says in words. */

const MARKET = ['trade/kline', 'symbol=BTC/USDT'] as const;

test('an alert is set, stands on the chart, fires once at its level, and is deleted', async ({ app }) => {
  const { page } = app;
  const member = await app.member();
  await app.pin('BTC/USDT', '97000');
  await app.signIn(member);
  await app.open(...MARKET);
  await app.settled();
  const bell = page.getByRole('banner').getByRole('button', { name: app.t('trade.setAlert') });
  await bell.click();
  await expect(app.sheet.getByText(app.t('alerts.emptyTitle'))).toBeVisible();
  await app.accessible('price alerts, none yet');
  const price = app.sheet.getByLabel(app.t('alerts.level'), { exact: true });
  const commit = app.sheet.locator('button[type=submit], form button').last();
  await expect(commit).toHaveText(app.t('alerts.enter'));
  await price.fill('97000');
  await expect(commit).toHaveText(app.t('alerts.same').replace(/\.$/, ''));
  await price.fill('96000');
  await expect(app.sheet.getByText(app.t('alerts.falls', { symbol: 'BTC/USDT' }))).toBeVisible();
  await price.fill('98000');
  await expect(app.sheet.getByText(app.t('alerts.rises', { symbol: 'BTC/USDT' }))).toBeVisible();
  await commit.click();
  await expect(app.sheet.getByText(app.t('alerts.above', { price: '98,000.00' }))).toBeVisible();
  await expect(app.sheet.getByText(app.t('alerts.active'), { exact: true })).toBeVisible();
  await app.accessible('price alerts with one');
  await app.picture('alerts');
  for (const width of [320, 430]) {
    await page.setViewportSize({ width, height: 844 });
    await app.fits(`price alerts at ${width}`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goBack();
  await expect(app.sheet).toHaveCount(0);
  // The chart names its lines for screen readers, too.
  await expect(page.getByRole('img', { name: /98,000\.0/ })).toBeVisible();
  await app.picture('chart-with-alert');

  // The message is visible only for seconds, so the wait for it starts before.
  const said = expect(page.getByText(/BTC\/USDT rose to your level of 98,000\.00/)).toBeVisible();
  await app.pin('BTC/USDT', '98000.5');
  await said;
  await expect(page.getByRole('img', { name: /98,000\.0/ })).toHaveCount(0);
  await app.pin('BTC/USDT', '97000');
  await app.pin('BTC/USDT', '98001');
  await bell.click();
  await expect(app.sheet.getByText(/^Reached/)).toBeVisible();
  await app.sheet.getByRole('button', { name: app.t('alerts.remove', { symbol: 'BTC/USDT', price: '98,000.00' }) }).click();
  await expect(app.sheet.getByText(app.t('alerts.emptyTitle'))).toBeVisible();
  const told = await app.server.read<{ data: unknown[] }>('notice/list', { kind: 'alert' }, member.token);
  expect(told.data).toHaveLength(1);
  await app.release('BTC/USDT');
});

test('a guest is asked to log in, and without a connection no alert can be set', async ({ app }) => {
  const { page } = app;
  await app.open(...MARKET);
  await app.settled();
  const bell = page.getByRole('banner').getByRole('button', { name: app.t('trade.setAlert') });
  await bell.click();
  await expect(app.sheet.getByText(app.t('alerts.guest'))).toBeVisible();
  await app.accessible('price alerts of a guest');
  await app.signIn(await app.member());
  await app.open(...MARKET);
  await app.settled();
  await bell.click();
  await app.sheet.getByLabel(app.t('alerts.level'), { exact: true }).fill('1');
  await page.context().setOffline(true);
  await expect(app.sheet.getByRole('button', { name: app.t('alerts.offline') })).toBeVisible();
  await page.context().setOffline(false);
  await expect(app.sheet.getByRole('button', { name: app.t('alerts.add') })).toBeVisible();
});

test('indicators are chosen, named beside their lines, and remembered; depth is a view of the book', async ({ app }) => {
  const { page } = app;
  await app.open(...MARKET);
  await app.settled();
  await expect(page.getByText('MA 25')).toBeVisible();
  await expect(page.getByText(app.t('trade.chart.volSources'))).toBeVisible();
  await app.button('trade.moreActions').click();
  await app.sheet.getByRole('button', { name: 'EMA', exact: true }).click();
  await app.sheet.getByRole('button', { name: 'RSI', exact: true }).click();
  await app.accessible('indicators of the chart');
  await page.goBack();
  await expect(app.sheet).toHaveCount(0);
  await app.reload();
  await expect(page.getByText('EMA 26')).toBeVisible();
  await expect(page.getByText('RSI 14')).toBeVisible();
  const depth = page.getByRole('button', { name: app.t('trade.depth'), exact: true });
  await depth.click();
  await expect(page.getByRole('img', { name: /^Depth of BTC\/USDT\. Buyers bid for/ })).toBeVisible();
  await app.accessible('depth of the book');
  for (const width of [320, 430]) {
    await page.setViewportSize({ width, height: 844 });
    await app.fits(`chart and depth at ${width}`);
  }
});

test('the line of the chart can be heard, to its end or until it is stopped', async ({ app }) => {
  await app.open(...MARKET);
  await app.settled();
  await app.button('trade.moreActions').click();
  // It lasts for four seconds, so the wait for it starts before.
  await Promise.all([expect(app.button('trade.chart.silence')).toBeVisible(), app.button('trade.chart.listen').click()]);
  await app.sound('a chart that is heard');
  await expect(app.button('trade.chart.listen')).toBeVisible();
  // The next tone ends only when it is stopped.
  await app.page.evaluate(() => {
    AudioScheduledSourceNode.prototype.stop = () => {};
  });
  await app.button('trade.chart.listen').click();
  await app.button('trade.chart.silence').click();
  await expect(app.button('trade.chart.listen')).toBeVisible();
  await app.page.route('**/api/currency/new_timeshar*', (route) => route.abort());
  await app.button('trade.chart.listen').click();
  await expect(app.sheet.getByRole('alert')).toHaveText(app.t('trade.chart.failed'));
});

test('under a finger each letter keeps its figure, also on the narrowest phone', async ({ app }) => {
  const { page } = app;
  await page.setViewportSize({ width: 320, height: 844 });
  await app.open(...MARKET);
  await app.settled();
  const canvas = page.getByRole('region', { name: app.t('trade.chart.title') }).getByRole('img');
  const cells = page.locator('dl', { hasText: app.t('trade.chart.letters.volume') }).locator('div').filter({ visible: true });
  let x = 120;
  // A finger that came before the candles has to move to be noticed.
  await expect(async () => {
    await canvas.hover({ position: { x: (x += 1), y: 60 } });
    await expect(cells.filter({ hasText: /^O/ }).first()).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  // All read at one moment, because the figures move with the prices.
  const wrong = () =>
    cells.evaluateAll((all) =>
      all.flatMap((cell) => {
        const parts = [...cell.querySelectorAll('dt, dd')].map((one) => one.getBoundingClientRect());
        const lines = new Set(parts.map(({ top }) => Math.round(top))).size;
        return lines === 1 && parts.every(({ height, right }) => height < 20 && right <= 320) ? [] : [`${lines} lines: ${cell.outerHTML}`];
      }),
    );
  // Text may be repainted when its font loads.
  await expect.poll(wrong).toEqual([]);
  expect(await cells.count()).toBeGreaterThan(0);
});

test('a chart that did not load, or stands still, says so and not that one can trade', async ({ app }) => {
  const { page } = app;
  await page.route('**/api/currency/new_timeshar*', (route) => route.abort());
  await app.open(...MARKET);
  await expect(page.getByText(app.t('trade.chart.failed'))).toBeVisible();
  // Without prices the chart draws an axis with figures of its own, which must not be taken for prices.
  await expect(page.getByRole('region', { name: app.t('trade.chart.title') }).getByRole('img')).toHaveCSS('opacity', '0');
  await page.unroute('**/api/currency/new_timeshar*');
  // As before a live market: all but the newest candles come from public venues.
  await page.route('**/api/currency/new_timeshar*', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { message: object[] };
    const message = answer.message.map((row, n) => (n < answer.message.length - 12 ? { ...row, past: true } : row));
    await route.fulfill({ response, json: { ...answer, message } });
  });
  await page.getByRole('region', { name: app.t('trade.chart.title') }).getByRole('button', { name: app.t('ui.tryAgain') }).click();
  await expect(page.getByText(app.t('trade.chart.failed'))).toHaveCount(0);
  await expect(page.getByText(/^Before .*\d\d:\d\d.*: prices of public venues, not in our journal$/)).toBeVisible();
  await app.picture('chart-past');
  await page.unroute('**/api/currency/new_timeshar*');
  await app.server.call('/sandbox/price', { symbol: 'BTC/USDT', halt: '1' });
  await expect(page.getByText(/^No new price since \d\d:\d\d:\d\d\. The chart stands still\.$/)).toBeVisible();
  await app.accessible('a chart that stands still');
  await app.release('BTC/USDT');
  await expect(page.getByText(/The chart stands still/)).toHaveCount(0);
});
