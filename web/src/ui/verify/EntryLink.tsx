import type { ReactNode } from 'react';
import { t } from '../../lib/i18n';
import { href } from '../../lib/nav';
import css from './EntryLink.module.css';

/** A link to an entry of the public log, which reads it again and compares it with the hash known here. */
export function EntryLink({ seq, hash, children }: { seq: number; hash?: string | undefined; children: ReactNode }) {
  return (
    <a className={css.link} href={href('settings/proof/entry', { seq, hash })}>
      {children}
    </a>
  );
}

/** The entries behind a receipt, each with its role and the hash that the receipt gives for it. */
export function EntryList({ entries, name }: { entries: readonly { seq: number; hash: string }[]; name: (seq: number) => string }) {
  return (
    <section>
      <h3 className="m">{t('options.entries')}</h3>
      <ul className={css.list}>
        {entries.map(({ seq, hash }) => (
          <li key={seq}>
            <EntryLink seq={seq} hash={hash}>
              <span className="lab">
                {name(seq)}, <span className="num">{seq}</span>
              </span>
              <span className="cap code">{hash}</span>
            </EntryLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
