import { beforeEach, expect, test, vi } from 'vitest';

type Handler = (payload?: unknown) => void;
const handlers = new Map<string, Handler>();
const emitted: [string, unknown][] = [];
const acks: ((ack: object) => void)[] = [];
const lines: string[] = [];
let give: (set: (auth: object) => void) => void = () => {};
let options: { transports?: string[]; tryAllTransports?: boolean } = {};
const io = (given: typeof options & { auth: typeof give }) => {
  options = given;
  give = given.auth;
  return line;
};
const line = {
  connected: true,
  active: true,
  disconnect: () => {
    lines.push('disconnect');
    return line;
  },
  connect: () => lines.push('connect'),
  on: (name: string, handler: Handler) => handlers.set(name, handler),
  emit: (name: string, payload: unknown, ack?: (ack: object) => void) => {
    emitted.push([name, payload]);
    if (ack) acks.push(ack);
  },
};
vi.mock('socket.io-client', () => ({ io }));

const told = (pseq: number) => handlers.get('order')?.({ pseq, seq: pseq, data: pseq });
const resumes = () => emitted.filter(([name]) => name === 'resume').map(([, payload]) => payload);

let heard: unknown[] = [];

beforeEach(async () => {
  vi.resetModules();
  handlers.clear();
  emitted.length = acks.length = lines.length = 0;
  heard = [];
  const { connect, onPrivate } = await import('./socket');
  onPrivate('order', (data) => heard.push(data));
  await connect({ token: 'a token', language: 'en' });
  handlers.get('connect')?.();
});

test('what was missed is asked for once, however many events come behind the gap', () => {
  told(1);
  for (const pseq of [4, 5, 6, 7]) told(pseq);
  expect(resumes()).toEqual([{ pseq: 1 }]);
  for (const pseq of [2, 3, 4, 5, 6, 7]) told(pseq);
  expect(heard).toEqual([1, 2, 3, 4, 5, 6, 7]);
  told(9);
  expect(resumes()).toEqual([{ pseq: 1 }, { pseq: 7 }]);
});

test('a new connection asks again, and one that lost everything reads again', () => {
  told(1);
  told(3);
  handlers.get('connect')?.();
  expect(resumes()).toEqual([{ pseq: 1 }, { pseq: 1 }]);
  handlers.get('resync')?.({ seq: 9 });
  told(20);
  told(22);
  expect(resumes()).toEqual([{ pseq: 1 }, { pseq: 1 }, { pseq: 20 }]);
});

const BTC = { channel: 'daymarket', symbol: 'BTC/USDT' } as const;
const quoted = (seq: number) => handlers.get('daymarket')?.({ type: BTC.channel, symbol: BTC.symbol, seq, time_ms: 0 });

test('a gap in a room takes the room again and is told once, and what came is shown (F34)', async () => {
  const { subscribe } = await import('./socket');
  const [events, gap] = [vi.fn(), vi.fn()];
  const leave = subscribe(BTC, events, gap);
  acks.shift()?.({ code: 1, seq: 4 });
  quoted(5);
  expect(gap).not.toHaveBeenCalled();
  quoted(8);
  expect(emitted.slice(-2)).toEqual([
    ['unsub', BTC],
    ['sub', BTC],
  ]);
  quoted(9);
  expect([gap.mock.calls.length, events.mock.calls.length]).toEqual([1, 3]);
  // The room that was joined again counts from its own start.
  acks.at(-1)?.({ code: 1, seq: 8 });
  quoted(10);
  expect(gap).toHaveBeenCalledTimes(1);
  leave();
  quoted(11);
  expect([events.mock.calls.length, emitted.at(-1)]).toEqual([4, ['unsub', BTC]]);
});

test('a new connection takes the rooms again and reads what it missed (F34)', async () => {
  const { subscribe } = await import('./socket');
  const gap = vi.fn();
  subscribe(BTC, () => {}, gap);
  emitted.length = 0;
  handlers.get('connect')?.();
  expect(emitted).toContainEqual(['sub', BTC]);
  expect(gap).toHaveBeenCalledTimes(1);
});

test('somebody else gets a new line, their own token and nothing of what the former one was told (F34)', async () => {
  const { connect, onResync } = await import('./socket');
  const resync = vi.fn();
  onResync(resync);
  told(7);
  await connect({ token: 'another', language: 'de' });
  expect(lines).toEqual(['disconnect', 'connect']);
  give((auth) => expect(auth).toEqual({ token: 'another', language: 'de' }));
  handlers.get('connect')?.();
  expect(resumes()).toEqual([]);
  expect(resync).toHaveBeenCalledTimes(1);
  // Events of the new member count from their present number.
  told(3);
  told(4);
  expect(heard).toEqual([7, 3, 4]);
  // A guest receives no private event and asks for none.
  await connect({ token: '', language: 'de' });
  handlers.get('connect')?.();
  expect([resumes(), resync.mock.calls.length]).toEqual([[], 1]);
});

test('another language gets a new line, which goes on where the former one was', async () => {
  const { connect } = await import('./socket');
  told(7);
  await connect({ token: 'a token', language: 'en' });
  expect(lines).toEqual([]);
  await connect({ token: 'a token', language: 'de' });
  expect(lines).toEqual(['disconnect', 'connect']);
  give((auth) => expect(auth).toEqual({ token: 'a token', language: 'de' }));
  handlers.get('connect')?.();
  expect(resumes()).toEqual([{ pseq: 7 }]);
  told(8);
  expect(heard).toEqual([7, 8]);
});

test('the line begins with a WebSocket and falls back to polling (F28)', () => {
  expect(options).toMatchObject({ transports: ['websocket', 'polling'], tryAllTransports: true });
});

test.each(['connect_error', 'disconnect'])('after a %s by the server the app connects again, which the library does not', (event) => {
  vi.useFakeTimers();
  handlers.get(event)?.();
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual([]);
  line.active = false;
  handlers.get(event)?.();
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual(['connect']);
  line.active = true;
  vi.useRealTimers();
});
