import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { activate } from '../../lib/i18n';
import Contracts from './Contracts';

vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { get: () => new Promise(() => {}) } }));

afterEach(cleanup);

test('the size of the example is written as the language writes numbers', async () => {
  await activate('deyu');
  render(
    <QueryClientProvider client={queryClient}>
      <Contracts />
    </QueryClientProvider>,
  );
  expect(screen.getByText(/0,01 BTC/)).toBeTruthy();
});
