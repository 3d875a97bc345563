import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button, IconButton } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Note, StatusChip } from '../../ui/Status';
import { ops, type QueueItem, type QueueKind, type QueueRow } from '../api';
import { Reason } from '../kit/Fields';
import { useKeys } from '../kit/keys';
import { Failure, Loading } from '../kit/States';
import { caseNumber } from '../model/areas';
import { changed, deadline, isOpen, reasonProblem, toRead, turn, waits } from '../model/queue';
import { refresh, useServerNow } from '../reads';
import { useMe } from '../session';
import { Actions } from './Actions';
import { Amounts, Approvers, Attempts, Checks, Facts, History, PastLoans, Thread } from './CaseParts';
import { Pictures } from './Pictures';
import { Talk } from './Talk';
import { Typed } from './Typed';
import css from './queue.module.css';

/** Reasons for opening a case. None is chosen in advance, because the user reads the reason. */
const OPENING = ['Review from the queue', 'User asked about it', 'Audit'];
const SECOND = 'Second approval';

interface Props {
  kind: QueueKind;
  id: number;
  /** The row's present version in the list. */
  live: QueueRow | undefined;
  /** The list of open cases on the screen: when it was read, its page, and whether that is all of it. */
  list: { at: number; page: number; whole: boolean } | undefined;
  may: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** A case stays masked until a reason is given. The view itself is in the audit log, and the member can see it. */
export function Case(props: Props) {
  const { kind, id, live, onClose } = props;
  const { id: me } = useMe();
  const [reason, setReason] = useState('');
  return (
    <aside className={css.case} aria-label={caseNumber(kind, id)}>
      {reason ? <Opened {...props} reason={reason} /> : <Ask number={caseNumber(kind, id)} templates={live && turn(live, me) === 'second' ? [SECOND, ...OPENING] : OPENING} onClose={onClose} onReason={setReason} />}
    </aside>
  );
}

function Head({ number, onClose, children }: { number: string; onClose: () => void; children?: React.ReactNode }) {
  return (
    <header>
      <h2 className="b">{number}</h2>
      <div className="grow flex gap2">{children}</div>
      <IconButton label="Close the case" onClick={onClose}>
        <Icon name="close" size={20} />
      </IconButton>
    </header>
  );
}

function Ask({ number, templates, onClose, onReason }: { number: string; templates: readonly string[]; onClose: () => void; onReason: (reason: string) => void }) {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!reasonProblem(text)) onReason(text.trim());
  };
  return (
    <>
      <Head number={number} onClose={onClose} />
      <form className={css.ask} onSubmit={submit}>
        <p>Details are masked. State why you open this case: the view is written to the audit log, and the user can see that staff looked, and why.</p>
        <Reason label="Why you open it" templates={templates} value={text} onValue={setText} tried={tried} first />
        <Button kind="commit" type="submit">
          Open {number}
        </Button>
      </form>
    </>
  );
}

function Opened({ kind, id, live, list, may, onClose, onDone, reason }: Props & { reason: string }) {
  const number = caseNumber(kind, id);
  // A view is an act: it happens only when the operator asks for it.
  const query = useQuery({
    queryKey: ['ops', 'item', kind, id, reason],
    queryFn: ({ signal }) => ops.get('item', { kind, id, reason }, signal),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { data: item, error, refetch, isFetching } = query;
  useKeys({ Escape: onClose });
  // One page of several shows only of a case that was on it that it left.
  const [listed, setListed] = useState('');
  const spot = item && list ? `${item.view_id} ${list.page}` : '';
  if (live && spot !== listed) setListed(spot);
  if (!item) {
    return (
      <>
        <Head number={number} onClose={onClose} />
        <div className={css.body}>{error ? <Failure error={error} what="The case did not open." retry={refetch} /> : <Loading />}</div>
      </>
    );
  }
  // An open case that left its list was decided or paid by somebody else.
  const gone = isOpen(item.row) && live === undefined && list !== undefined && list.at > query.dataUpdatedAt && (list.whole || spot === listed);
  const stale = gone || changed(item.row, live);
  const reload = () => {
    refresh();
    void refetch();
  };
  return (
    <>
      <Head number={number} onClose={onClose}>
        <Status item={item} />
      </Head>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={css.body} tabIndex={0} role="region" aria-label={`${number}, details`}>
        {stale && (
          <Note tone="caution">
            <b>This case changed while you had it open.</b> {item.row.hash && `You are looking at version ${item.row.version}.`}{' '}
            <Button small kind="line" loading={isFetching} onClick={reload}>
              Reload the case
            </Button>
          </Note>
        )}
        {error && <Failure error={error} what="Could not reload the case." retry={refetch} />}
        <Amounts item={item} />
        {item.files.length > 0 && <Pictures item={item} />}
        {kind === 'identity' && item.files.length > 0 && <Typed item={item} />}
        <Thread item={item} />
        <Checks item={item} />
        <Attempts item={item} />
        <PastLoans item={item} />
        <Approvers item={item} />
        <Facts item={item} />
        <History item={item} />
      </div>
      {kind === 'ticket' || kind === 'chat' ? <Talk item={item} may={may} onSent={reload} /> : <Actions item={item} may={may} stale={stale} onReload={reload} onDone={onDone} onHold={onDone} />}
    </>
  );
}

function Status({ item: { row, checks } }: { item: QueueItem }) {
  const now = useServerNow();
  const read = toRead(checks);
  const { text, tone } = deadline(row, now);
  const open = waits(row.status);
  return (
    <>
      {read > 0 && (
        <StatusChip tone="caution" icon="warn">
          {read} to read
        </StatusChip>
      )}
      {open && text && (
        <StatusChip tone={tone === 'late' ? 'danger' : tone === 'caution' ? 'caution' : 'info'} icon={icons.clock}>
          {text}
        </StatusChip>
      )}
      <StatusChip tone={open ? 'info' : 'done'}>{row.status.replaceAll('_', ' ')}</StatusChip>
    </>
  );
}
