import { useState } from 'react';
import { Field } from '../../ui/Field';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { ops, type CatalogRow } from '../api';
import { ActDialog } from '../kit/Act';
import { refresh, useServerNow } from '../reads';
import css from './control.module.css';

const DAY = 24 * 3_600_000;

/** The retirement of a pair, announced at least a day before. */
export function Retire({ row, onClose }: { row: CatalogRow; onClose: () => void }) {
  const [at, setAt] = useState('');
  const now = useServerNow();
  const end = at ? new Date(at).getTime() : 0;
  const blocked = end < now + DAY ? 'A pair ends after 24 hours at the earliest' : undefined;
  return (
    <ActDialog
      subject={row}
      title={`Propose the end of ${row.name}`}
      label="Propose the end"
      grave
      blocked={blocked}
      reason={{ label: 'Reason' }}
      onClose={onClose}
      send={({ id }, reason) => ops.post('market/retire', { match_id: id, at_ms: end, reason })}
      onDone={({ message }) => {
        toast(`Proposal ${message.id} made. A second person must confirm.`);
        refresh();
        onClose();
      }}
    >
      <Note tone="caution">It is public once it is confirmed. When it takes effect, open orders are cancelled and released, contracts are closed without a fee at the average price of the last 30 minutes, and the pair stays closed.</Note>
      <div className={css.grid}>
        <Field label="Ends" type="datetime-local" hint="At least 24 hours from now, in your time zone" value={at} onChange={(event) => setAt(event.target.value)} />
      </div>
    </ActDialog>
  );
}
