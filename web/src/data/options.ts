import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { OptionCoin, OptionDuration, OptionOrder } from '../generated/api';
import { api } from '../lib/http';
import { onPrivate } from '../lib/socket';
import { DAY, serverNow } from '../lib/time';
import { OPTIONS } from '../lib/wire';
import type { BalanceChange } from './balances';
import { queryClient, refresh, refreshSoon } from './query';
import { OWN_LIMITS, useLoggedIn } from './session';

/** The member's options, and the terms on which options are sold. */

export interface OptionTerms {
  durations: OptionDuration[];
  coins: OptionCoin[];
}

const TERMS = ['optionTerms'];
/** The terms changed since they were read. */
export const readTerms = () => refresh(TERMS);

/** The present terms of a pair, each duration with the hash of its rule. */
export const useOptionTerms = (pair: number | undefined) =>
  useQuery({
    queryKey: [...TERMS, pair],
    enabled: pair !== undefined,
    staleTime: 30_000,
    refetchInterval: 30_000,
    queryFn: async (): Promise<OptionTerms> => {
      const [durations, coins] = await Promise.all([api.get('microtrade/seconds', pair === undefined ? {} : { match_id: pair }), api.get('microtrade/payable_currencies')]);
      return { durations: durations.message.filter(({ status }) => status === 1), coins: coins.message };
    },
  });

const OPEN = ['me', 'options', 'open'];
const ENDED = ['me', 'options', 'ended'];
const RECORD = ['me', 'options', 'record'];

/** Ended options from events and answers; a list in transit may be older. */
const ended = new Map<number, OptionOrder>();
const KEPT = 200;
const PAGE = 20;

const newest = (rows: readonly OptionOrder[]) => rows.map((row) => ended.get(row.id) ?? row);
const remember = (option: OptionOrder) => {
  ended.set(option.id, option);
  for (const [oldest] of ended) if (ended.size > KEPT) ended.delete(oldest);
};

/** How long a result stays in the list of running options for a person who waited for it. */
const SHOWN_FOR = 120_000;

async function readOpen(): Promise<OptionOrder[]> {
  const before = queryClient.getQueryData<OptionOrder[]>(OPEN) ?? [];
  const { data } = (await api.get('microtrade/lists', { status: 1, limit: 100 })).message;
  const gone = before.filter(({ id }) => !data.some((row) => row.id === id));
  // The event with a result may have been lost with the connection.
  if (gone.some(({ id }) => !ended.has(id))) (await api.get('microtrade/lists', { status: 3, limit: PAGE })).message.data.forEach(remember);
  const kept = newest(gone).filter((row) => (row.complete_at_ms ?? 0) > serverNow() - SHOWN_FOR);
  return newest([...data, ...kept]).toSorted((a, b) => b.id - a.id);
}

/** Running options, newest first, and those that just ended. */
export const useOpenOptions = () => useQuery({ queryKey: OPEN, enabled: useLoggedIn(), queryFn: readOpen });

/** Ended options page by page, newest first. */
export const useEndedOptions = () =>
  useInfiniteQuery({
    queryKey: ENDED,
    enabled: useLoggedIn(),
    queryFn: async ({ pageParam }) => (await api.get('microtrade/lists', { status: 3, page: pageParam, limit: PAGE })).message.data,
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length + 1),
  });

const MONTH = 30 * DAY;
const WHOLE_PAGE = 100;
/** Options of the last 30 days, at most the newest thousand. */
const MOST_PAGES = 10;

/** Ended options of the last 30 days in one stake coin, newest first. */
export const useOptionRecord = (coin: number | undefined) =>
  useQuery({
    queryKey: [...RECORD, coin],
    enabled: useLoggedIn() && coin !== undefined,
    queryFn: async () => {
      const rows: OptionOrder[] = [];
      const from = serverNow() - MONTH;
      for (let page = 1; page <= MOST_PAGES; page++) {
        const { data } = (await api.get('microtrade/lists', { status: 3, currency_id: coin, page, limit: WHOLE_PAGE })).message;
        rows.push(...data.filter((row) => row.created_at_ms >= from));
        if (data.length < WHOLE_PAGE || rows.length < page * WHOLE_PAGE) break;
      }
      return rows;
    },
  });

/** A new option, or a new state of one. */
export function patchOption(option: OptionOrder): void {
  if (option.status === 3) {
    remember(option);
    queryClient.setQueryData<OptionOrder[]>(OPEN, (rows) => rows && newest(rows));
    refreshSoon(ENDED, RECORD, OWN_LIMITS);
  } else {
    queryClient.setQueryData<OptionOrder[]>(OPEN, (rows) => rows && [option, ...rows.filter(({ id }) => id !== option.id)]);
  }
  refreshSoon(['me', 'optionReceipt', option.id]);
}

export const readOpenOptions = () => refresh(OPEN);
export const refreshOptions = () => refresh(['me', 'options']);

onPrivate<OptionOrder>('option_settled', patchOption);
// A purchase on another device shows only in the balance.
onPrivate<BalanceChange[]>('balance', (changes) => {
  if (changes.some(({ account }) => account === OPTIONS)) void readOpenOptions();
});
