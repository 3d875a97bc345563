import { usePositions } from '../data/positions';
import Contracts from '../features/contracts/Contracts';
import { t } from '../lib/i18n';
import { usePlace } from '../lib/nav';
import { Loaded, ProductGate } from './ProductGate';

const explained = () => import('../features/explain/Contracts');
const one = () => import('../features/contracts/ContractPage');

/**
 * Contracts if this server offers them here; otherwise what they are, or that the rules of the country forbid them. Ended contracts are
 * shown to their owner everywhere.
 */
export default function ContractsGate() {
  const [open, waiting] = [usePositions(1).data, usePositions(0).data];
  if (usePlace().query.has('order')) return <Loaded load={one} title={t('contracts.detail')} />;
  return (
    <ProductGate product="contract" title={t('account.lever')} held={Boolean(open?.length || waiting?.length)} explained={explained}>
      <Contracts />
    </ProductGate>
  );
}
