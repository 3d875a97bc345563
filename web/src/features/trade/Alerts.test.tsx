import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { activate, withProductWords } from '../../lib/i18n';
import Alerts from './Alerts';

const { toast } = vi.hoisted(() => ({ toast: vi.fn() }));
vi.mock('../../ui/Toast', async (original) => ({ ...(await original<object>()), toast }));
vi.mock('../../lib/online', async (original) => ({ ...(await original<object>()), useConnected: () => true }));
vi.mock('../../data/session', async (original) => ({ ...(await original<object>()), useLoggedIn: () => true }));
vi.mock('../../data/tickers', async (original) => ({
  ...(await original<object>()),
  usePriceAge: () => ({ age: 0, stale: false }),
  // Orders of the pair have one decimal, its index has two.
  useTicker: () => ({ symbol: 'BTC/USDT', match_id: 1, price_digits: 1, index_price: '97432.15' }),
}));
vi.mock('../../data/alerts', () => ({ useAlerts: () => ({ data: [] }), addAlert: async () => ({ price: '98000.00' }), deleteAlert: async () => {} }));

beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
afterEach(cleanup);

test('an alert says the index as it is compared, and its level as the list says it', async () => {
  await activate('en');
  await withProductWords(async () => ({}))();
  render(<Alerts open onClose={() => {}} symbol="BTC/USDT" level={undefined} />);
  expect(screen.getByText('Now 97,432.15')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Price'), { target: { value: '98000' } });
  fireEvent.click(screen.getByRole('button', { name: 'Set alert', hidden: true }));
  await vi.waitFor(() => expect(toast).toHaveBeenCalledWith('Alert set for 98,000.00', expect.anything()));
});
