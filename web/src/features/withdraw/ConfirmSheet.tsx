import { useState } from 'react';
import { t } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { Refusal } from '../../lib/refusal';
import { AddressInFours } from '../../ui/AddressText';
import { Button, TextLink } from '../../ui/Button';
import { Checkbox } from '../../ui/Choice';
import { CommitNote } from '../../ui/CommitNote';
import { Sheet } from '../../ui/Sheet';
import { CostLines, Note, type CostLine } from '../../ui/Status';
import shared from '../../ui/Form.module.css';
import type { Goal } from './Destination';

interface Props {
  open: boolean;
  onClose: () => void;
  goal: Goal;
  /** The amount with its unit. */
  amount: string;
  lines: readonly CostLine[];
  /** Added within a week: the person says again that it is right. */
  young: boolean;
  state: { step: string; key?: string; error?: unknown };
  busy: boolean;
  online: boolean;
  onSend: () => void;
}

/** Everything once more before the money leaves. */
export function ConfirmSheet({ open, onClose, goal, amount, lines, young, state, busy, online, onSend }: Props) {
  const [sure, setSure] = useState(false);
  const upgrade = state.error instanceof Refusal && state.error.code === 'E_WITHDRAW_LIMIT' && state.error.data.upgrade === 1;
  const reason = !online ? t('withdraw.needsConnection') : young && !sure ? t('withdraw.tickFirst') : undefined;
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('withdraw.check')}
      footer={
        <>
          <Button onClick={onClose}>{t('withdraw.edit')}</Button>
          <Button kind="commit" loading={busy} reason={reason} onClick={onSend}>
            {t('withdraw.submit', { amount })}
          </Button>
        </>
      }
    >
      <div className={shared.stack}>
        <Note tone="caution">{t(goal.card === undefined ? 'withdraw.final' : 'withdraw.finalBank')}</Note>
        <CostLines
          lines={[
            { label: t('withdraw.to'), value: goal.name },
            ...(goal.chain ? [{ label: t('funding.network'), value: goal.chain }] : []),
            { label: t(goal.card === undefined ? 'addresses.address' : 'cards.card'), value: goal.card === undefined ? <AddressInFours address={goal.text} /> : goal.text },
            { label: t('assets.amount'), value: amount },
            ...lines,
          ]}
        />
        {young && (
          <Checkbox checked={sure} onChange={(event) => setSure(event.target.checked)}>
            {t('withdraw.young')}
          </Checkbox>
        )}
        <CommitNote state={state} unknown={(key) => t('funding.unknown', { key })} />
        {upgrade && <TextLink href={href('verification/index')}>{t('withdraw.upgrade')}</TextLink>}
      </div>
    </Sheet>
  );
}
