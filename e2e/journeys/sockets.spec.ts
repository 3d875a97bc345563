import { createRequire } from 'node:module';
import { expect, test } from '../support/test.ts';

/** Realtime with the libraries that other programs use, in both generations of the protocol, without a browser. */

interface Client {
  on(event: string, listener: (data: Payload) => void): void;
  emit(event: string, ...data: unknown[]): void;
  close(): void;
}
interface Payload {
  code?: number;
  kind?: string;
  error?: string;
  pseq?: number;
  seq?: number;
  data?: { avail: string }[];
}
type Connect = (url: string, options: object) => Client;

const require = createRequire(import.meta.url);

/** The first event of this name. */
const next = (client: Client, event: string) => new Promise<Payload>((done) => client.on(event, done));
const ask = (client: Client, event: string, data: object) => new Promise<Payload>((done) => client.emit(event, data, done));

for (const library of ['socket.io-client-2', 'socket.io-client']) {
  for (const transports of [['websocket'], ['polling'], ['polling', 'websocket']]) {
    test(`${library} over ${transports.join(', then ')} hears the market and its member, resumes, and is told of the end`, async ({ app, server }) => {
      const connect = require(library) as Connect;
      const member = await app.member();
      const options = { path: '/socket.io/', transports, forceNew: true, reconnection: false };
      const client = connect(server.url, options);
      await next(client, 'connect');
      const book = next(client, 'book');
      expect(await ask(client, 'sub', { channel: 'book', symbol: 'BTC/USDT' })).toMatchObject({ code: 1, symbol: 'BTC/USDT' });
      expect(await book).toMatchObject({ kind: 'snapshot', symbol: 'BTC/USDT' });
      expect(await ask(client, 'login', { token: 'wrong' })).toEqual({ code: 0, error: 'E_AUTH' });
      expect(await ask(client, 'login', { token: member.token })).toEqual({ code: 1 });
      const balance = next(client, 'balance');
      await app.fund(member, 'USDT', '12');
      const heard = await balance;
      expect(heard.data?.[0]?.avail).toBe('12.000000');

      // A second connection resumes where the first one ended.
      const again = connect(server.url, options);
      await next(again, 'connect');
      expect(await ask(again, 'login', { token: member.token })).toEqual({ code: 1 });
      const missed = next(again, 'balance');
      again.emit('resume', { pseq: (heard.pseq ?? 0) - 1 });
      expect(await missed).toEqual(heard);
      const lost = next(again, 'resync');
      again.emit('resume', { pseq: 1 });
      expect((await lost).seq).toBeGreaterThanOrEqual(heard.seq ?? 0);

      const [told, ended] = [next(client, 'logout'), next(client, 'disconnect')];
      await server.call('user/logout', {}, member.token);
      expect(await told).toEqual({ error: 'E_AUTH' });
      await ended;
      again.close();
    });
  }
}

test('a screen that was one too many hears its member once another one is closed', async ({ app, server }) => {
  const connect = require('socket.io-client') as Connect;
  const member = await app.member();
  const held = Array.from({ length: 10 }, () => connect(server.url, { path: '/socket.io/', transports: ['websocket'], forceNew: true, auth: { token: member.token } }));
  await Promise.all(held.map((client) => next(client, 'connect')));
  const heard: string[] = [];
  app.page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))));
  await app.signIn(member);
  await expect.poll(() => heard.some((frame) => frame.includes('E_OPEN_LIMIT')), { timeout: 30_000 }).toBe(true);
  held.pop()?.close();
  // Until its place is given back it is told nothing, so the money comes again.
  await expect(async () => {
    await app.fund(member, 'USDT', '12');
    expect(heard.some((frame) => frame.startsWith('42["balance"'))).toBe(true);
  }).toPass({ timeout: 60_000, intervals: [1_000] });
  held.forEach((client) => client.close());
});
