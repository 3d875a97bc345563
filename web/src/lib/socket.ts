import type { Socket } from 'socket.io-client';
import { fetchCode } from './code';
import { noteSeq } from './http';

/** One connection: public rooms with reference counts, private events with resume. It never moves money. */

export type Status = 'connecting' | 'live' | 'offline';
export type Channel = 'kline' | 'daymarket' | 'market_depth' | 'match_trade' | 'book' | 'index' | 'market_status';
export interface Room {
  channel: Channel;
  symbol: string;
  period?: string;
  series?: 'index' | 'trade';
}
export interface PublicEvent {
  type: Channel;
  symbol: string;
  seq: number;
  time_ms: number;
  [field: string]: unknown;
}
export type PrivateEvent = 'order' | 'trade' | 'balance' | 'option_settled' | 'closed_microorder' | 'position' | 'lever_closed' | 'lever_trade' | 'notification';
/** All private events, including those without a listener here: an unheard number would be a gap. */
const PRIVATE: PrivateEvent[] = ['order', 'trade', 'balance', 'option_settled', 'closed_microorder', 'position', 'lever_closed', 'lever_trade', 'notification'];

interface Subscription {
  room: Room;
  listeners: Set<(event: PublicEvent) => void>;
  gaps: Set<() => void>;
  seq: number | null;
}
interface Ack {
  code: number;
  seq?: number;
}

const rooms = new Map<string, Subscription>();
const privates = new Map<PrivateEvent, Set<(data: never) => void>>();
const resyncs = new Set<() => void>();
const watchers = new Set<() => void>();

const library = () => import('socket.io-client');
const AGAIN = 5_000;
let socket: Socket | undefined;
let status: Status = 'connecting';
let lastTick = 0;
let pseq: number | null = null;
/** Missed events are requested once; until they come, every event behind the gap would request them again. */
let resuming = false;
let auth: { token: string; language: string } = { token: '', language: 'en' };
let onLogout: () => void = () => {};

const keyOf = (room: Room) => [room.channel, room.symbol, room.period ?? '', room.series ?? ''].join('|');

function setStatus(next: Status): void {
  if (next === status) return;
  status = next;
  for (const watcher of watchers) watcher();
}

function join(subscription: Subscription): void {
  subscription.seq = null;
  socket?.emit('sub', subscription.room, (ack: Ack) => {
    if (ack.code === 1 && subscription.seq === null) subscription.seq = ack.seq ?? null;
  });
}

function receive(event: PublicEvent): void {
  lastTick = Date.now();
  for (const subscription of rooms.values()) {
    const { room, seq } = subscription;
    if (room.channel !== event.type || room.symbol !== event.symbol) continue;
    if (room.period && room.period !== event.period) continue;
    if (room.series && room.series !== event.series) continue;
    if (seq !== null && event.seq > seq + 1) {
      // An event was lost: join the room again and let the owners read the matching call.
      socket?.emit('unsub', room, () => {});
      join(subscription);
      for (const gap of subscription.gaps) gap();
    } else if (seq === null || event.seq > seq) subscription.seq = event.seq;
    for (const listener of subscription.listeners) listener(event);
  }
}

function resync(): void {
  for (const listener of resyncs) listener();
}

function receivePrivate(name: PrivateEvent, payload: { pseq?: number; seq?: number; data?: unknown }): void {
  if (payload.seq) noteSeq(payload.seq);
  if (payload.pseq !== undefined) {
    if (pseq !== null && payload.pseq <= pseq) return;
    if (pseq !== null && payload.pseq > pseq + 1) {
      if (!resuming) socket?.emit('resume', { pseq });
      resuming = true;
      return;
    }
    pseq = payload.pseq;
    resuming = false;
  }
  for (const listener of privates.get(name) ?? []) listener((payload.data ?? payload) as never);
}

/** The code of the connection did not load, so there is no connection, and loading is tried again. */
export function codeLost(again: () => void): void {
  setStatus('offline');
  setTimeout(again, AGAIN);
}

/** Connects, or connects again as another member or in another language, in which the server writes from the handshake on. */
export async function connect(next: { token: string; language: string }): Promise<void> {
  const sameUser = auth.token === next.token;
  const same = sameUser && auth.language === next.language;
  auth = next;
  if (!sameUser) pseq = null;
  if (socket) {
    if (!same) socket.disconnect().connect();
    return;
  }
  const code = await fetchCode(library).catch(() => codeLost(() => void connect(auth)));
  if (!code || socket) return;
  const { io } = code;
  // One round trip instead of three; if a network blocks WebSocket, polling follows.
  socket = io({ path: '/socket.io/', transports: ['websocket', 'polling'], tryAllTransports: true, auth: (give) => give(auth), reconnectionDelayMax: 5_000 });
  socket.on('connect', () => {
    setStatus('live');
    for (const subscription of rooms.values()) {
      join(subscription);
      for (const gap of subscription.gaps) gap();
    }
    resuming = false;
    if (!auth.token) return;
    if (pseq === null) return resync();
    resuming = true;
    socket?.emit('resume', { pseq });
  });
  const lost = () => {
    setStatus('offline');
    // The library tries again by itself only after a broken line, not after a refusal or an end by the server.
    if (!socket?.active) setTimeout(() => socket?.connect(), AGAIN);
  };
  socket.on('disconnect', lost);
  socket.on('connect_error', lost);
  socket.on('logout', () => onLogout());
  socket.on('resync', ({ seq }: { seq: number }) => {
    noteSeq(seq);
    pseq = null;
    resuming = false;
    resync();
  });
  for (const name of PRIVATE) socket.on(name, (payload) => receivePrivate(name, payload as object));
  for (const name of ['kline', 'daymarket', 'market_depth', 'match_trade', 'book', 'index', 'market_status']) {
    socket.on(name, (event: PublicEvent) => receive(event));
  }
}

/** Listens to a room until the returned function is called. After a gap `onGap` reads the matching call. */
export function subscribe(room: Room, listener: (event: PublicEvent) => void, onGap: () => void = () => {}): () => void {
  const key = keyOf(room);
  let subscription = rooms.get(key);
  if (!subscription) {
    subscription = { room, listeners: new Set(), gaps: new Set(), seq: null };
    rooms.set(key, subscription);
    if (socket?.connected) join(subscription);
  }
  const own = subscription;
  own.listeners.add(listener);
  own.gaps.add(onGap);
  return () => {
    own.listeners.delete(listener);
    own.gaps.delete(onGap);
    if (own.listeners.size || rooms.get(key) !== own) return;
    rooms.delete(key);
    socket?.emit('unsub', room, () => {});
  };
}

/** Private events of the logged-in member: the event's `data`. */
export function onPrivate<T>(name: PrivateEvent, listener: (data: T) => void): () => void {
  const set = privates.get(name) ?? new Set();
  privates.set(name, set);
  set.add(listener);
  return () => set.delete(listener);
}

/** Called when private state must be read again. */
export function onResync(listener: () => void): () => void {
  resyncs.add(listener);
  return () => resyncs.delete(listener);
}

export function configureSocket(hooks: { logout: () => void }): void {
  onLogout = hooks.logout;
}

export const socketStatus = () => status;
/** Device time of the last public event; 0 before the first. */
export const lastTickAt = () => lastTick;
export function watchStatus(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
