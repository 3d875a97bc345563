import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../data/query';
import type { Product } from '../generated/api';
import { activate } from '../lib/i18n';
import { TabBar } from './TabBar';

vi.mock('../lib/http', async (original) => ({ ...(await original<object>()), api: { get: () => new Promise(() => {}) } }));
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
