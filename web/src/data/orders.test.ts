import { beforeEach, expect, test, vi } from 'vitest';
import type { SpotOrder } from '../generated/api';

const { get } = vi.hoisted(() => ({ get: vi.fn() }));
vi.mock('../lib/http', () => ({ api: { get }, resetSeq: () => {} }));
vi.mock('../lib/socket', () => ({ connect: () => {} }));

const { patchOrder, readOrders } = await import('./orders');
const { useSession } = await import('./session');

const order = (id: number, seq: number, status = 1) => ({ id, seq, status, currency_id: 1, legal_id: 3 }) as SpotOrder;
const log = (id: number) => useSession.setState({ user: { id } as never, token: `of ${id}` });

/** Reads the open orders, receives events of these before the answer comes, and returns the list. */
async function read(answer: { message: SpotOrder[]; seq: number }, ...events: SpotOrder[]): Promise<[number, number][]> {
  get.mockImplementationOnce(async () => {
    for (const event of events) patchOrder(event);
    return answer;
  });
  return (await readOrders({ status: 1 })).map(({ id, seq }) => [id, seq]);
}

beforeEach(() => log(1));

test('an event wins over a list of before: an order that ended stays away, a new one stays (F34)', async () => {
  expect(await read({ message: [order(2, 10), order(1, 9)], seq: 12 }, order(1, 13, 3), order(3, 14))).toEqual([
    [3, 14],
    [2, 10],
  ]);
  // Once more: an event is not forgotten with the first list that it changed.
  expect(await read({ message: [order(2, 10), order(1, 9)], seq: 12 })).toEqual([
    [3, 14],
    [2, 10],
  ]);
});

test('a list wins over an event of before', async () => {
  expect(await read({ message: [order(4, 30)], seq: 30 }, order(4, 20, 3), order(5, 21))).toEqual([[4, 30]]);
});

test('what one member was told changes no list of the next', async () => {
  patchOrder(order(6, 40));
  log(2);
  expect(await read({ message: [], seq: 39 })).toEqual([]);
});
