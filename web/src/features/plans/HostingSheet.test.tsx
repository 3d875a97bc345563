import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import type { Hosting } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { activate, t, withWealthWords } from '../../lib/i18n';
import HostingSheet from './HostingSheet';

const server = vi.hoisted(() => ({ preview: {}, asked: 0, sent: [] as string[], refusal: undefined as Error | undefined }));
vi.mock('../../lib/http', async (original) => ({
  ...(await original<object>()),
  api: {
    get: async (path: string) => {
      if (path !== 'lh/deposit/order/preview') return { message: [] };
      server.asked += 1;
      return { message: server.preview };
    },
    post: async (path: string) => {
      server.sent.push(path);
      if (server.refusal) throw server.refusal;
      return { data: { order: {} } };
    },
  },
}));

const DAY = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 11, 6);
const ORDER = { id: 1, config_id: 2, currency_id: 3, currency_name: 'USDT', day: 15, day_percent: '0.4', amount: '1000.000000', current_interest: '20.000000', total_interest: '60.000000', damages: '0.000000', penalty: '0.000000', cancel_fee: '0.000000', status: 1, is_cancel: 0, returned: null, created_at_ms: MIDNIGHT - 6 * DAY, start_at_ms: MIDNIGHT - 5 * DAY, end_at_ms: MIDNIGHT + 10 * DAY } as Hosting;
const preview = (interest: string, damages: string, returned: string, until: number) => ({ id: 1, day_index: 5, accrued_days: 5, remain_day: 10, current_interest: interest, damages, penalty: '6.000000', cancel_fee: '46.000000', returned, valid_until_ms: until });

beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  vi.setSystemTime(MIDNIGHT - 3_600_000);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  queryClient.clear();
  await activate('en');
  await withWealthWords(async () => ({}))();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('figures of a day that is over are not sent: they are read again, and looked at again', async () => {
  server.preview = preview('20.000000', '40.000000', '974.000000', MIDNIGHT);
  render(
    <QueryClientProvider client={queryClient}>
      <HostingSheet order={ORDER} open onClose={() => {}} onEnd={() => {}} />
    </QueryClientProvider>,
  );
  await screen.findByText('If you leave today');
  fireEvent.click(screen.getByRole('button', { name: 'Redeem early', hidden: true }));
  const redeem = screen.getByRole('button', { name: /^Redeem now, get 974\.00/, hidden: true });
  server.preview = preview('24.000000', '36.000000', '982.000000', MIDNIGHT + DAY);
  // The device slept: the next tick is on the next day.
  vi.setSystemTime(MIDNIGHT + 60_000);
  const before = server.asked;
  act(() => void vi.advanceTimersByTime(1_000));
  fireEvent.click(redeem);
  expect(server.sent).toEqual([]);
  expect(await screen.findByText('This changed while you were checking it. Nothing was sent.')).toBeTruthy();
  expect(server.asked).toBe(before + 1);
  fireEvent.click(screen.getByRole('button', { name: 'Check the new version', hidden: true }));
  expect(screen.getByRole('button', { name: /^Redeem now, get 982\.00/, hidden: true })).toBeTruthy();
});

test('a new review says nothing of what was refused before', async () => {
  server.preview = preview('20.000000', '40.000000', '974.000000', MIDNIGHT);
  render(
    <QueryClientProvider client={queryClient}>
      <HostingSheet order={ORDER} open onClose={() => {}} onEnd={() => {}} />
    </QueryClientProvider>,
  );
  await screen.findByText('If you leave today');
  const redeem = () => fireEvent.click(screen.getByRole('button', { name: 'Redeem early', hidden: true }));
  redeem();
  server.refusal = new Refusal('E_ACCOUNT_FROZEN', '');
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: /^Redeem now/, hidden: true })));
  server.refusal = undefined;
  expect(screen.getByText(t('errors.E_ACCOUNT_FROZEN'))).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: t('plans.keep'), hidden: true }));
  redeem();
  expect(screen.queryByText(t('errors.E_ACCOUNT_FROZEN'))).toBeNull();
});
