import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { ops, type CatalogRow } from '../api';
import { ActDialog } from '../kit/Act';
import { refresh } from '../reads';

/** The launch of a new coin: coin and pair are listed, and the allotted tokens are delivered. */
export function Launch({ row, onClose }: { row: CatalogRow; onClose: () => void }) {
  return (
    <ActDialog
      subject={row}
      title={`Propose the launch of ${row.name}`}
      label="Propose the launch"
      reason={{ label: 'Reason', templates: ['The issuer has delivered', 'The announced time has come'] }}
      onClose={onClose}
      send={({ id }, reason) => ops.post('offering/launch', { id, reason })}
      onDone={({ message }) => {
        toast(`Proposal ${message.id} made. A second person must confirm.`);
        refresh();
        onClose();
      }}
    >
      <Note>With the confirmation the coin and its pair are listed, payments leave the escrow, and members get their coins, locked by the schedule. It cannot be taken back.</Note>
    </ActDialog>
  );
}
