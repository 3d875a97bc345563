import { expect, test, vi } from 'vitest';
import type { Commitment } from '../generated/api';
import { heldPayments } from './total';

const held = vi.hoisted(() => ({ rows: [] as { id: number }[] }));
vi.mock('../lib/http', async (original) => ({
  ...(await original<object>()),
  api: {
    get: async (_: string, { page, limit }: { page: number; limit: number }) => {
      const order_list = held.rows.slice((page - 1) * limit, page * limit);
      // Another payment is made while they are read.
      if (page === 1) held.rows = [{ id: 1_000 }, ...held.rows];
      return { message: { order_list } };
    },
  },
}));

test.each([0, 1, 99, 100, 101, 250])('the total counts each of %i payments for new coins once', async (count) => {
  held.rows = Array.from({ length: count }, (_, n) => ({ id: count - n }) as Commitment);
  expect((await heldPayments()).map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, n) => count - n));
});
