import { useState } from 'react';
import type { Result } from '../../lib/http';
import { Button } from '../../ui/Button';
import { Note, StatusChip, type Tone } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { ops, type Json, type Proposal } from '../api';
import { ActDialog } from '../kit/Act';
import { Dialog } from '../kit/Dialog';
import { Facts, Screen, Table } from '../kit/Screen';
import { Nothing, Pager, Ready, stamp } from '../kit/States';
import { confirmersOf, has, type AreaProps } from '../model/areas';
import { span } from '../model/queue';
import { refusedBecause } from '../model/listing';
import { changes, isInstant, isTime, label, withCoins, type Change } from '../model/values';
import { LIVE, refresh, useCoin, useOperatorName, useRead, useServerNow, useSigned } from '../reads';
import { go, href, number } from '../route';
import { useMe } from '../session';
import { SignedWords } from './Listing';
import css from './control.module.css';

const STATES = ['waiting', 'done', 'cancelled', 'expired', 'refused'] as const;
const TONES: Record<Proposal['state'], Tone> = { waiting: 'info', done: 'done', cancelled: 'done', expired: 'caution', refused: 'danger' };

/** Acts under dual control: one operator proposed it, another confirms exactly what is shown. */
export default function Proposals({ id }: AreaProps) {
  const [state, setState] = useState<(typeof STATES)[number]>('waiting');
  const [page, setPage] = useState(1);
  const now = useServerNow();
  const query = useRead('proposals', { state, page, limit: 50 }, { every: LIVE });
  const nameOf = useOperatorName();
  const signed = useSigned();
  const me = useMe();
  const wanted = number(id);
  const waiting = query.data?.data.find((one) => one.id === wanted);
  // A link can come from anywhere, and most proposals that are linked to wait.
  const [linked, setLinked] = useState(wanted);
  if (linked !== wanted) {
    setLinked(wanted);
    if (wanted !== null && !waiting) {
      setState('waiting');
      setPage(1);
    }
  }
  // If a colleague decides it while it is open, the dialog says so instead of vanishing.
  const [seen, setSeen] = useState<Proposal>();
  if (waiting && waiting !== seen) setSeen(waiting);
  const open = waiting ?? (seen?.id === wanted ? seen : undefined);
  return (
    <Screen title="Proposals" note="One person proposes, another confirms within 72 hours." at={query.dataUpdatedAt}>
      <div className={css.bar} role="group" aria-label="State">
        {STATES.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === state}
            onClick={() => {
              setState(name);
              setPage(1);
            }}
          >
            {label(name)}
          </button>
        ))}
      </div>
      {wanted !== null && !open && query.data && !query.isPlaceholderData && <Note tone="caution">P-{wanted} is not in this list.</Note>}
      <Ready query={query} what="The proposals" isEmpty={({ data }) => data.length === 0} empty={<Nothing title={state === 'waiting' ? 'Nothing to confirm' : `Nothing ${state}`} />}>
        {({ data }) => (
          <Table label="Proposals" head={['Proposal', 'What', 'Proposed by', 'Reason', 'State']}>
            {data.map((one) => (
              <tr key={one.id}>
                <td>
                  <a className={css.link} href={href('proposals', one.id)}>
                    P-{one.id}
                  </a>
                </td>
                <td>{signed(one).title}</td>
                <td>{nameOf(one.proposer_id)}</td>
                <td>{one.reason}</td>
                <td>
                  <StatusChip tone={TONES[one.state]}>{one.state}</StatusChip>
                  {one.state === 'waiting' && <div className="cap t2">{one.confirmer_id !== null ? 'confirmed, acts later' : one.proposer_id === me.id ? 'needs another' : `${span(one.expires_ms - now)} left`}</div>}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Ready>
      {query.data && <Pager page={page} last={query.data.last_page} onPage={setPage} />}
      {open && <Detail key={open.id} proposal={open} gone={!waiting} onClose={() => go('proposals')} />}
    </Screen>
  );
}

/** A field that was empty and stays empty is omitted. */
const isSaid = ({ before, after }: Change): boolean => !(after === '—' && (before === null || before === '—'));

/** Before and after, line by line; unchanged values are grey. */
export function Changes({ values, before, kind = values.kind }: Pick<Proposal, 'values' | 'before'> & { kind?: Json | undefined }) {
  const codeOf = useCoin();
  const time = (name: string, text: string) => {
    const value = values[name];
    return isTime(name, value) && !isInstant(name) ? stamp(value) : text;
  };
  return (
    <Table label="Changes" head={before ? ['Field', 'Now', 'Then'] : ['Field', 'Value']}>
      {changes(withCoins(values, codeOf), before && withCoins(before, codeOf)).filter(isSaid).map((line) => (
        <tr key={line.name} className={line.same ? css.same : undefined}>
          <td>{label(line.name, kind)}</td>
          {before && <td>{line.before}</td>}
          <td>
            {line.same ? <span>{time(line.name, line.after)}</span> : <b>{time(line.name, line.after)}</b>}
            {line.same && <span className="vh">, stays</span>}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** What is signed in words, the decisive figure first, and then all of it as it is hashed. */
function Signed({ proposal }: { proposal: Proposal }) {
  const signed = useSigned();
  return (
    <>
      <SignedWords words={signed(proposal)} />
      <h3 className="h3">All that is signed</h3>
      <Changes values={proposal.values} before={proposal.before} />
    </>
  );
}

/** The person behind an operator's account, in words; it is part of what two operators sign. */
function Person({ values }: Pick<Proposal, 'values'>) {
  const { linked_member: linked, mail } = values;
  if (linked === undefined) return null;
  return (
    <Note>
      {linked === 'none' ? (
        <>This person states that they have <b>no account as a member</b>.</>
      ) : (
        <>This person is <b>the member {String(linked)}</b>. They never decide about that account, and never sign twice.</>
      )}
      {typeof mail === 'string' && <> The link for the set-up goes to <b>{mail}</b>. The proposer then releases the first log-in.</>}
    </Note>
  );
}

function Detail({ proposal, gone, onClose }: { proposal: Proposal; gone: boolean; onClose: () => void }) {
  const me = useMe();
  const nameOf = useOperatorName();
  const signed = useSigned();
  const [act, setAct] = useState<'confirm' | 'cancel' | 'stop' | null>(null);
  // The free capital shown beside a move is live and not part of what is signed.
  const moves = proposal.kind === 'treasury_move';
  const subject = gone ? undefined : moves ? { ...proposal, before: null } : proposal;
  const waits = !gone && proposal.state === 'waiting' && proposal.confirmer_id === null;
  const mine = proposal.proposer_id === me.id;
  const coming = !gone && proposal.state === 'waiting' && proposal.confirmer_id !== null;
  const mayStop = coming && has(me.roles, confirmersOf(proposal));
  const may = waits && !mine && has(me.roles, confirmersOf(proposal));
  const done = ({ message }: Result<Proposal, unknown>) => {
    setAct(null);
    const later = message.state === 'waiting' && message.effective_ms !== null ? `P-${message.id} is confirmed and acts at ${stamp(message.effective_ms)}` : undefined;
    toast(message.state === 'done' ? `P-${message.id} is in force` : (later ?? `P-${message.id}: ${message.state}`));
    onClose();
    refresh();
  };
  if (act === 'confirm')
    return (
      <ActDialog subject={subject} wide title={`Confirm P-${proposal.id}`} label={`Confirm ${label(proposal.kind).toLowerCase()}`} onClose={() => setAct(null)} send={({ id, hash }, _, otp) => ops.post('proposal/confirm', { id, hash, ...(otp && { otp }) })} onDone={done} onRefused={refresh}>
        {(signed) => (
          <>
            <p>You sign exactly this, as {me.name}. It takes effect {signed.effective_ms === null ? 'at once' : `at ${stamp(signed.effective_ms)}`}.</p>
            <Person values={signed.values} />
            <Signed proposal={moves ? { ...signed, before: proposal.before } : signed} />
            <p className="code cap">{signed.hash}</p>
          </>
        )}
      </ActDialog>
    );
  if (act === 'stop')
    return (
      <ActDialog
        title={`Stop P-${proposal.id}`}
        label="Propose to stop it"
        grave
        reason={{ label: 'Reason', templates: ['A mistake', 'No longer needed'] }}
        onClose={() => setAct(null)}
        subject={subject}
        send={({ id }, reason) => ops.post('proposal/stop', { id, reason })}
        onDone={({ message }) => {
          toast(`P-${message.id} made. A second person must confirm before ${proposal.effective_ms === null ? 'it acts' : stamp(proposal.effective_ms)}.`);
          refresh();
          onClose();
        }}
      >
        <p>Two people can stop this until it acts. You propose it, another confirms.</p>
      </ActDialog>
    );
  if (act === 'cancel')
    return (
      <ActDialog
        subject={subject}
        title={`Cancel P-${proposal.id}`}
        label="Cancel the proposal"
        grave
        onClose={() => setAct(null)}
        send={({ id }) => ops.post('proposal/cancel', { id })}
        onDone={() => {
          toast(`P-${proposal.id} cancelled`);
          refresh();
          onClose();
        }}
      >
        <p>Nothing happens then. It can be proposed again.</p>
      </ActDialog>
    );
  return (
    <Dialog
      wide
      title={`P-${proposal.id}: ${signed(proposal).title}`}
      onClose={onClose}
      footer={
        <>
          {waits && mine && (
            <Button kind="line" small onClick={() => setAct('cancel')}>
              Cancel the proposal
            </Button>
          )}
          {mayStop && (
            <Button kind="line" small onClick={() => setAct('stop')}>
              Stop it
            </Button>
          )}
          {may && (
            <Button kind="commit" small onClick={() => setAct('confirm')}>
              Confirm
            </Button>
          )}
          {!may && (
            <Button kind="quiet" small onClick={onClose}>
              Close
            </Button>
          )}
        </>
      }
    >
      {gone && <Note tone="caution">This proposal is no longer in this list. Close it to see its outcome.</Note>}
      {waits && mine && <Note>You proposed this. It needs another person.</Note>}
      {waits && !mine && !may && <Note>This is confirmed by: {confirmersOf(proposal).join(', ')}.</Note>}
      {coming && proposal.effective_ms !== null && <Note tone="caution">Two people agreed on this. It acts at {stamp(proposal.effective_ms)}; two can stop it until then.</Note>}
      <Person values={proposal.values} />
      {proposal.error && (
        <Note tone="danger">
          No longer possible when it was to act: <span className="code">{proposal.error}</span> {refusedBecause(proposal.values, proposal.error_field, proposal.error_rule)}
        </Note>
      )}
      <Signed proposal={proposal} />
      <Facts
        facts={[
          ['Reason', proposal.reason],
          ['Proposed by', `${nameOf(proposal.proposer_id)}, ${stamp(proposal.created_at_ms)}`],
          ['Confirmed by', proposal.confirmer_id === null ? 'no one yet' : nameOf(proposal.confirmer_id)],
          ['Acts', proposal.effective_ms === null ? 'when it is confirmed' : stamp(proposal.effective_ms)],
          ['Open until', stamp(proposal.expires_ms)],
          ['Hash', <span key="hash" className="code">{proposal.hash}</span>],
        ]}
      />
    </Dialog>
  );
}
