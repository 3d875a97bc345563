import { t } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { Sheet } from '../../ui/Sheet';
import { Note } from '../../ui/Status';
import css from './Contracts.module.css';

const STEPS = ['explain.contract.open', 'explain.contract.mark', 'explain.contract.liquidation', 'explain.contract.night', 'explain.contract.close'] as const;

/** What a contract is, what it can cost, and how it ends. */
export default function How({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('contracts.how')}
      footer={
        <Button kind="commit" wide onClick={onClose}>
          {t('ui.done')}
        </Button>
      }
    >
      <Note tone="caution">{t('explain.contract.lead')}</Note>
      <ol className={css.steps2}>
        {STEPS.map((step) => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
    </Sheet>
  );
}
