import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../data/query';
import { activate } from '../lib/i18n';
import { Page } from './Page';
import { isRoute } from './routes';

vi.mock('../lib/http', async (original) => ({ ...(await original<object>()), api: { get: () => new Promise(() => {}) } }));
afterEach(cleanup);

/** The table of the product's specification. Links to these pages are everywhere, so none may change or disappear. */
const TABLE: Record<string, string> = {
  index: 'index jied orderlist notice/notice',
  notice: 'index',
  trade: 'index kline',
  option: 'detail',
  lever: 'index',
  finance: 'index buyPage ordersPage rulePage',
  publication: 'index details purchase',
  assets: 'index tradeAccount flashpair transfer/index transfer/record deposit/index deposit/charge withdraw/index withdraw/detail withdraw/bank/bank record',
  'user/login': 'login register choose forgetPassword stopChange',
  'user/address': 'address create index',
  settings: 'index language/language account/index account/edit security/index security/changePassword security/changePayPassword',
  verification: 'index basic advanced history',
  bankbind: 'index addbank',
  promotion: 'index',
  'help/center': 'center chat detail',
  template: 'index',
};

test('every page of the specification is there', () => {
  const pages = Object.entries(TABLE).flatMap(([folder, names]) => names.split(' ').map((name) => `${folder}/${name}`));
  expect([...pages, 'help-center', '/choose-location', '/open-location'].filter((path) => !isRoute(path))).toEqual([]);
});

test.each<[string, string]>([
  ['option/detail', 'This server does not offer options.'],
  ['lever/index', 'This server does not offer contracts.'],
  ...['index', 'buyPage', 'ordersPage', 'rulePage'].map((name) => [`finance/${name}`, 'This server does not offer plans.'] as [string, string]),
  ...['index', 'details', 'purchase'].map((name) => [`publication/${name}`, 'This server does not offer new coins.'] as [string, string]),
])('%s explains a product that is not there, worst case first', async (path, absent) => {
  await activate('en');
  queryClient.setQueryData(['config'], { country: '', products: [] });
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <Page path={path} />
    </QueryClientProvider>,
  );
  expect(await screen.findByText(absent)).toBeTruthy();
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  expect(container.querySelector('main')?.textContent).toMatch(/lose|If nobody trades/);
  expect(container.textContent).not.toMatch(/products\.|explain\.|options\.\w/);
});

test.each([
  ['index/jied', 'This server does not lend.'],
  ['assets/flashpair', 'This server does not convert coins.'],
])('%s says that a product is not there', async (path, absent) => {
  await activate('en');
  queryClient.setQueryData(['config'], { country: '', products: [], currencies: [] });
  render(
    <QueryClientProvider client={queryClient}>
      <Page path={path} />
    </QueryClientProvider>,
  );
  expect(await screen.findByText(absent)).toBeTruthy();
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
});
