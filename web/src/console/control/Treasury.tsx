import { useState } from 'react';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { toast } from '../../ui/Toast';
import { ops, type Pool } from '../api';
import { ActDialog, NEW } from '../kit/Act';
import { Select } from '../kit/Fields';
import { Pools } from '../kit/Pools';
import { Screen } from '../kit/Screen';
import { Ready } from '../kit/States';
import type { AreaProps } from '../model/areas';
import { label } from '../model/values';
import { LIVE, refresh, useRead } from '../reads';
import css from './control.module.css';

/** House accounts as the public sees them; moving capital needs two operators. */
export default function Treasury({ may }: AreaProps) {
  const query = useRead('treasury', {}, { every: LIVE });
  const [open, setOpen] = useState(false);
  const [all, setAll] = useState(false);
  return (
    <Screen
      title="Treasury"
      note="House accounts. The reserve covers what is promised; only the free part can move."
      at={query.dataUpdatedAt}
      actions={
        may &&
        query.data && (
          <Button kind="commit" small onClick={() => setOpen(true)}>
            Propose a move
          </Button>
        )
      }
    >
      <div className={css.bar} role="group" aria-label="Which accounts">
        <button type="button" aria-pressed={!all} onClick={() => setAll(false)}>
          With a balance
        </button>
        <button type="button" aria-pressed={all} onClick={() => setAll(true)}>
          All
        </button>
      </div>
      <Ready query={query} what="The house accounts">
        {(pools) => <Pools pools={all ? pools : pools.filter(({ balance, reserve }) => /[1-9]/.test(balance + reserve))} />}
      </Ready>
      {open && query.data && <Move pools={query.data} onClose={() => setOpen(false)} />}
    </Screen>
  );
}

const OUTSIDE = 'external';

function Move({ pools, onClose }: { pools: readonly Pool[]; onClose: () => void }) {
  const accounts = [...new Set(pools.map(({ account }) => account)), OUTSIDE];
  const coins = [...new Map(pools.map((pool) => [pool.currency_id, pool.currency_name]))];
  const [form, setForm] = useState({ from: OUTSIDE, to: accounts[0] ?? '', coin: String(coins[0]?.[0] ?? ''), amount: '' });
  const set = (name: keyof typeof form) => (value: string) => setForm({ ...form, [name]: value });
  const free = pools.find((pool) => pool.account === form.from && String(pool.currency_id) === form.coin)?.free;
  const code = coins.find(([id]) => String(id) === form.coin)?.[1] ?? '';
  const options = accounts.map((value) => ({ value, label: value === OUTSIDE ? 'Outside (the wallets)' : label(value) }));
  const blocked = form.from === form.to ? 'Choose two different accounts' : /^\d+(\.\d+)?$/.test(form.amount.trim()) ? undefined : 'Enter an amount';
  return (
    <ActDialog
      subject={NEW}
      title="Propose a move of capital"
      label={`Propose to move ${form.amount || '…'} ${code}`}
      reason={{ label: 'Reason', templates: ['Capital for the pool', 'Profit taken out', 'Coins moved between wallets'] }}
      blocked={blocked}
      onClose={onClose}
      send={(_, reason) => ops.post('treasury/move', { from: form.from, to: form.to, currency_id: parseInt(form.coin, 10), amount: form.amount.trim(), reason })}
      onDone={({ message }) => {
        toast(`Proposal ${message.id} made. A second person must confirm.`);
        refresh();
        onClose();
      }}
    >
      <div className={css.grid}>
        <Select label="From" options={options} value={form.from} onValue={set('from')} />
        <Select label="To" options={options} value={form.to} onValue={set('to')} />
        <Select label="Coin" options={coins.map(([id, name]) => ({ value: String(id), label: name }))} value={form.coin} onValue={set('coin')} />
        <Field label="Amount" inputMode="decimal" autoComplete="off" after={<span className="t2">{code}</span>} aside={free !== undefined && `Free ${free}`} value={form.amount} onChange={(event) => set('amount')(event.target.value)} />
      </div>
    </ActDialog>
  );
}
