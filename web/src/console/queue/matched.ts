import type { QueueItem } from '../api';
import { useRead } from '../reads';

/** The observed transfers that could pay a deposit notice: of its user, coin and network, and not credited yet. */
export function useMatched({ row, fields }: Pick<QueueItem, 'row' | 'fields'>, enabled = true) {
  const { data, error } = useRead('observations', { state: 'matched', page: 1, limit: 100 }, { enabled });
  return { error, transfers: data?.data.filter((one) => one.user_id === row.user_id && one.currency_id === fields.currency_id && one.chain === fields.network) };
}
