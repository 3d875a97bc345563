import { languageCode } from '../lib/i18n';
import { configureSocket, connect, onPrivate, onResync } from '../lib/socket';
import type { Notification, SpotOrder } from '../generated/api';
import { patchBalances, type BalanceChange } from './balances';
import { receiveNotice } from './notices';
import { patchOrder } from './orders';
import { refreshPrivate, refreshSoon } from './query';
import { useSession } from './session';

/** Starts the live connection and applies its private events to the cache. */
export function startLive(onLoggedOut: () => void): void {
  configureSocket({ logout: onLoggedOut });
  onPrivate<BalanceChange[]>('balance', patchBalances);
  onPrivate<SpotOrder>('order', patchOrder);
  onPrivate('trade', () => refreshSoon(['me', 'fills']));
  onPrivate<Notification>('notification', receiveNotice);
  onResync(refreshPrivate);
  void connect({ token: useSession.getState().token, language: languageCode() });
}
