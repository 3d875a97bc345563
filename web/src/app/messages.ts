import { useSession } from '../data/session';
import { clearToasts } from '../ui/Toast';

/** What was said to one member is not for the next: it names their pairs and orders, and its button acts for whoever is logged in. */
export const clearForOthers = () =>
  useSession.subscribe(({ user }, { user: before }) => {
    if (before && before.id !== user?.id) clearToasts();
  });
