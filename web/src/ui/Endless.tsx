import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { t } from '../lib/i18n';
import { Button } from './Button';
import { SkeletonRows } from './ListState';

interface Props {
  /** A react-query infinite result, or anything of its shape. */
  query: { hasNextPage: boolean; isFetching: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage: () => unknown };
  /** Pages so far: asks again when a page added no visible row. */
  pages: number;
  /** What stands below the last row. */
  end: ReactNode;
}

/** Foot of a long list: reads the next page three rows early, offers it when that failed, and says when all is there. */
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
    // Also when all was read anew: a next page that was asked for meanwhile would have ended that reading.
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
