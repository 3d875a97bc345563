import { useQuery } from '@tanstack/react-query';
import { checkNewestHead } from '../../lib/verify/newest';
import { api } from '../../lib/http';
import { Refusal } from '../../lib/errors';

/** The newest signed head and this phone's check of it; `null` while none is signed. Read once a visit and on demand. */
export const useHead = () =>
  useQuery({
    queryKey: ['head'],
    staleTime: 30_000,
    queryFn: checkNewestHead,
  });

/** Balances of the house, and the entries that they follow from. */
export const usePools = () =>
  useQuery({
    queryKey: ['pools'],
    queryFn: async () => {
      const { message, data } = await api.get('public/pools');
      return { pools: message, liquidity: data.liquidity, from: data.from_seq, to: data.to_seq };
    },
  });

/** Public figures, each with the entries that it follows from; figures without data are omitted. */
export const useStats = () => useQuery({ queryKey: ['stats'], queryFn: async () => (await api.get('public/stats')).message });

/** What the venue owes its members after an entry, with the previous cut; `null` if there is none. */
export const useOwed = (seq: number | undefined) =>
  useQuery({
    queryKey: ['owed', seq],
    queryFn: async () => {
      try {
        const { message: cut } = await api.get('proof/liabilities', seq === undefined ? {} : { seq });
        const before = cut.previous_seq === null ? null : (await api.get('proof/liabilities', { seq: cut.previous_seq })).message;
        return { cut, before };
      } catch (error) {
        if (error instanceof Refusal && error.code === 'E_NOT_FOUND') return null;
        throw error;
      }
    },
  });

/** The check of a receipt and the sheet that shows it. */
export const loadCheck = () => import('../../ui/verify/ReceiptCheck');

/** The check of a leaf and the sheet that shows it. */
export const loadLeaf = () => import('./LeafSheet');
