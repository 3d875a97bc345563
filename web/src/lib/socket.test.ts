import { beforeEach, expect, test, vi } from 'vitest';

type Handler = (payload?: unknown) => void;
const handlers = new Map<string, Handler>();
const emitted: [string, unknown][] = [];
const io = () => ({
  connected: true,
  on: (name: string, handler: Handler) => handlers.set(name, handler),
  emit: (name: string, payload: unknown) => emitted.push([name, payload]),
});
vi.mock('socket.io-client', () => ({ io }));

const told = (pseq: number) => handlers.get('order')?.({ pseq, seq: pseq, data: pseq });
const resumes = () => emitted.filter(([name]) => name === 'resume').map(([, payload]) => payload);

let heard: unknown[] = [];

beforeEach(async () => {
  vi.resetModules();
  handlers.clear();
  emitted.length = 0;
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
