import { expect, test, vi } from 'vitest';
import { countMoves } from './recount';

const get = vi.hoisted(() => vi.fn());
vi.mock('../../lib/http', () => ({ api: { get } }));

test('an account that moved in vain does not stand in for a balance that moved after the figures', async () => {
  const balance = { account: 'fee', currency_id: 3, balance: '9.000000' };
  const row = { day: '2026-01-01', currency_id: 3, paid: '1.000000', received: '1.000000', seq: 5 };
  const rows = [
    { ...row, id: 1, account: 'fee', seq: 11 },
    { ...row, id: 2, account: 'insurance' },
  ];
  get.mockImplementation((call: string) => Promise.resolve(call === 'public/pools' ? { message: [balance], data: { from_seq: 1, to_seq: 10, liquidity: [] } } : { message: rows }));
  await expect(countMoves()).rejects.toThrow('accounts move all the time');
});
