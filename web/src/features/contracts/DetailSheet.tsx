import type { Position } from '../../generated/api';
import { t } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { ButtonLink } from '../../ui/Button';
import { Sheet } from '../../ui/Sheet';
import { Receipt, ReceiptButtons } from './Receipt';

/** Everything about one position or order, in full precision. */
export default function DetailSheet({ open, onClose, position }: { open: boolean; onClose: () => void; position: Position }) {
  return (
    <Sheet open={open} onClose={onClose} title={t('contracts.detail')} footer={<ReceiptButtons position={position} onDone={onClose} />}>
      <Receipt position={position} />
      <ButtonLink wide href={href('lever/index', { order: position.id })}>
        {t(position.status === 3 ? 'contracts.howClosed' : 'proof.receipt.title')}
      </ButtonLink>
    </Sheet>
  );
}
