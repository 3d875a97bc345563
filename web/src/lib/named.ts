import { useEffect } from 'react';
import { current, idInAddress, replace, usePlace } from './nav';

/** The number of the object that the address of a page names; undefined where it names none. */
export function useNamedId(page: string): number | undefined {
  const { path, query } = usePlace();
  return path === page ? idInAddress(query.get('id')) || undefined : undefined;
}

/** Takes the object out of the address once what showed it has closed, unless a link in it has led to another page; what else is in the address stays. */
export const unname = (page: string): void =>
  queueMicrotask(() => {
    const { path, query } = current();
    const { id, ...rest } = Object.fromEntries(query);
    if (path === page && id !== undefined) replace(page, rest);
  });

/** Reads on in a list, page by page, for as long as something is looked for in it. */
export function useReadOn(searching: boolean, { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }: { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage: () => unknown }): void {
  useEffect(() => {
    if (searching && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [searching, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
}
