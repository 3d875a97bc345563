import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { activate, t, withJournalWords } from '../../lib/i18n';
import NoteLines from './NoteLines';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('sources that agree again are named after seconds', async () => {
  await activate('en');
  await withJournalWords(async () => ({}))();
  const sources = vi.fn(async (): Promise<readonly string[] | undefined> => undefined);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <NoteLines of={{ key: 'BTC/USDT', sources }} gaps={[]} />
    </QueryClientProvider>,
  );
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await wait(1);
  expect(screen.getByText(t('journal.chart.none'))).toBeTruthy();
  sources.mockResolvedValue(['alder', 'birch']);
  await wait(5_000);
  expect(screen.getByText('Prices: index of alder and birch.')).toBeTruthy();
  // Names that are known are read much less often.
  await wait(20_000);
  expect(sources).toHaveBeenCalledTimes(2);
});
