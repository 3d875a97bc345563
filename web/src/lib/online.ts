import { useEffect, useState, useSyncExternalStore } from 'react';
import { socketStatus, watchStatus } from './socket';

/** The device says it has no network. */
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

/** A break of the connection that is shorter is not worth a word. */
const BREAK = 5_000;

/** The device has a network, and the server has not been out of reach for more than five seconds. */
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

/** Calls when the network or the server is back, until the returned function is called. */
export function onReturn(listener: () => void): () => void {
  let before = socketStatus();
  const leave = watchStatus(() => {
    // A first connection is no return.
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
