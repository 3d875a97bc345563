import { useState } from 'react';
import { t } from '../../lib/i18n';
import { Sheet } from '../../ui/Sheet';
import { Receipt, ReceiptButtons } from './Receipt';

/** An order's receipt; `id` is null while closed. */
export default function OrderSheet({ id, open, onClose }: { id: number | null; open: boolean; onClose: () => void }) {
  // The last order stays on the sheet while it slides out.
  const [last, setLast] = useState(id);
  if (id !== null && id !== last) setLast(id);
  return (
    <Sheet open={open} onClose={onClose} title={t('trade.receipt')} footer={last !== null && <ReceiptButtons id={last} onDone={onClose} history={false} />}>
      {last !== null && <Receipt id={last} />}
    </Sheet>
  );
}
