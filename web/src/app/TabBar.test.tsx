import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../data/query';
import type { Product } from '../generated/api';
import { useSession } from '../data/session';
import { activate } from '../lib/i18n';
import type { Tab } from '../lib/nav';
import { TabBar } from './TabBar';

vi.mock('../lib/http', async (original) => ({ ...(await original<object>()), api: { get: () => new Promise(() => {}) } }));
const at = vi.hoisted(() => ({ path: 'index/index' }));
vi.mock('../lib/nav', async (original) => ({ ...(await original<object>()), usePlace: () => ({ ...at }) }));
afterEach(cleanup);

test.each<[Product[], string[]]>([
  [[], ['Home', 'Trade', 'Assets']],
  [['option'], ['Home', 'Trade', 'Option', 'Assets']],
  [['option', 'plan'], ['Home', 'Trade', 'Option', 'Plans', 'Assets']],
])('with %j the tabs are %j (F46)', async (products, names) => {
  await activate('en');
  queryClient.setQueryData(['config'], { country: '', products: products.map((product) => ({ product, on: 1 })) });
  render(
    <QueryClientProvider client={queryClient}>
      <TabBar active="index/index" />
    </QueryClientProvider>,
  );
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(names);
});

test('a tab leads to the first of its pages that is there (F46)', async () => {
  await activate('en');
  queryClient.setQueryData(['config'], { country: '', products: [{ product: 'loan', on: 1 }] });
  render(
    <QueryClientProvider client={queryClient}>
      <TabBar active="index/index" />
    </QueryClientProvider>,
  );
  expect(screen.getByRole('link', { name: 'Plans' }).getAttribute('href')).toBe('#/pages/index/jied');
});

test('a tab leads to the half that was visited last, while that is there, and for the same member', async () => {
  await activate('en');
  const offer = (...products: Product[]) => queryClient.setQueryData(['config'], { country: '', products: products.map((product) => ({ product, on: 1 })) });
  const member = (id: number) => useSession.setState({ user: { id } as never, token: String(id) });
  const visit = (active: Tab, path: string = active) => {
    cleanup();
    at.path = path;
    render(
      <QueryClientProvider client={queryClient}>
        <TabBar active={active} />
      </QueryClientProvider>,
    );
  };
  const leads = () => ['Trade', 'Plans'].map((name) => screen.getByRole('link', { name }).getAttribute('href')?.replace('#/pages/', ''));
  member(1);
  offer('contract', 'plan', 'subscription', 'loan');
  visit('trade/index', 'lever/index');
  visit('finance/index', 'index/jied');
  visit('index/index');
  expect(leads()).toEqual(['lever/index', 'index/jied']);
  visit('trade/index');
  visit('index/index');
  expect(leads()).toEqual(['trade/index', 'index/jied']);
  offer('contract', 'subscription');
  visit('trade/index', 'lever/index');
  visit('index/index');
  expect(leads()).toEqual(['lever/index', 'publication/index']);
  offer('plan');
  visit('index/index');
  expect(leads()).toEqual(['trade/index', 'finance/index']);
  offer('contract', 'plan', 'subscription', 'loan');
  visit('index/index');
  expect(leads()).toEqual(['lever/index', 'index/jied']);
  member(2);
  visit('index/index');
  expect(leads()).toEqual(['trade/index', 'finance/index']);
});
