import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Coin, WalletList } from '../../generated/api';
import { activate } from '../../lib/i18n';
import TradeAccount from './TradeAccount';

const server = vi.hoisted(() => ({ values: ['100', '50'] }));
const coins = [{ id: 1, code: 'BTC', is_match: 1 }, { id: 3, code: 'USDT', is_match: 1 }] as Coin[];
const row = (currency: number, value: string | undefined) => ({ currency, total: '1', usdt_total: value, change_balance: '1', lock_change_balance: '0' });
vi.mock('../../data/config', () => ({ useCoins: () => coins, useConfig: () => undefined }));
vi.mock('../../data/balances', () => ({
  refreshWallet: () => {},
  useWallet: () => ({ data: { change_wallet: { totle: '150', balance: [row(1, server.values[0]), row(3, server.values[1])] } } as unknown as WalletList }),
}));
vi.mock('../../data/total', () => ({ useTotal: () => ({ accounts: [] }) }));
vi.mock('./api', () => ({ useLog: () => ({ data: undefined }) }));
vi.mock('./HoldLinks', () => ({ HoldLinks: () => null }));
vi.mock('./Log', () => ({ Log: ({ coin }: { coin: Coin }) => <p>Log of {coin.code}</p> }));

afterEach(cleanup);

test('the log stays with the coin it opened with while values change', async () => {
  await activate('en');
  const { rerender } = render(<TradeAccount />);
  expect(screen.getByText('Log of BTC')).toBeTruthy();
  server.values = ['50', '100'];
  rerender(<TradeAccount />);
  expect(screen.getByText('Log of BTC')).toBeTruthy();
});
