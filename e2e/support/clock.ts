import { expect } from '@playwright/test';
import type { Server } from './server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The server's time, ms. */
export const now = async (server: Server): Promise<number> => (await server.read<{ server_time_ms: number }>('app/config')).server_time_ms;

export const advance = (server: Server, ms: number) => server.call('/sandbox/clock', { advance_ms: String(ms) });

/** Moves to an instant of the server's clock. */
export async function until(server: Server, ms: number): Promise<void> {
  const from = await now(server);
  if (ms > from) await advance(server, ms - from + 1_000);
}

/** To the first hour of the next UTC day, or of the one after an instant. Fees, interest and limits change at midnight. */
export async function nextDay(server: Server, after?: number): Promise<void> {
  await until(server, (Math.floor((after ?? (await now(server))) / DAY) + 1) * DAY + HOUR);
}

/** Leaves the last minutes of a UTC day, so that midnight does not come in the middle of a journey. */
export async function farFromMidnight(server: Server): Promise<void> {
  const left = DAY - ((await now(server)) % DAY);
  if (left < HOUR / 4) await nextDay(server);
}

/** To just after a full minute whose head is signed: for most of a minute nothing more is signed. */
export async function afterFullMinute(server: Server): Promise<void> {
  const minute = (Math.floor((await now(server)) / MINUTE) + 1) * MINUTE;
  await until(server, minute);
  await expect.poll(async () => (await server.read<{ time_ms: number }>('proof/head')).time_ms, { timeout: 60_000 }).toBeGreaterThanOrEqual(minute);
}
