import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { activate, t, withProductWords } from '../../lib/i18n';
import BuySheet from './BuySheet';

const session = vi.hoisted(() => ({ user: undefined as object | undefined }));
vi.mock('../../data/session', async (original) => ({ ...(await original<object>()), useLoggedIn: () => session.user !== undefined, useUser: () => ({ data: session.user }) }));
vi.mock('../../data/firstUse', () => ({ useFirstUse: () => ({ text: undefined, needed: true, accept: () => {} }) }));
vi.mock('../../ui/FirstUse', () => ({ useQuestions: () => ({ title: 'Three questions', children: null, footer: null }) }));
vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { get: async () => ({ message: [] }) } }));

beforeEach(async () => {
  await activate('en');
  await withProductWords(async () => ({}))();
  vi.stubGlobal('ResizeObserver', class { observe() {} disconnect() {} });
  Object.assign(HTMLDialogElement.prototype, { showModal() {}, close() {} });
});
afterEach(cleanup);

const sheet = () => {
  const coin = { id: 3, name: 'USDT', micro_trade_fee: '0.5', micro_min: '5', micro_holdtrade_max: 20, micro_numbers: [] };
  const terms = { durations: [], coins: [coin] };
  return (
    <QueryClientProvider client={queryClient}>
      <BuySheet open onClose={() => {}} pair={{ symbol: 'BTC/USDT', match_id: 1, legal_id: 3 } as never} terms={terms as never} direction={1} onDirection={() => {}} receiptParts={() => ({ title: '', children: null, footer: null })} />
    </QueryClientProvider>
  );
};

test('the questions are for members: after a log-out in another tab the sheet asks to log in', () => {
  session.user = { review_status: 2 };
  const { rerender } = render(sheet());
  expect(screen.getByText('Three questions')).toBeTruthy();
  session.user = undefined;
  rerender(sheet());
  expect(screen.queryByText('Three questions')).toBeNull();
  expect(screen.getByText(t('trade.reason.guest'))).toBeTruthy();
});
