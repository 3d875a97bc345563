import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useCommit } from '../../data/commit';
import { queryClient } from '../../data/query';
import type { FlashQuote } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { withMoneyWords, activate } from '../../lib/i18n';
import { amount } from '../../lib/money';
import type { acceptQuote } from './api';
import { ReviewSheet } from './ReviewSheet';

const server = vi.hoisted(() => ({ sent: [] as unknown[], answer: (): unknown => undefined }));
vi.mock('../../lib/http', async (original) => ({
  ...(await original<object>()),
  api: {
    post: async (_: string, params: unknown) => {
      server.sent.push(params);
      const answer = server.answer();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  },
}));

const QUOTE: FlashQuote = { quote_id: 7701, l_currency_id: 3, r_currency_id: 1, num: '1000.000000', gross: '0.00999000', fee: '0.00000999', net: '0.00998001', price: '0', index_from: '1.00000000', index_to: '100000.00', expires_ms: Date.now() + 60_000 };
const side = (id: number, code: string, scale: number) => ({ id, code, name: code, scale, least: amount('0'), most: amount('1') });
const fresh = vi.fn();
const shared = vi.hoisted(() => vi.fn());
vi.mock('../../ui/copy', () => ({ copyText: vi.fn(), shareText: shared }));

function Sheet({ expired }: { expired: boolean }) {
  const commit = useCommit<Awaited<ReturnType<typeof acceptQuote>>>('convert');
  return <ReviewSheet open onClose={() => {}} quote={QUOTE} expired={expired} from={side(3, 'USDT', 6)} to={side(1, 'BTC', 8)} available={amount('5000')} commit={commit} onFresh={async () => fresh()} onDone={() => {}} />;
}
const show = (expired = false) =>
  render(
    <QueryClientProvider client={queryClient}>
      <Sheet expired={expired} />
    </QueryClientProvider>,
  );
/** A dialog is not modal in jsdom. */
const button = (name: RegExp) => screen.findByRole('button', { name, hidden: true });

beforeEach(async () => {
  HTMLDialogElement.prototype.showModal ??= () => {};
  HTMLDialogElement.prototype.close ??= () => {};
  server.sent = [];
  fresh.mockReset();
  await activate('en');
  await withMoneyWords(async () => ({}))();
});
afterEach(cleanup);

test('what is shown is what is accepted, by its number alone', async () => {
  server.answer = () => ({ data: { id: 1, l_currency_name: 'USDT', r_currency_name: 'BTC', num: QUOTE.num, net: QUOTE.net, fee: QUOTE.fee, created_at_ms: 0 } });
  show();
  fireEvent.click(await button(/^Convert 1,000\.00/));
  expect(await screen.findByText(/0\.00998001\sBTC is in Spot\./)).toBeTruthy();
  expect(server.sent).toEqual([{ quote_id: 7701 }]);
  expect(screen.getByText('1 Jan 1970, 00:00:00 (UTC)')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Get help with this', hidden: true }).getAttribute('href')).toMatch(/number=1&of=conversion$/);
  fireEvent.click(screen.getByRole('button', { name: 'Share', hidden: true }));
  expect(shared).toHaveBeenCalledWith('USDT to BTC\n1,000.00 USDT → 0.00998001 BTC\nConverted\nConversion number 1');
});

test('a quote whose time is up cannot be accepted: a fresh one is asked for', async () => {
  show(true);
  expect(screen.getByText('This rate has expired. Nothing was converted.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Convert 1/, hidden: true })).toBeNull();
  fireEvent.click(await button(/Get a fresh rate/));
  expect(fresh).toHaveBeenCalledOnce();
  expect(server.sent).toEqual([]);
});

test('without a connection the button says so, and asks for nothing', async () => {
  const line = (on: boolean) =>
    act(() => {
      Object.defineProperty(navigator, 'onLine', { value: on, configurable: true });
      dispatchEvent(new Event(on ? 'online' : 'offline'));
    });
  show(true);
  line(false);
  fireEvent.click(await button(/^Converting needs a connection$/));
  expect(screen.queryByRole('button', { name: /Get a fresh rate|^Convert 1/, hidden: true })).toBeNull();
  expect([fresh.mock.calls, server.sent]).toEqual([[], []]);
  line(true);
  expect(await button(/Get a fresh rate/)).toBeTruthy();
});

test.each([
  ['E_QUOTE_EXPIRED', 'This rate has expired. Nothing was converted.'],
  // Newer quotes of the same member replaced it.
  ['E_NOT_FOUND', 'This rate has expired. Nothing was converted.'],
  ['E_PRICE_MOVED', /The market moved by more than spread and fee/],
  ['E_STATE', /already used/],
])('%s is said, and the same quote is not sent again', async (code, text) => {
  server.answer = () => new Refusal(code, '');
  show();
  fireEvent.click(await button(/^Convert 1,000\.00/));
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Convert 1/, hidden: true })).toBeNull();
  expect(await button(/Get a fresh rate/)).toBeTruthy();
});

test('the most that can be lost by converting stands in money above all that makes it up', async () => {
  show();
  const label = await screen.findByText('Most you can lose, at the prices of this quote');
  const lines = [...document.querySelectorAll('dl > div')].map((line) => line.textContent?.replaceAll('\u00a0', ' '));
  expect(label.closest('dl > div')?.textContent?.replaceAll('\u00a0', ' ')).toBe(lines[0]);
  expect(lines[0]).toBe('Most you can lose, at the prices of this quote2.00 USDT');
  expect(screen.getByText(/^You give 1,000\.00\sUSDT and get 0\.00998001\sBTC, or nothing is converted\./)).toBeTruthy();
});
