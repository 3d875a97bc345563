import { useState } from 'react';
import { Button } from '../../ui/Button';
import { toast } from '../../ui/Toast';
import type { QueueItem } from '../api';
import { useKeys } from '../kit/keys';
import { caseNumber } from '../model/areas';
import { toRead, turn, unseen, waits } from '../model/queue';
import { refresh } from '../reads';
import { useMe } from '../session';
import { Decide } from './Decide';
import { useMatched } from './matched';
import { Paid } from './Paid';
import css from './queue.module.css';

interface Props {
  item: QueueItem;
  may: boolean;
  /** The list has a newer version, so the one on the screen must not be decided. */
  stale: boolean;
  onReload: () => void;
  onDone: () => void;
  onHold: () => void;
}

/** What can be done with a case: approve, reject, hold; a passed withdrawal is marked as sent or returned. */
export function Actions({ item, may, stale, onReload, onDone, onHold }: Props) {
  const me = useMe();
  const { row, checks } = item;
  const [open, setOpen] = useState<'approve' | 'reject' | null>(null);
  const number = caseNumber(row.kind, row.id);
  const undecided = waits(row.status);
  const acting = may && undecided && !stale;
  const another = turn(row, me.id) === 'another';
  // A payment that was seen may have found another claim first; this one can be approved with it.
  const alone = acting && unseen(item);
  const matched = useMatched(item, alone);
  const nothingSeen = alone && matched.transfers?.length === 0;
  const approves = acting && !another && (!alone || Boolean(matched.transfers?.length));
  useKeys({
    ...(approves && { a: () => setOpen('approve') }),
    ...(acting && { r: () => setOpen('reject') }),
    ...(undecided && { h: onHold }),
  });
  if (!may) return <p className={`${css.act} t2`}>Your roles let you read this case, not decide it.</p>;
  if (!undecided) return row.kind === 'withdrawal' ? <Paid item={item} stale={stale} onChanged={onReload} /> : <p className={`${css.act} t2`}>Decided. Nothing is left to do here.</p>;

  const risky = toRead(checks) > 0;
  const safest = risky || !approves;
  const hold = (
    <Button key="hold" kind={safest ? 'commit' : 'line'} small onClick={onHold}>
      Hold, decide later
    </Button>
  );
  const approve = approves && (
    <Button key="approve" kind={safest ? 'line' : 'commit'} small onClick={() => setOpen('approve')}>
      Approve {number}
    </Button>
  );
  return (
    <div className={css.act}>
      {stale && <p className="t2">Reload the case before you decide.</p>}
      {alone && matched.error && <p className="t2">The observed transfers did not load.</p>}
      {nothingSeen && <p className="t2">There is nothing to approve: this payment has not been seen. Wait for its chain, or reject it.</p>}
      {acting && another && <p className="t2">You approved this. It needs another person. You can still reject it.</p>}
      <div className={css.buttons}>
        {acting && (
          <Button kind="line" small onClick={() => setOpen('reject')}>
            Reject
          </Button>
        )}
        {/* The safe act has the filled button and comes last; if a check needs reading, that is to hold. */}
        {safest ? [approve, hold] : [hold, approve]}
      </div>
      {open && (
        <Decide
          item={item}
          stale={stale}
          decision={open}
          onClose={() => setOpen(null)}
          onRefused={refresh}
          onReload={() => {
            setOpen(null);
            onReload();
          }}
          onDone={(text) => {
            setOpen(null);
            toast(text);
            refresh();
            onDone();
          }}
        />
      )}
    </div>
  );
}
