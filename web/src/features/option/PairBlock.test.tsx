import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Pair } from '../../generated/api';
import { activate, withProductWords } from '../../lib/i18n';
import { PairBlock } from './PairBlock';

const replace = vi.hoisted(() => vi.fn());
vi.mock('../../lib/nav', async (original) => ({ ...(await original<object>()), replace }));
vi.mock('../../ui/PairPicker', () => ({
  default: ({ onValue, onClose }: { onValue: (symbol: string) => void; onClose: () => void }) => (
    <button
      type="button"
      onClick={() => {
        onValue('ETH/USDT');
        onClose();
      }}
    >
      Ether
    </button>
  ),
}));

const pair = (symbol: string) => ({ symbol, currency_name: symbol.slice(0, 3), index_price: '1.00', change: '0' }) as Pair;
const block = (symbol: string) => <PairBlock pair={pair(symbol)} symbols={['BTC/USDT', 'ETH/USDT']} />;

beforeEach(async () => {
  await activate('en');
  await withProductWords(async () => ({}))();
});
afterEach(cleanup);

test('a pair is chosen once: going back to the one before stays there', async () => {
  const { rerender } = render(block('BTC/USDT'));
  fireEvent.click(screen.getByRole('button', { name: /BTC/ }));
  fireEvent.click(await screen.findByText('Ether'));
  expect(replace.mock.calls).toEqual([['option/detail', { symbol: 'ETH/USDT' }]]);
  rerender(block('ETH/USDT'));
  act(() => rerender(block('BTC/USDT')));
  expect(replace).toHaveBeenCalledTimes(1);
});
