import { startLive as start } from '../data/live';
import type { Notification } from '../generated/api';
import { onPrivate } from '../lib/socket';
import { toast } from '../ui/Toast';

/**
 * Starts the live connection. A triggered price alert and a filled waiting order show a message on any page; the notice stays in the list.
 */
export function startLive(loggedOut: () => void): void {
  onPrivate<Notification>('notification', ({ kind, content }) => {
    if (kind === 'alert' || kind === 'order') toast(content, { icon: 'bell' });
  });
  start(loggedOut);
}
