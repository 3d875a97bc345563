import { useEffect, useState } from 'react';
import type { SpotOrder } from '../../generated/api';
import { t } from '../../lib/i18n';
import type { Parts } from '../../ui/Sheet';
import { useOrder, type Placed } from './api';
import { usePriceChange } from './priceChange';
import { Receipt, ReceiptButtons } from './Receipt';

/** An order to show. */
export interface OpenedOrder {
  id: number;
  /** As it was answered, if it has just been placed. */
  placed?: Placed;
  /** The order whose price is changed first. */
  move?: SpotOrder | undefined;
}

/** Longer than a sheet takes to slide out, ms. */
const GONE = 300;

/** A sheet's content that changes in place: the receipt of an order, the change of its price, and the receipt of the one in its place. */
export function useOrderParts(given: OpenedOrder | null, open: boolean, onDone: () => void, history = false): Parts {
  const [at, setAt] = useState<OpenedOrder>();
  const [was, setWas] = useState<number>();
  const asked = open ? given?.id : undefined;
  if (asked !== was) {
    setWas(asked);
    if (given && open) setAt(given);
  }
  // The last order stays on the sheet while it slides out, and is followed no longer than that.
  useEffect(() => {
    if (open) return;
    const timer = setTimeout(() => setAt(undefined), GONE);
    return () => clearTimeout(timer);
  }, [open]);
  const order = useOrder(at?.id, at?.placed).data?.order ?? at?.move;
  const move = (one?: SpotOrder) => setAt(at && { ...at, move: one });
  const change = usePriceChange(order, at?.move !== undefined, {
    open,
    onBack: () => move(),
    onMoved: (moved) => setAt((now) => (now?.id === moved.replaced ? { id: moved.order.id, placed: moved } : now)),
    onClose: onDone,
  });
  if (change) return change;
  return {
    title: t('trade.receipt'),
    footer: at && <ReceiptButtons id={at.id} onDone={onDone} onMove={move} history={history} />,
    children: at && <Receipt id={at.id} {...(at.placed && { initial: at.placed })} />,
  };
}
