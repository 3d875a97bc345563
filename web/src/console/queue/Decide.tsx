import { useState } from 'react';
import type { Result } from '../../lib/http';
import { Field } from '../../ui/Field';
import { Note } from '../../ui/Status';
import { ops, type Observation, type QueueItem, type QueueRow } from '../api';
import { ActDialog, NEW } from '../kit/Act';
import { Select } from '../kit/Fields';
import { Facts } from '../kit/Screen';
import { Button } from '../../ui/Button';
import { caseNumber } from '../model/areas';
import { checkText, rejectionsOf, sortedChecks, toRead, turn } from '../model/queue';
import { flat, groups, inCase, isDestination, isTime, leaf, path } from '../model/values';
import { useCoin } from '../reads';
import { useMe } from '../session';
import { codeOf } from '../words';
import { stamp, timed } from '../kit/States';
import { useMatched } from './matched';
import css from './queue.module.css';

interface Props {
  item: QueueItem;
  /** The list has a newer version than this one. */
  stale: boolean;
  decision: 'approve' | 'reject';
  onClose: () => void;
  onRefused: () => void;
  /** The case changed, so it must be reviewed again. */
  onReload: () => void;
  onDone: (text: string) => void;
}

/** Repeats what is signed, field by field, and binds the decision to its version and hash. */
export function Decide({ item, stale, decision, onClose, onRefused, onReload, onDone }: Props) {
  const [shown] = useState(item);
  const { row, fields, checks } = shown;
  const me = useMe();
  const [reference, setReference] = useState('');
  const [observation, setObservation] = useState('');
  const [refused, setRefused] = useState(false);
  const outdated = refused || stale || item.row.hash !== row.hash;
  const number = caseNumber(row.kind, row.id);
  const approve = decision === 'approve';
  const last = row.approvals.length + 1 >= row.needs;
  // A deposit notice that a watcher matched already has its transfer.
  const needsObservation = approve && row.kind === 'deposit' && (fields.observation ?? null) === null;
  const needsReference = approve && row.kind === 'bank_deposit';
  const blocked = outdated
    ? 'Look at the case again'
    : needsObservation && !observation
      ? 'Choose the observed transfer'
      : needsReference && reference.trim().length < 3
        ? 'Enter the reference of the bank'
        : undefined;
  const read = toRead(checks);
  const send = (_: null, reason: string, otp?: string) =>
    ops.post('decide', {
      kind: row.kind,
      id: row.id,
      decision,
      version: row.version,
      hash: row.hash,
      ...(reason && { reason }),
      ...(otp && { otp }),
      ...(needsObservation && { observation_id: parseInt(observation, 10) }),
      ...(needsReference && { reference: reference.trim() }),
    });
  const told = ({ data }: Result<string, { row: QueueRow; done: number | boolean }>) => {
    if (!approve) return `${number} rejected`;
    if (data.done) return `${number} approved`;
    // 10.2: a reference that differs from the first person's starts the entry again with this one.
    return last && needsReference ? `${number}: not the reference of the first person. Yours counts now, and another person must enter it too.` : `${number} approved by you. It needs another person.`;
  };

  return (
    <ActDialog
      subject={NEW}
      wide
      title={approve ? `Approve ${number}` : `Reject ${number}`}
      label={approve ? `Approve ${number}` : `Reject ${number}`}
      grave={!approve || read > 0}
      blocked={blocked}
      reason={approve ? undefined : { label: 'Reason, shown to the user', templates: rejectionsOf(row.kind, fields.level), hint: 'In plain words: what is wrong and how to put it right.' }}
      onClose={onClose}
      send={send}
      onDone={(result) => onDone(told(result))}
      onRefused={(error) => {
        onRefused();
        if (['E_VERSION', 'E_STATE'].includes(codeOf(error))) setRefused(true);
      }}
    >
      {outdated && (
        <Button kind="commit" small onClick={onReload}>
          Look at the case again
        </Button>
      )}
      {approve && read > 0 && (
        <Note tone="caution">
          <b>{read === 1 ? 'One check needs a person:' : `${read} checks need a person:`}</b>{' '}
          {sortedChecks(checks)
            .slice(0, read)
            .map((check) => (check.detail ? `${checkText(check)}: ${timed(check.detail)}` : checkText(check)))
            .join('. ')}
        </Note>
      )}
      <p>{approve ? (last ? 'Your approval is the last one: it takes effect at once.' : `Your approval is number ${row.approvals.length + 1} of ${row.needs}. Another person must approve it too.`) : `One person is enough to reject.${row.kind === 'withdrawal' || row.kind === 'loan' ? ' What was frozen becomes free again.' : ''}`}</p>
      <div className={css.signed}>
        <Facts
          facts={[
            ['Decision', approve ? 'approve' : 'reject'],
            ['Case', number],
            ['User', `${row.user_mask}, number ${row.user_id}`],
            ...flat(fields).map(([name, value]) => [path(name), isTime(leaf(name), value) ? stamp(value) : isDestination(name, value) ? <span className="code">{groups(value).join(' ')}</span> : inCase(name, value)] as const),
            ['Signed by', `${me.name} (${turn(row, me.id) === 'second' ? 'second person' : 'first person'})`],
            ['Version', String(row.version)],
            ['Hash', <span key="hash" className="code">{row.hash}</span>],
          ]}
        />
      </div>
      {needsObservation && <Observed item={shown} value={observation} onValue={setObservation} />}
      {needsReference && <Field label="Reference of the bank transfer" autoComplete="off" spellCheck={false} maxLength={100} hint="From the statement, not from your colleague: both people enter it. A reference counts once." value={reference} onChange={(event) => setReference(event.target.value)} />}
    </ActDialog>
  );
}

const line = ({ id, chain, amount, currency_id, tx, confirmations }: Observation, coin: (id: number) => string) => `${id}: ${amount} ${coin(currency_id)} on ${chain}, ${confirmations} confirmations, ${tx.slice(0, 10)}…${tx.slice(-6)}`;

/** The credited amount comes from the observed transfer, never from the notice. */
function Observed({ item, value, onValue }: { item: QueueItem; value: string; onValue: (id: string) => void }) {
  const coin = useCoin();
  const { transfers, error } = useMatched(item);
  if (error) return <Note tone="caution">The observed transfers did not load.</Note>;
  return transfers?.length !== 0 ? (
    <Select
      label="Observed transfer that pays this claim"
      hint="Its amount is credited, whatever the claim says."
      value={value}
      onValue={onValue}
      options={[{ value: '', label: transfers ? 'Choose' : 'Loading' }, ...(transfers ?? []).map((one) => ({ value: String(one.id), label: line(one, coin) }))]}
    />
  ) : (
    <Note tone="caution">
      <b>No matched transfer of this coin and network to an address of this user.</b> A claim is approved only with one: enter it under Observations, twice, by two people.
    </Note>
  );
}
