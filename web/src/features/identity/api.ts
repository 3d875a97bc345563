import { useInfiniteQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import { api } from '../../lib/http';
import { NO_DETAILS, sent, type Details } from './model';

/** What was typed is kept while the app is open; it is never stored on the device. */
export const useDetails = create<Details>(() => NO_DETAILS);

export const sendDetails = (details: Details) => api.post('user/real_name', sent(details), { quiet: true });

export const sendPhotos = (front: string, back: string, hand: string) => api.post('user/real_name2', { front_pic: front, reverse_pic: back, hand_pic: hand }, { quiet: true });

const PAGE = 30;
/** Own submissions. */
export function useAttempts() {
  return useInfiniteQuery({
    queryKey: ['me', 'funding', 'attempts'],
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => (await api.get('charge_mention/verification_log', { page: pageParam, limit: PAGE })).message,
    getNextPageParam: (last) => (last.current_page < last.last_page ? last.current_page + 1 : undefined),
  });
}
