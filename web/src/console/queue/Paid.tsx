import { useState } from 'react';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { ops, type QueueItem } from '../api';
import { ActDialog } from '../kit/Act';
import { Facts } from '../kit/Screen';
import { stamp } from '../kit/States';
import { caseNumber } from '../model/areas';
import { flat, isMap, path } from '../model/values';
import { fieldValue } from './CaseParts';
import css from './queue.module.css';

/** The form of a transaction hash on every chain that we pay on. */
const TX = /^(0x)?[0-9a-f]{64}$/i;
const OUTPUT = /^\d{1,9}$/;

/** A withdrawal after its approval: it is marked as paid, and two operators can return the withdrawal or reverse a wrong mark. */
export function Paid({ item, stale, onChanged }: { item: QueueItem; stale: boolean; onChanged: () => void }) {
  const { row, fields } = item;
  const [open, setOpen] = useState<'sent' | 'returned' | 'unmark' | null>(null);
  const [tx, setTx] = useState('');
  const [output, setOutput] = useState('0');
  const number = caseNumber(row.kind, row.id);
  const until = fields.unmark_until_ms;
  const marked = row.status === 'sent' && typeof until === 'number';
  if (row.status === 'confirmed') return <p className={`${css.act} t2`}>Confirmed by the chain: it holds exactly this payment. The mark is final.</p>;
  if (row.status !== 'passed' && !marked) return <p className={`${css.act} t2`}>Decided. Nothing is left to do here.</p>;
  const close = () => setOpen(null);
  const subject = stale ? undefined : item;
  const done = (text: string) => {
    close();
    toast(text);
    onChanged();
  };
  return (
    <div className={css.act}>
      {stale && <p className="t2">Reload the case before you go on.{!marked && ' Pay nothing: somebody else may have paid it.'}</p>}
      {!stale && marked && (
        <>
          {isMap(fields.dispute) && (
            <Note tone="danger">The chain does not hold this payment as it was marked. Find out what happened. A transaction without a block may still be mined: make it impossible before you pay again.</Note>
          )}
          <p className="t2">Marked as sent. Two people can take the mark back until {stamp(until)}, if it was wrong.</p>
          <div className={css.buttons}>
            <Button kind="line" small onClick={() => setOpen('unmark')}>
              Propose to take back the mark
            </Button>
          </div>
        </>
      )}
      {!stale && !marked && <p className="t2">Approved. Pay it from {fields.payout_usd ? 'the bank account' : 'the wallet'}, exactly as shown, then enter the transaction.</p>}
      {!stale && !marked && (
        <div className={css.buttons}>
          <Button kind="line" small onClick={() => setOpen('returned')}>
            Propose return
          </Button>
          <Button kind="commit" small onClick={() => setOpen('sent')}>
            Enter transaction
          </Button>
        </div>
      )}
      {open === 'sent' && (
        <ActDialog
          subject={subject}
          wide
          title={`${number} was paid`}
          label="Mark as sent"
          blocked={tx.trim().length < 3 ? 'Enter the transaction' : !fields.payout_usd && !TX.test(tx.trim()) ? 'A transaction has 64 digits and letters a to f' : !OUTPUT.test(output.trim()) ? 'An output is a whole number' : undefined}
          onClose={close}
          send={({ row: { id } }) => ops.post('withdrawal/sent', { id, tx: tx.trim(), output: parseInt(output, 10) })}
          onDone={() => done(`${number} marked as sent`)}
        >
          {(paid) => (
            <>
              <div className={css.signed}>
                <Facts facts={flat(paid.fields).map(([name, value]) => [path(name), fieldValue(name, value)] as const)} />
              </div>
              <Field label="Transaction or bank reference" autoComplete="off" spellCheck={false} hint="The user sees it." value={tx} onChange={(event) => setTx(event.target.value)} />
              <Field label="Output" autoComplete="off" inputMode="numeric" hint="0, unless the transaction pays several withdrawals. Each output counts once." value={output} onChange={(event) => setOutput(event.target.value)} />
            </>
          )}
        </ActDialog>
      )}
      {open === 'returned' && (
        <ActDialog
          subject={subject}
          title={`Propose the return of ${number}`}
          label="Propose return"
          grave
          reason={{ label: 'Reason, shown to the user', templates: ['The bank sent the transfer back', 'The network refused the transaction'] }}
          onClose={close}
          send={({ row: { id } }, reason) => ops.post('withdrawal/returned', { id, reason })}
          onDone={({ message }) => done(`Proposal ${message.id} made. A second person must confirm.`)}
        >
          <p>The whole amount and the fee go back to the user once a second person confirms the proposal.</p>
        </ActDialog>
      )}
      {open === 'unmark' && (
        <ActDialog
          subject={subject}
          title={`Propose to take back the mark of ${number}`}
          label="Propose to take back"
          grave
          reason={{ label: 'Reason', templates: ['It was not sent yet', 'The transaction pays another withdrawal'] }}
          onClose={close}
          send={({ row: { id } }, reason) => ops.post('withdrawal/unmark', { id, reason })}
          onDone={({ message }) => done(`Proposal ${message.id} made. A second person must confirm.`)}
        >
          <p>Look the transaction up first: nothing must be on its way. Once a second person confirms, {number} waits for being sent again.</p>
        </ActDialog>
      )}
    </div>
  );
}
