import { useSyncExternalStore } from 'react';
import { languageCode } from '../lib/i18n';
import { configureSocket, connect, onPrivate, onResync, socketStatus, watchStatus, type Status } from '../lib/socket';
import type { SpotOrder } from '../generated/api';
import { patchBalances, type BalanceChange } from './balances';
import { patchOrder } from './orders';
import { queryClient, refreshPrivate } from './query';
import { useSession } from './session';

/** Starts the live connection and turns its private events into cache changes. */
export function startLive(onLoggedOut: () => void): void {
  configureSocket({ logout: onLoggedOut });
  onPrivate<BalanceChange[]>('balance', patchBalances);
  onPrivate<SpotOrder>('order', patchOrder);
  onPrivate('trade', () => void queryClient.invalidateQueries({ queryKey: ['me', 'fills'] }));
  onResync(refreshPrivate);
  void connect({ token: useSession.getState().token, language: languageCode() });
}

export const useSocketStatus = (): Status => useSyncExternalStore(watchStatus, socketStatus);

/** The device says it has no network. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener);
      addEventListener('offline', listener);
      return () => {
        removeEventListener('online', listener);
        removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
}
