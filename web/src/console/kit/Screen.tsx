import { useRef, type ReactNode } from 'react';
import { useKeys } from './keys';
import { Age } from './States';
import css from './kit.module.css';

interface Props {
  title: string;
  note?: ReactNode;
  /** When its data was read. */
  at?: number;
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen of records or control: heading, age of the data, actions, scrolling content. Keys move through the rows of its tables. */
export function Screen({ title, note, at, actions, children }: Props) {
  const content = useRef<HTMLDivElement>(null);
  const move = (by: 1 | -1) => {
    const rows = [...(content.current?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
    const from = rows.findIndex((row) => row.contains(document.activeElement));
    const row = rows[from < 0 ? 0 : from + by];
    if (!row) return;
    // Enter activates the focused element: the first control of the row. A row without one only takes the focus.
    const control = row.querySelector<HTMLElement>('a, button');
    if (!control) row.tabIndex = -1;
    (control ?? row).focus();
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  return (
    <main className={css.screen}>
      <header className={css.head}>
        <div className="grow">
          <h1 className="h2">{title}</h1>
          {note && <p className="t2 num">{note}</p>}
        </div>
        {at !== undefined && <Age at={at} />}
        {actions}
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={content} className={css.scroll} tabIndex={0} role="region" aria-label={title}>
        {children}
      </div>
    </main>
  );
}

/** Heading of the column of buttons. */
export const ACTIONS = <span className="vh">Actions</span>;

/** The header of a column of figures, which are right-aligned. */
export const Figure = ({ children }: { children: ReactNode }) => <span className={css.figure}>{children}</span>;

export function Table({ label, head, children }: { label: string; head: readonly ReactNode[]; children: ReactNode }) {
  return (
    <table className={css.table} aria-label={label}>
      <thead>
        <tr>
          {head.map((cell, n) => (
            <th key={n} scope="col">
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** Names and values, one a line. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={css.facts}>
      {facts.map(([name, value], n) => (
        <div key={n}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export const Section = ({ title, aside, children }: { title: ReactNode; aside?: ReactNode; children: ReactNode }) => (
  <section className={css.section}>
    <h2>
      {title} {aside && <span className="t2">{aside}</span>}
    </h2>
    {children}
  </section>
);
