import type { Page } from '@playwright/test';
import type { App } from '../support/app.ts';
import { chunkOf } from '../support/build.ts';
import { expect, test } from '../support/test.ts';

const MARKET = ['trade/kline', 'symbol=BTC/USDT'] as const;
const scroller = (page: Page) => page.locator('[data-scroll]').filter({ visible: true }).first();
const scrolled = (page: Page) => scroller(page).evaluate((main) => main.scrollTop);
const left = async (app: App, name: string) => (await app.page.getByRole('region', { name }).boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };

test('a wide screen shows the chart on the left and the order on the right', async ({ app }) => {
  const { page } = app;
  await page.setViewportSize({ width: 1280, height: 800 });
  await app.open(...MARKET);
  await app.settled();
  // Parts of the page that load later may move both between two measurements.
  await expect(async () => {
    const chart = await left(app, app.t('trade.chart.title'));
    const form = await left(app, app.t('trade.form'));
    expect(chart.width).toBeGreaterThan(form.width * 1.5);
    expect(form.x).toBeGreaterThanOrEqual(chart.x + chart.width);
    expect(form.y).toBeLessThan(chart.y + chart.height / 2);
  }).toPass({ timeout: 30_000 });
  await app.accessible('chart and order on a wide screen');
  await app.fits('chart and order on a wide screen');
  await app.picture('wide-dark');
  await app.theme('light');
  await app.settled();
  await app.accessible('chart and order on a wide screen in light');
  // Other pages stay in one column, and a narrow screen has one column everywhere.
  await app.open();
  await expect.poll(async () => (await page.locator('main').filter({ visible: true }).first().boundingBox())?.width).toBeLessThanOrEqual(480);
  await page.setViewportSize({ width: 1000, height: 800 });
  await app.open(...MARKET);
  await app.settled();
  await expect(async () => {
    const below = await left(app, app.t('trade.form'));
    const above = await left(app, app.t('trade.chart.title'));
    expect(below.y).toBeGreaterThanOrEqual(above.y + above.height);
  }).toPass({ timeout: 30_000 });
});

test('the chart fills the screen, keeps its period, and comes back', async ({ app }) => {
  const { page } = app;
  await app.open(...MARKET);
  await app.settled();
  const open = app.button('trade.chart.full');
  await open.click();
  await expect(app.sheet.getByRole('heading', { name: 'BTC/USDT' })).toBeFocused();
  await expect(app.sheet.locator('canvas').first()).toBeVisible();
  const size = async () => {
    const box = await app.sheet.boundingBox();
    return { width: box?.width, height: box?.height };
  };
  await expect.poll(size).toEqual(page.viewportSize());
  // The page behind keeps the chart's space and draws no second one.
  await expect(page.locator('main canvas:not(dialog canvas)')).toHaveCount(0);
  await app.sheet.getByRole('button', { name: app.t('trade.period.d1'), exact: true }).click();
  await app.accessible('chart on the full screen');
  await page.setViewportSize({ width: 844, height: 390 });
  await app.fits('chart on the full screen, turned');
  await app.picture('full-chart-turned');
  await page.goBack();
  await expect(app.sheet).toHaveCount(0);
  await expect(page).toHaveURL(/trade\/kline/);
  await expect(app.button('trade.period.d1')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('main canvas').first()).toBeVisible();
  await expect(app.button('trade.chart.full')).toBeFocused();
});

test('the name of a pair stays on one line on every phone', async ({ app }) => {
  const { page } = app;
  await app.open();
  await app.settled();
  for (const width of [320, 340, 360, 375, 380, 384, 390, 412, 430]) {
    await page.setViewportSize({ width, height: 844 });
    for (const symbol of ['BTC/USDT', 'ETH/USDT', 'USDC/USDT']) {
      const name = page.locator('main a').getByText(symbol, { exact: true }).filter({ visible: true }).first();
      await expect.poll(() => name.evaluate((element) => new Set([...element.getClientRects()].map((line) => line.top)).size), `${symbol} at ${width} px`).toBe(1);
    }
  }
});

test('text of twice the size fits the main pages', async ({ app }) => {
  const { page } = app;
  await page.addInitScript(() => addEventListener('DOMContentLoaded', () => document.documentElement.style.setProperty('font-size', '200%')));
  const member = await app.member();
  await app.fund(member, 'USDT', '12345.678901');
  await app.signIn(member);
  for (const [path, query] of [['index/index'], ['trade/index'], MARKET, ['option/detail'], ['assets/index'], ['assets/transfer/index'], ['settings/security/changePassword'], ['settings/appearance']] as const) {
    await app.open(path, query);
    await app.settled();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
    await app.fits(`${path} with text of twice the size`);
    await app.accessible(`${path} with text of twice the size`);
    await app.picture(`double-${path.replaceAll('/', '-')}`);
  }
});

test('a person who wants no motion gets none', async ({ app }) => {
  const { page } = app;
  /** Anything that could move: every element with an animation or a transition that takes time. */
  const moving = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('*')].flatMap((element) => {
        const { animationName, animationDuration, transitionDuration } = getComputedStyle(element);
        const takes = (durations: string) => durations.split(',').some((duration) => Number.parseFloat(duration) > 0);
        return takes(transitionDuration) || (animationName !== 'none' && takes(animationDuration)) ? [element.outerHTML.slice(0, 100)] : [];
      }),
    );
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await app.open();
  expect((await moving()).length, 'what moves for everybody else').toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await moving()).toEqual([]);
  await app.button('menu.open').click();
  await expect(app.sheet).toBeVisible();
  expect(await moving()).toEqual([]);
  await app.dismiss();
  await app.open(...MARKET);
  expect(await moving()).toEqual([]);
});

test('the colours of a rise and a fall are the ones that were chosen, also in the chart', async ({ app }) => {
  const { page } = app;
  const colour = (name: string) => page.evaluate((of) => getComputedStyle(document.documentElement).getPropertyValue(of).trim(), name);
  for (const [preset, up, down] of [
    ['red-green', '--c-red', '--c-green'],
    ['red-blue', '--c-red', '--c-blue'],
    ['blue-orange', '--c-blue', '--c-orange'],
    ['green-red', '--c-green', '--c-red'],
  ] as const) {
    await app.open('settings/appearance');
    await page.getByText(app.t(`settings.preset.${preset}`), { exact: true }).click();
    await app.open(...MARKET);
    await app.settled();
    expect([await colour('--up'), await colour('--down')]).toEqual([await colour(up), await colour(down)]);
    const buy = app.button('trade.buy');
    await expect(buy).toHaveAttribute('aria-pressed', 'true');
    const fill = await buy.evaluate((button) => getComputedStyle(button).backgroundColor);
    const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(colourOf[up].slice(at, at + 2), 16));
    expect(fill).toBe(`rgb(${r}, ${g}, ${b})`);
    // Thirty days have rises and falls; hours over which a journey moved the clock have one price.
    await app.button('trade.period.d1').click();
    await expect.poll(() => drawn(page, colourOf[up])).toBe(true);
    await expect.poll(() => drawn(page, colourOf[down])).toBe(true);
    await app.accessible(`chart and order in ${preset}`);
  }
});

/** The palette of the dark theme, from the design. */
const colourOf = { '--c-green': '#3CCB8E', '--c-red': '#FF6B66', '--c-blue': '#5AB0FF', '--c-orange': '#FF9A4D' } as const;

/** Whether a canvas of the chart has a pixel of this colour. */
const drawn = (page: Page, hex: string) =>
  page.locator('main canvas').evaluateAll((all, wanted) => {
    const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(wanted.slice(at, at + 2), 16));
    return (all as HTMLCanvasElement[]).some((canvas) => {
      if (!canvas.width || !canvas.height) return false;
      // A thin candle is drawn over two columns of pixels, each mixed with a little of the background.
      const near = (of: number | undefined, wanted: number | undefined) => Math.abs((of ?? 0) - (wanted ?? 0)) <= 32;
      const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      for (let at = 0; at < data.length; at += 4) if (near(data[at], r) && near(data[at + 1], g) && near(data[at + 2], b) && data[at + 3] === 255) return true;
      return false;
    });
  }, hex);

test('code that did not come is fetched when it is asked for again, and the page stays', async ({ app }) => {
  const { page } = app;
  await app.open('settings/language/language');
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  const stayed = () => page.evaluate(() => 'stayed' in window);
  const row = page.getByRole('button', { name: '日本語', exact: true });
  const words = `**/${chunkOf('/jp.json.compiled')}`;
  await page.route(words, (route) => route.abort());
  await app.press(row, app.t('settings.languageFailed', { language: '日本語' }));
  await expect(row).toHaveAttribute('aria-pressed', 'false');
  await page.unroute(words);
  await row.click();
  await expect(row).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'English', exact: true }).click();

  const chart = `**/${chunkOf('/ui/chart/chart.ts')}`;
  await page.route(chart, (route) => route.abort());
  await app.open(...MARKET);
  await expect(app.text('trade.chart.failed')).toBeVisible();
  await page.unroute(chart);
  await app.button('ui.tryAgain').click();
  await expect(page.locator('main canvas').first()).toBeVisible();
  expect(await stayed()).toBe(true);
});

test.describe('with a finger', () => {
  test.use({ hasTouch: true, isMobile: true });
  test('a drag up over the chart scrolls the page, a drag sideways moves the chart', async ({ app, server }) => {
    const { page } = app;
    await app.open(...MARKET);
    await app.settled();
    const canvas = page.locator('main canvas').first();
    await expect(canvas).toBeVisible();
    const finger = await page.context().newCDPSession(page);
    const drag = async (dx: number, dy: number) => {
      const box = await canvas.boundingBox();
      if (!box) throw new Error('the chart has no place');
      const [x, y] = [box.x + 80, box.y + 60];
      await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
      for (let step = 1; step <= 12; step++) {
        await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: x + (dx * step) / 12, y: y + (dy * step) / 12 }] });
        await page.waitForTimeout(16);
      }
      await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    // Prices do not move, so that only the finger can change the picture. The page says so above the chart, which moves it down.
    await server.call('/sandbox/price', { symbol: 'BTC/USDT', halt: '1' });
    await expect(page.getByText(/The chart stands still/)).toBeVisible();
    const picture = () => page.locator('main canvas').evaluateAll((all) => all.map((node) => (node as HTMLCanvasElement).toDataURL()).join());
    let before = '';
    await expect
      .poll(
        async () => {
          const last = before;
          before = await picture();
          return before === last;
        },
        { intervals: [700] },
      )
      .toBe(true);
    // The browser drops a drag that a busy page does not answer in time.
    const dragged = async (dx: number, dy: number, seen: () => Promise<unknown>) => {
      await drag(dx, dy);
      return seen();
    };
    await expect.poll(() => dragged(140, 8, picture)).not.toBe(before);
    expect(await scrolled(page)).toBe(0);
    await expect.poll(() => dragged(6, -120, () => scrolled(page))).toBeGreaterThan(60);
    await app.release('BTC/USDT');
  });
});
