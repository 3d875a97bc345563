import { useState } from 'react';
import { Button } from '../../ui/Button';
import { Note, StatusChip, type Tone } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { ops, type Observation } from '../api';
import { ActDialog } from '../kit/Act';
import { Select } from '../kit/Fields';
import { ACTIONS, Figure, Screen, Table } from '../kit/Screen';
import { Nothing, Pager, Ready, stamp } from '../kit/States';
import type { AreaProps } from '../model/areas';
import { label } from '../model/values';
import { LIVE, refresh, useCoin, useOperatorName, useRead } from '../reads';
import { useMe } from '../session';
import { Entry } from './Entry';
import { Disputes } from './Disputes';
import { Incidents } from './Incidents';
import css from './control.module.css';

const STATES: readonly ('' | Observation['state'])[] = ['', 'entered', 'conflict', 'matched', 'credited', 'reversed'];
const TONES: Record<Observation['state'], Tone> = { entered: 'info', matched: 'info', conflict: 'danger', credited: 'done', reversed: 'caution' };

/** Transfers seen on a chain: by a watcher, or entered by two operators who must agree. */
export default function Observations({ may }: AreaProps) {
  const [state, setState] = useState<'' | Observation['state']>('');
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<'enter' | Observation | null>(null);
  const me = useMe();
  const coin = useCoin();
  const nameOf = useOperatorName();
  const query = useRead('observations', { ...(state && { state }), page, limit: 50 }, { every: LIVE });
  const close = () => setOpen(null);
  return (
    <Screen
      title="Observations"
      note="Payments that arrived on the chains. Only they decide the amount of a deposit."
      at={query.dataUpdatedAt}
      actions={
        may && (
          <Button kind="commit" small onClick={() => setOpen('enter')}>
            Enter by hand
          </Button>
        )
      }
    >
      <Incidents />
      <Disputes />
      <div className={css.bar}>
        <Select
          label="State"
          value={state}
          onValue={(value) => {
            setState(STATES.find((one) => one === value) ?? '');
            setPage(1);
          }}
          options={STATES.map((value) => ({ value, label: value ? label(value) : 'All' }))}
        />
      </div>
      <Ready query={query} what="The observations" isEmpty={({ data }) => data.length === 0} empty={<Nothing title="Nothing observed">Transfers to the users' addresses show up here.</Nothing>}>
        {({ data }) => (
          <Table label="Observations" head={['Number', 'Transfer', 'To', <Figure key="a">Amount</Figure>, 'Seen by', 'State', ACTIONS]}>
            {data.map((one) => (
              <tr key={one.id}>
                <td className="num">{one.id}</td>
                <td>
                  {one.chain}, {one.confirmations} confirmations
                  <div className="code cap t2">
                    {one.tx}:{one.output}
                  </div>
                </td>
                <td>
                  {one.user_id === null ? <span className="t2">no member's address</span> : `User ${one.user_id}`}
                  <div className="code cap t2">{one.address}</div>
                </td>
                <td className="right num">
                  {one.amount} {coin(one.currency_id)}
                </td>
                <td>
                  {one.watched === 1 && 'a watcher'}
                  {one.entries.map((entry) => (
                    <div key={entry.operator_id}>
                      {nameOf(entry.operator_id)} <span className="cap t2">{stamp(entry.at_ms)}</span>
                    </div>
                  ))}
                </td>
                <td>
                  <StatusChip tone={TONES[one.state]}>{one.state}</StatusChip>
                  {one.state === 'entered' && <div className="cap t2">{one.entries.some((entry) => entry.operator_id === me.id) ? 'needs another' : 'enter the same to match it'}</div>}
                  {one.state === 'conflict' && <div className="cap danger">two people entered different amounts</div>}
                </td>
                <td className="right">
                  {may && one.reversible !== null && (
                    <Button kind="line" small onClick={() => setOpen(one)}>
                      Propose reversal
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Ready>
      {query.data && <Pager page={page} last={query.data.last_page} onPage={setPage} />}
      {open === 'enter' && <Entry onClose={close} />}
      {open !== null && open !== 'enter' && (
        <ActDialog
          subject={query.data?.data.find(({ id }) => id === open.id)}
          title={`Propose the reversal of observation ${open.id}`}
          label="Propose reversal"
          grave
          reason={{ label: 'Reason', templates: ['The chain dropped the block', 'The entry was wrong'] }}
          onClose={close}
          send={({ id }, reason) => ops.post('observation/reverse', { id, reason })}
          onDone={({ message }) => {
            toast(`Proposal ${message.id} made. A second person must confirm.`);
            refresh();
            close();
          }}
        >
          {({ amount, reversible, currency_id, user_id }) => (
            <Note tone="caution">
              {reversible ?? amount} {coin(currency_id)} are taken from user {user_id} once a second person confirms.
            </Note>
          )}
        </ActDialog>
      )}
    </Screen>
  );
}
