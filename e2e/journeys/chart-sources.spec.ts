import { advance } from '../support/clock.ts';
import { buyer, SYMBOL } from '../support/options.ts';
import { expect, test } from '../support/test.ts';

/** Three sources or more: each is silent at times. */
const NAMES = /^Prices: index of ((alder|birch|cedar|hazel|maple)(, | and |\.$)){3,5}$/;
/** The time that the line shows, seconds: five minutes and the space for the next samples. */
const SHOWN = 345;

test('the chart names the sources of its prices, or that they are trades here or computed', async ({ app }) => {
  await app.release(SYMBOL);
  const said = app.page.locator('main').filter({ visible: true });
  await app.open('trade/kline', `symbol=${SYMBOL}`);
  await expect(said.getByText(NAMES)).toBeVisible();
  await app.button('trade.moreActions').click();
  await app.sheet.getByRole('button', { name: app.t('trade.chart.trade'), exact: true }).click();
  await app.dismiss();
  await expect(app.text('journal.chart.trades')).toBeVisible();
  await app.sound('a chart of trades');
  await app.open('trade/kline', 'symbol=ETH/BTC');
  await expect(app.text('journal.chart.computed')).toBeVisible();
});

test('a time without prices is a gap in the candles and in their table, and in the line of options', async ({ app, server }) => {
  await app.release(SYMBOL);
  // Ten minutes are missing between two candles.
  await app.page.route('**/api/currency/new_timeshar*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { message: unknown[] };
    if (route.request().url().includes('series=index')) body.message.splice(-30, 10);
    await route.fulfill({ response: answer, json: body });
  });
  await app.open('trade/kline', `symbol=${SYMBOL}`);
  const gap = app.page.getByText(/^No prices from .+ to .+\.$/).filter({ visible: true });
  await expect(gap).toBeVisible();
  await app.sound('a chart with a gap');
  await app.picture('chart-gap');
  await app.button('trade.period.m1').click();
  await expect(gap).toBeVisible();
  await app.picture('chart-gap-candles');
  await app.page.unrouteAll({ behavior: 'wait' });

  // The clock jumps over half a minute without prices.
  const member = await buyer(app, server);
  expect(member.token).not.toBe('');
  await app.open('option/detail');
  await expect(app.page.getByText(NAMES).filter({ visible: true })).toBeVisible();
  const line = app.page.locator('svg path[stroke="var(--accent)"]').filter({ visible: true });
  /** The breaks of the line: how long each is, and how long before the newest sample it ends, seconds. */
  const breaks = () =>
    line.evaluate((path, shown) => {
      const second = (path.closest('svg')?.clientWidth ?? 0) / shown;
      const pieces = (path.getAttribute('d') ?? '').split('M').slice(1).map((piece) => piece.split('L').map((place) => parseFloat(place)));
      const newest = pieces.at(-1)?.at(-1) ?? 0;
      return pieces.slice(1).map(([begin = 0], n) => ({ long: (begin - (pieces[n]?.at(-1) ?? 0)) / second, ago: (newest - begin) / second }));
    }, SHOWN);
  const jump = Date.now();
  await advance(server, 30_000);
  // Other breaks may come and go, but one as long that is as recent is this one.
  await expect.poll(async () => (await breaks()).some(({ long, ago }) => long > 29 && ago < 1 + (Date.now() - jump) / 1_000)).toBe(true);
  await expect(app.page.getByText(/^(No prices|\d+ gaps without prices, the last) from /).filter({ visible: true })).toBeVisible();
  await app.sound('a line with a gap');
  await app.picture('line-gap');
});
