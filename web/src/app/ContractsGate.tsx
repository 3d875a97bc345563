import { usePositions } from '../data/positions';
import Contracts from '../features/lever/Contracts';
import { t } from '../lib/i18n';
import { usePlace } from '../lib/nav';
import { Loaded, ProductGate } from './ProductGate';

const explained = () => import('../features/explain/Contracts');
const one = () => import('../features/lever/ContractPage');

/** Contracts where this server offers them here; else what they are, or that the rules of the country forbid them. One that is over is shown wherever its owner lives. */
export default function ContractsGate() {
  const [open, waiting] = [usePositions(1).data, usePositions(0).data];
  if (usePlace().query.has('order')) return <Loaded load={one} title={t('contracts.detail')} />;
  return (
    <ProductGate product="contract" title={t('account.lever')} held={Boolean(open?.length || waiting?.length)} explained={explained}>
      <Contracts />
    </ProductGate>
  );
}
