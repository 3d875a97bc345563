import type { Pool } from '../api';
import { exact, label } from '../model/values';
import { Figure, Table } from './Screen';
import { Nothing } from './States';

/** House accounts: the balance, the reserved part, and what is free. */
export function Pools({ pools }: { pools: readonly Pool[] }) {
  if (!pools.length) return <Nothing title="All house accounts are empty" />;
  return (
    <Table label="House accounts" head={['Account', 'Coin', <Figure key="b">Balance</Figure>, <Figure key="r">Reserve</Figure>, <Figure key="f">Free</Figure>, 'Open objects']}>
      {pools.map((pool) => (
        <tr key={`${pool.account}-${pool.currency_id}`}>
          <td>{label(pool.account)}</td>
          <td>{pool.currency_name}</td>
          <td className="right num">{exact(pool.balance)}</td>
          <td className="right num">{exact(pool.reserve)}</td>
          <td className="right num">{exact(pool.free)}</td>
          <td className="num">{pool.open_objects}</td>
        </tr>
      ))}
    </Table>
  );
}
