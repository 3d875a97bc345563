import type { OptionReceipt } from '../../generated/api';
import { t } from '../../lib/i18n';
import { Sheet } from '../../ui/Sheet';
import HowItSettled from './HowItSettled';

/** How an option settled, over its receipt. */
export default function HowSheet({ open, onClose, receipt }: { open: boolean; onClose: () => void; receipt: OptionReceipt }) {
  return (
    <Sheet open={open} onClose={onClose} title={t('options.how')}>
      <HowItSettled receipt={receipt} />
    </Sheet>
  );
}
