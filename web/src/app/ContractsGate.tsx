import { usePositions } from '../data/positions';
import Contracts from '../features/lever/Contracts';
import { t } from '../lib/i18n';
import { usePlace } from '../lib/nav';
import { ProductGate } from './ProductGate';

const explained = () => import('../features/explain/Contracts');

/** Contracts where this server offers them here; else what they are, or that the rules of the country forbid them. */
export default function ContractsGate() {
  const [open, waiting] = [usePositions(1).data ?? [], usePositions(0).data ?? []];
  // What is over is shown wherever its owner lives.
  const one = usePlace().query.has('order');
  return (
    <ProductGate product="contract" title={t('account.lever')} held={one || open.length + waiting.length > 0} explained={explained}>
      <Contracts />
    </ProductGate>
  );
}
