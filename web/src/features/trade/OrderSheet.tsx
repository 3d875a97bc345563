import { Sheet } from '../../ui/Sheet';
import { useOrderParts, type OpenedOrder } from './orderParts';

/** An order's receipt, and the change of its price; nothing is shown while it is closed. */
export default function OrderSheet({ shown, open, onClose }: { shown: OpenedOrder | null; open: boolean; onClose: () => void }) {
  return <Sheet open={open} onClose={onClose} {...useOrderParts(shown, open, onClose)} />;
}
