import type { Server } from './server.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The server's time, ms. */
export const now = async (server: Server): Promise<number> => (await server.read<{ server_time_ms: number }>('app/config')).server_time_ms;

export const advance = (server: Server, ms: number) => server.call('/sandbox/clock', { advance_ms: String(ms) });

/** Moves to an instant of the server's clock. */
export async function until(server: Server, ms: number): Promise<void> {
  const from = await now(server);
  if (ms > from) await advance(server, ms - from + 1_000);
}

/** To the first hour of the next UTC day. */
export async function nextDay(server: Server): Promise<void> {
  await advance(server, DAY - ((await now(server)) % DAY) + HOUR);
}
