import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import { useSession } from '../../data/session';
import { api } from '../../lib/http';
import { detailsOf, isBlank, NO_DETAILS, sent, type Details } from './model';

/** Input is kept while its member stays logged in, and is never stored on the device. */
export const useDetails = create<Details>(() => NO_DETAILS);
useSession.subscribe(({ user }, before) => user?.id !== before.user?.id && useDetails.setState(NO_DETAILS));

/** After a rejection the form contains the previous submission, unless something else was typed already. */
export function useTypedBefore(rejected: boolean): void {
  const { data } = useQuery({
    queryKey: ['me', 'typed'],
    enabled: rejected,
    staleTime: Infinity,
    gcTime: 0,
    queryFn: async () => (await api.get('charge_mention/verification_log', { page: 1, limit: 1 })).data.typed,
  });
  useEffect(() => {
    if (data && isBlank(useDetails.getState())) useDetails.setState(detailsOf(data));
  }, [data]);
}

export const sendDetails = (details: Details) => api.post('user/real_name', sent(details), { quiet: true });

export const sendPhotos = (front: string, back: string, hand: string) => api.post('user/real_name2', { front_pic: front, reverse_pic: back, hand_pic: hand }, { quiet: true });

const PAGE = 30;
/** The member's own submissions. */
export function useAttempts() {
  return useInfiniteQuery({
    queryKey: ['me', 'funding', 'attempts'],
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => (await api.get('charge_mention/verification_log', { page: pageParam, limit: PAGE })).message,
    getNextPageParam: (last) => (last.current_page < last.last_page ? last.current_page + 1 : undefined),
  });
}
