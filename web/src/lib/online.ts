import { useEffect, useState, useSyncExternalStore } from 'react';
import { socketStatus, watchStatus } from './socket';

/** Whether the device has no network. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener);
      addEventListener('offline', listener);
      return () => {
        removeEventListener('online', listener);
        removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
}

/** A shorter interruption of the connection is not shown. */
const BREAK = 5_000;

/** Whether the device has a network and the server has been out of reach for at most five seconds. */
export function useConnected(): boolean {
  const online = useOnline();
  const down = useSyncExternalStore(watchStatus, socketStatus) === 'offline';
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!down) return;
    const timer = setTimeout(() => setLong(true), BREAK);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [down]);
  return online && !(down && long);
}

/** Calls back when the network or the server returns, until the returned function is called. */
export function onReturn(listener: () => void): () => void {
  let before = socketStatus();
  const leave = watchStatus(() => {
    // The first connection is not a return.
    const back = before === 'offline' && socketStatus() === 'live';
    before = socketStatus();
    if (back) listener();
  });
  addEventListener('online', listener);
  return () => {
    leave();
    removeEventListener('online', listener);
  };
}
