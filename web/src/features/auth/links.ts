import type { MouseEvent } from 'react';
import { replace } from '../../lib/nav';

/** A link between login screens replaces the present one, so that back never leads into them again. */
export const within = (path: string, query: Record<string, string>) => (event: MouseEvent) => {
  event.preventDefault();
  replace(path, query);
};
