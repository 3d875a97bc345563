import { operator } from './desk.ts';
import type { Server } from './server.ts';

/** Two treasury operators move house capital. */
export async function moveCapital(server: Server, from: string, to: string, amount: string): Promise<void> {
  const [tia, tom] = [await operator(server, 'treasury', 'tia'), await operator(server, 'treasury', 'tom')];
  const { id, hash } = await server.call<{ id: number; hash: string }>('/operator/api/treasury/move', { from, to, currency_id: '3', amount, reason: 'a journey' }, tia);
  await server.call('/operator/api/proposal/confirm', { id: String(id), hash }, tom);
}

/** The free amount beyond what is to remain, both with six decimals. */
export function beyond(free: string, left: string): string {
  const atoms = (text: string) => BigInt(text.replace('.', ''));
  const digits = (atoms(free) - atoms(left)).toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
