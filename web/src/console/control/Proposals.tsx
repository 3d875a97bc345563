import { useState } from 'react';
import type { Result } from '../../lib/http';
import { Button } from '../../ui/Button';
import { Note, StatusChip, type Tone } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { ops, type Proposal } from '../api';
import type { AreaProps } from '../Desk';
import { ActDialog } from '../kit/Act';
import { copyText } from '../kit/copy';
import { Dialog } from '../kit/Dialog';
import { Facts, Screen, Table } from '../kit/Screen';
import { Nothing, Pager, Ready, stamp } from '../kit/States';
import { confirmers, has } from '../model/areas';
import { span } from '../model/queue';
import { changes, isTime, label } from '../model/values';
import { LIVE, refresh, useOperatorName, useRead, useServerNow } from '../reads';
import { go, href, number } from '../route';
import { useMe } from '../session';
import css from './control.module.css';

const STATES = ['waiting', 'done', 'cancelled', 'expired', 'refused'] as const;
const TONES: Record<Proposal['state'], Tone> = { waiting: 'info', done: 'done', cancelled: 'done', expired: 'caution', refused: 'danger' };

/** What two people must agree on: one proposed it, another confirms exactly what is shown. */
export default function Proposals({ id }: AreaProps) {
  const [state, setState] = useState<(typeof STATES)[number]>('waiting');
  const [page, setPage] = useState(1);
  const now = useServerNow();
  const query = useRead('proposals', { state, page, limit: 50 }, { every: LIVE });
  const nameOf = useOperatorName();
  const me = useMe();
  const wanted = number(id);
  const open = query.data?.data.find((one) => one.id === wanted);
  // Here and not in the detail: a confirmed proposal leaves the list of those that wait, and its detail with it.
  const [link, setLink] = useState<string | null>(null);
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
                <td>{label(one.kind)}</td>
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
      {link === null && open && <Detail key={open.id} proposal={open} onLink={setLink} onClose={() => go('proposals')} />}
      {link !== null && (
        <Link
          secret={link}
          onClose={() => {
            setLink(null);
            go('proposals');
          }}
        />
      )}
    </Screen>
  );
}

/** Before and after, line by line; what stays is grey. */
export function Changes({ values, before }: Pick<Proposal, 'values' | 'before'>) {
  const time = (name: string, text: string) => {
    const value = values[name];
    return isTime(name, value) ? stamp(value) : text;
  };
  return (
    <Table label="What changes" head={before ? ['Field', 'Now', 'Then'] : ['Field', 'Value']}>
      {changes(values, before).map((line) => (
        <tr key={line.name} className={line.same ? css.same : undefined}>
          <td>{label(line.name)}</td>
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

function Detail({ proposal, onLink, onClose }: { proposal: Proposal; onLink: (link: string) => void; onClose: () => void }) {
  const me = useMe();
  const nameOf = useOperatorName();
  const [act, setAct] = useState<'confirm' | 'cancel' | null>(null);
  const waits = proposal.state === 'waiting' && proposal.confirmer_id === null;
  const mine = proposal.proposer_id === me.id;
  const may = waits && !mine && has(me.roles, confirmers(proposal.kind));
  const done = ({ message, data }: Result<Proposal, { link: string | null }>) => {
    setAct(null);
    toast(message.state === 'done' ? `P-${message.id} is in force` : `P-${message.id}: ${message.state}`);
    if (data?.link) onLink(data.link);
    else onClose();
    refresh();
  };
  if (act === 'confirm')
    return (
      <ActDialog wide title={`Confirm P-${proposal.id}`} label={`Confirm ${label(proposal.kind).toLowerCase()}`} onClose={() => setAct(null)} send={() => ops.post('proposal/confirm', { id: proposal.id, hash: proposal.hash })} onDone={done} onRefused={refresh}>
        <p>You sign exactly this, as {me.name}. It takes effect {proposal.effective_ms === null ? 'at once' : `at ${stamp(proposal.effective_ms)}`}.</p>
        <Changes values={proposal.values} before={proposal.before} />
        <p className="code cap">{proposal.hash}</p>
      </ActDialog>
    );
  if (act === 'cancel')
    return (
      <ActDialog
        title={`Cancel P-${proposal.id}`}
        label="Cancel the proposal"
        grave
        onClose={() => setAct(null)}
        send={() => ops.post('proposal/cancel', { id: proposal.id })}
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
      title={`P-${proposal.id}: ${label(proposal.kind)}`}
      onClose={onClose}
      footer={
        <>
          {waits && mine && (
            <Button kind="line" small onClick={() => setAct('cancel')}>
              Cancel the proposal
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
      {waits && mine && <Note>You proposed this. It needs another person.</Note>}
      {waits && !mine && !may && <Note>This is confirmed by: {confirmers(proposal.kind).join(', ')}.</Note>}
      {proposal.error && (
        <Note tone="danger">
          Refused when it was to act: <span className="code">{proposal.error}</span>
        </Note>
      )}
      <Changes values={proposal.values} before={proposal.before} />
      <Facts
        facts={[
          ['Reason', proposal.reason],
          ['Proposed by', `${nameOf(proposal.proposer_id)}, ${stamp(proposal.created_at_ms)}`],
          ['Confirmed by', proposal.confirmer_id === null ? 'nobody yet' : nameOf(proposal.confirmer_id)],
          ['Acts', proposal.effective_ms === null ? 'when it is confirmed' : stamp(proposal.effective_ms)],
          ['Open until', stamp(proposal.expires_ms)],
          ['Hash', <span key="hash" className="code">{proposal.hash}</span>],
        ]}
      />
    </Dialog>
  );
}

/** Shown this once: the server keeps no copy that could be shown again. */
function Link({ secret, onClose }: { secret: string; onClose: () => void }) {
  const address = `${location.origin}/console/${href('setup', secret)}`;
  return (
    <Dialog
      title="The link of the new operator"
      onClose={onClose}
      footer={
        <Button kind="commit" small onClick={() => void copyText(address)}>
          Copy the link
        </Button>
      }
    >
      <Note tone="caution">
        <b>It is shown this once</b> and works once, for 24 hours. Give it to the person yourself, over a way you trust.
      </Note>
      <p className={`${css.secret} code`}>{address}</p>
    </Dialog>
  );
}
