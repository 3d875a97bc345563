import { useEffect } from 'react';
import { queryClient } from '../../data/query';
import { onPrivate } from '../../lib/socket';

const GATHER = 500;

/** Reads the open change log again shortly after a balance changed. */
export function useLiveLog(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = onPrivate('balance', () => {
      clearTimeout(timer);
      timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: ['me', 'log'] }), GATHER);
    });
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, []);
}
