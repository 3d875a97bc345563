import { useEffect } from 'react';
import { current, idInAddress, replace, usePlace } from './nav';

/** The number of the object that the address of a page names; undefined if it names none. */
export function useNamedId(page: string): number | undefined {
  const { path, query } = usePlace();
  return path === page ? idInAddress(query.get('id')) || undefined : undefined;
}

/** Removes the object from the address once its view has closed, unless a link in it led to another page. The rest of the address stays. */
export const unname = (page: string): void =>
  queueMicrotask(() => {
    const { path, query } = current();
    const { id, ...rest } = Object.fromEntries(query);
    if (path === page && id !== undefined) replace(page, rest);
  });

/** Reads further pages of a list while something in it is being looked for. */
export function useReadOn(searching: boolean, { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }: { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage: () => unknown }): void {
  useEffect(() => {
    if (searching && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [searching, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
}
