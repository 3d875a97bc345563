import { useState } from 'react';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { toast } from '../../ui/Toast';
import { ops, type QueueItem } from '../api';
import { ActDialog } from '../kit/Act';
import { Facts } from '../kit/Screen';
import { caseNumber } from '../model/areas';
import { flat, path } from '../model/values';
import { fieldValue } from './CaseParts';
import css from './queue.module.css';

/** How a transaction is named on every chain that we pay on. */
const TX = /^(0x)?[0-9a-f]{64}$/i;

/** A withdrawal after its approval: it is told when it was paid, or two people take it back. */
export function Paid({ item, onChanged }: { item: QueueItem; onChanged: () => void }) {
  const { row, fields } = item;
  const [open, setOpen] = useState<'sent' | 'returned' | null>(null);
  const [tx, setTx] = useState('');
  const number = caseNumber(row.kind, row.id);
  if (row.status !== 'passed') return <p className={`${css.act} t2`}>Decided. Nothing is left to do here.</p>;
  const close = () => setOpen(null);
  const done = (text: string) => {
    close();
    toast(text);
    onChanged();
  };
  return (
    <div className={css.act}>
      <p className="t2">Approved. Pay it from {fields.payout_usd ? 'the bank account' : 'the wallet'}, exactly as shown, then enter the transaction.</p>
      <div className={css.buttons}>
        <Button kind="line" small onClick={() => setOpen('returned')}>
          Propose return
        </Button>
        <Button kind="commit" small onClick={() => setOpen('sent')}>
          Enter transaction
        </Button>
      </div>
      {open === 'sent' && (
        <ActDialog
          subject={item}
          wide
          title={`${number} was paid`}
          label="Mark as sent"
          blocked={tx.trim().length < 3 ? 'Enter the transaction' : !fields.payout_usd && !TX.test(tx.trim()) ? 'A transaction has 64 digits and letters a to f' : undefined}
          onClose={close}
          send={({ row: { id } }) => ops.post('withdrawal/sent', { id, tx: tx.trim() })}
          onDone={() => done(`${number} marked as sent`)}
        >
          {(paid) => (
            <>
              <div className={css.signed}>
                <Facts facts={flat(paid.fields).map(([name, value]) => [path(name), fieldValue(name, value)] as const)} />
              </div>
              <Field label="Transaction or bank reference" autoComplete="off" spellCheck={false} hint="The user sees it. A transaction counts once." value={tx} onChange={(event) => setTx(event.target.value)} />
            </>
          )}
        </ActDialog>
      )}
      {open === 'returned' && (
        <ActDialog
          subject={item}
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
    </div>
  );
}
