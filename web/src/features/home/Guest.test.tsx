import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { activate, t } from '../../lib/i18n';
import { Guest } from './Home';

const prices = vi.hoisted(() => ({ stale: false }));
vi.mock('../../data/tickers', async (original) => ({ ...(await original<object>()), usePriceStale: () => prices.stale }));
vi.mock('../../data/config', async (original) => ({ ...(await original<object>()), useConfig: () => ({ markets: [{ symbol: 'BTC/USDT' }] }) }));
afterEach(cleanup);

test('a guest is promised live prices only while there are some', async () => {
  await activate('en');
  const { rerender } = render(<Guest />);
  expect(screen.getByText(t('home.guestTitle'))).toBeTruthy();
  prices.stale = true;
  rerender(<Guest key="again" />);
  expect(screen.queryByText(t('home.guestTitle'))).toBeNull();
  expect(screen.getByText(t('trade.reason.stale'))).toBeTruthy();
});
