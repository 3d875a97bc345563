import type { ReactNode } from 'react';
import { go, href } from '../../lib/nav';
import css from './EntryLink.module.css';

/** Leads to an entry of the public log, which is read there once more and compared with the hash that is known here. */
export function EntryLink({ seq, hash, children }: { seq: number; hash?: string | undefined; children: ReactNode }) {
  const query = { seq, hash };
  return (
    <a
      className={css.link}
      href={href('settings/proof/entry', query)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        // The sheet that it stands on leaves the history first.
        event.preventDefault();
        go('settings/proof/entry', query);
      }}
    >
      {children}
    </a>
  );
}
