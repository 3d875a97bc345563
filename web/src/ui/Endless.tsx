import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { byDay } from '../lib/days';
import { t, useLocale } from '../lib/i18n';
import { date } from '../lib/time';
import { Button } from './Button';
import { SkeletonRows } from './ListState';

interface Props {
  /** A react-query infinite result, or anything of its shape. */
  query: { hasNextPage: boolean; isFetching: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage: () => unknown };
  /** Number of pages so far: reads again if a page added no visible row. */
  pages: number;
  /** Shown below the last row. */
  end: ReactNode;
}

/** Foot of a long list: reads the next page three rows early, offers a retry if that failed, and says when everything is loaded. */
export function Endless({ query, pages, end }: Props) {
  const mark = useRef<HTMLDivElement>(null);
  const read = useEffectEvent(() => {
    if (query.hasNextPage && !query.isFetching && !query.isFetchNextPageError) void query.fetchNextPage();
  });
  useEffect(() => {
    const element = mark.current;
    if (!element) return;
    const watch = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && read(), {
      root: element.closest('[data-scroll]'),
      rootMargin: '0px 0px 180px',
    });
    watch.observe(element);
    return () => watch.disconnect();
    // Also after everything was read again, because requesting a next page meanwhile would have cancelled that read.
  }, [pages, query.isFetching]);
  return (
    <div ref={mark} className="center pad">
      {query.isFetchNextPageError ? (
        <Button small onClick={() => query.fetchNextPage()}>
          {t('ui.showMore')}
        </Button>
      ) : query.isFetchingNextPage || query.hasNextPage ? (
        <SkeletonRows rows={1} />
      ) : (
        <p className="lab t3">{end}</p>
      )}
    </div>
  );
}

interface DaysProps<T> extends Omit<Props, 'end'> {
  rows: readonly T[];
  at: (row: T) => number;
  /** Classes of a day and of its heading. */
  day?: string | undefined;
  heading?: string;
  children: (row: T) => ReactNode;
}

/** A long list of orders grouped by day, newest first, with its foot. */
export function EndlessDays<T extends { id: number }>({ rows, at, day, heading = 'lab t2 m', children, ...foot }: DaysProps<T>) {
  const locale = useLocale();
  const oldest = rows.at(-1);
  return (
    <>
      {byDay(rows, at).map(({ key, at: instant, rows: ofDay }) => (
        <section key={key} className={day}>
          <h2 className={heading}>{date(instant, locale)}</h2>
          <ul>
            {ofDay.map((row) => (
              <li key={row.id}>{children(row)}</li>
            ))}
          </ul>
        </section>
      ))}
      <Endless {...foot} end={oldest && t('orders.end', { date: date(at(oldest), locale) })} />
    </>
  );
}
