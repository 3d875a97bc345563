// @vitest-environment jsdom
import { beforeEach, describe, expect, test, vi } from 'vitest';

const load = async (hash: string) => {
  vi.resetModules();
  history.replaceState(null, '', `/h5/${hash}`);
  const nav = await import('./nav');
  nav.startNav((path) => ['index/index', 'assets/index', 'trade/kline', 'assets/transfer/index', 'user/login/login'].includes(path));
  return nav;
};
/** However long a step takes here, the lock of a second is not over. */
const withinTheLock = () => vi.useFakeTimers({ toFake: ['Date'] });
const soon = () => new Promise((done) => setTimeout(done, 20));

beforeEach(() => vi.useRealTimers());

test('the query stays inside the hash', async () => {
  const nav = await load('#/pages/trade/kline?symbol=BTC%2FUSDT');
  expect(nav.current().path).toBe('trade/kline');
  expect(nav.current().query.get('symbol')).toBe('BTC/USDT');
  expect(nav.href('trade/kline', { symbol: 'BTC/USDT', none: undefined })).toBe('#/pages/trade/kline?symbol=BTC%2FUSDT');
  expect(nav.parse('').path).toBe('index/index');
  expect(nav.parse('#/choose-location').path).toBe('/choose-location');
});

test('the number of an object in an address is whole and exact, or none', async () => {
  const { idInAddress } = await load('#/pages/trade/kline');
  expect(['7', '999999999999999'].map(idInAddress)).toEqual([7, 999_999_999_999_999]);
  for (const text of [null, '', '1000000000000000', '-7', '7.5', '1e3', ' 7', 'seven']) expect(idInAddress(text)).toBe(0);
});

describe('backpage', () => {
  test.each([
    '//evil.com',
    'https:evil.com',
    '\\\\evil.com',
    '/\\evil.com',
    '%2f%2fevil.com',
    'javascript:alert(1)',
    'data:text/html,x',
    '/h5/#//evil.com',
    '/pages/no/such',
    '/pages/user/login/login',
    '%252Fpages%252Fassets%252Findex',
    `/pages/index/index?${'a'.repeat(10_000)}`,
    '/pages/index/index#//evil.com',
    '',
  ])('%s goes home', async (value) => {
    const nav = await load('');
    expect(nav.safeBackpage(value)).toEqual({ path: 'index/index', query: {} });
  });

  test('a page of the table keeps its query', async () => {
    const nav = await load('');
    expect(nav.safeBackpage('/pages/trade/kline?symbol=ETH%2FUSDT')).toEqual({ path: 'trade/kline', query: { symbol: 'ETH/USDT' } });
  });
});

test('login carries the page and its kind, once a second, and returns in place of itself', async () => {
  const nav = await load('#/pages/trade/kline?symbol=BTC%2FUSDT');
  withinTheLock();
  nav.toLogin();
  await soon();
  expect(nav.current().query.get('backpage')).toBe('/pages/trade/kline?symbol=BTC%2FUSDT');
  expect(nav.current().query.get('backtype')).toBe('1');
  const depth = history.length;
  nav.fromLogin();
  await soon();
  expect(nav.current().path).toBe('trade/kline');
  expect(history.length).toBe(depth);
  nav.toLogin();
  await soon();
  expect(nav.current().path).toBe('trade/kline');
});

test('a second guarded page within the lock leads to login when the lock ends', async () => {
  const nav = await load('#/pages/trade/kline');
  withinTheLock();
  nav.leadToLogin();
  await soon();
  expect(nav.current().path).toBe('user/login/login');
  nav.replace('index/index');
  await soon();
  nav.go('assets/transfer/index');
  await soon();
  nav.leadToLogin();
  await soon();
  expect(nav.current().path).toBe('assets/transfer/index');
  vi.useRealTimers();
  await vi.waitFor(() => expect(nav.current().query.get('backpage')).toBe('/pages/assets/transfer/index'));
});

test('a guest who left the page or logged in is led nowhere', async () => {
  const nav = await load('#/pages/trade/kline');
  withinTheLock();
  nav.leadToLogin();
  await soon();
  nav.replace('assets/transfer/index');
  await soon();
  nav.leadToLogin()();
  vi.useRealTimers();
  await new Promise((done) => setTimeout(done, 1_100));
  expect(nav.current().path).toBe('assets/transfer/index');
});

test('from a tab login is backtype 2: it leaves its entry, and back goes where it would have gone before', async () => {
  const nav = await load('#/pages/trade/kline');
  nav.go('assets/index');
  await soon();
  nav.toLogin();
  await soon();
  expect(nav.current().query.get('backtype')).toBe('2');
  nav.fromLogin();
  nav.fromLogin();
  await vi.waitFor(() => expect(nav.current().path).toBe('assets/index'));
  await soon();
  expect(nav.current().path).toBe('assets/index');
  nav.back();
  await vi.waitFor(() => expect(nav.current().path).toBe('trade/kline'));
});

test.each([
  ['2', 'assets/index', 'trade/kline'],
  ['1', 'assets/index', 'trade/kline'],
  ['2', 'assets/transfer/index', 'trade/kline'],
])('a login of backtype %s that was opened by its address returns to %s, and back from there leads to %s', async (backtype, path, below) => {
  const nav = await load('#/pages/trade/kline');
  nav.go('user/login/login', { backpage: `/pages/${path}`, backtype });
  await soon();
  nav.fromLogin();
  await vi.waitFor(() => expect(nav.current().path).toBe(path));
  nav.back();
  await vi.waitFor(() => expect(nav.current().path).toBe(below));
});

test('a login that is the first page returns in place of itself', async () => {
  const nav = await load('#/pages/user/login/login?backpage=%2Fpages%2Fassets%2Findex&backtype=2');
  const depth = history.length;
  nav.fromLogin();
  await soon();
  expect([nav.current().path, history.length]).toEqual(['assets/index', depth]);
});

test('back without history goes home', async () => {
  const nav = await load('#/pages/assets/transfer/index');
  nav.back();
  await soon();
  expect(nav.current().path).toBe('index/index');
});

test('device back closes a sheet and stays on the page', async () => {
  const nav = await load('#/pages/trade/kline');
  const close = vi.fn();
  nav.openLayer(close);
  await soon();
  history.back();
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
  expect(nav.current().path).toBe('trade/kline');
});

test('sheets that a reload closed leave the history, so that back closes the next one', async () => {
  const before = await load('#/pages/trade/kline');
  const { hash } = before.current();
  before.openLayer(() => {});
  before.openLayer(() => {});
  await soon();
  vi.resetModules();
  const nav = await import('./nav');
  nav.startNav(() => true);
  await vi.waitFor(() => expect(history.state).toEqual({ index: 0 }));
  const close = vi.fn();
  nav.openLayer(close);
  await soon();
  history.back();
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
  expect(nav.current().hash).toBe(hash);
});

test('a page opened right after a sheet closes does not lose its place', async () => {
  const nav = await load('#/pages/trade/kline');
  const leave = nav.openLayer(() => {});
  leave();
  nav.go('assets/index');
  await vi.waitFor(() => expect(nav.current().path).toBe('assets/index'));
  nav.back();
  await vi.waitFor(() => expect(nav.current().path).toBe('trade/kline'));
});

test('a sheet that opens while another one leaves stays open, and back closes it alone', async () => {
  const nav = await load('#/pages/trade/kline');
  // A browser takes time for a step back, and nothing added to the history meanwhile prevents it.
  const step = history.back.bind(history);
  vi.spyOn(history, 'back').mockImplementation(() => void setTimeout(step, 50));
  const [first, second] = [nav.openLayer(() => {}), vi.fn()];
  await soon();
  first();
  nav.openLayer(second);
  await new Promise((done) => setTimeout(done, 200));
  expect(second).not.toHaveBeenCalled();
  nav.back();
  await vi.waitFor(() => expect(second).toHaveBeenCalledOnce());
  expect(nav.current().path).toBe('trade/kline');
});

test('sheets that close together, the lower one first, leave nothing behind', async () => {
  const nav = await load('#/pages/trade/kline');
  nav.go('assets/index');
  await soon();
  const [lower, upper] = [nav.openLayer(() => {}), nav.openLayer(() => {})];
  await soon();
  lower();
  upper();
  await soon();
  nav.back();
  await vi.waitFor(() => expect(nav.current().path).toBe('trade/kline'));
});

test('going back from a page that a plain link in a sheet opened leads past the closed sheet', async () => {
  const nav = await load('#/pages/trade/kline');
  const close = vi.fn();
  nav.openLayer(close);
  await soon();
  location.hash = '#/pages/assets/index';
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
  expect(nav.current().path).toBe('assets/index');
  nav.back();
  await vi.waitFor(() => expect(history.state).toEqual({ index: 0 }));
  expect(nav.current().path).toBe('trade/kline');
});
