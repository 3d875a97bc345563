import { useState } from 'react';
import type { SelfLimits } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amount, format, isZero, wire } from '../../lib/money';
import { AmountField, useAmountInput } from '../../ui/AmountField';
import { Button } from '../../ui/Button';
import { Sheet } from '../../ui/Sheet';
import { Note } from '../../ui/Status';
import { direction, valueOf, type NumberLimit } from './limits';
import { useSaving } from './saving';
import css from './Account.module.css';

interface Props {
  field: NumberLimit;
  title: string;
  limits: SelfLimits;
  open: boolean;
  onClose: () => void;
}

/** One numeric limit: a new value, or none. */
export function LimitSheet({ field, title, limits, open, onClose }: Props) {
  const locale = useLocale();
  const multiple = field === 'leverage_max';
  const { field: text, input, shown, touch, onBlocked, clear } = useAmountInput(multiple ? 0 : 2);
  const [removing, setRemoving] = useState(false);
  const { save, sending, refused } = useSaving(field, () => {
    clear();
    onClose();
  });
  const before = valueOf(limits, field);
  const { value } = text;
  // A multiple of 0 would forbid everything, which a pause is for.
  const usable = value && !(multiple && isZero(value)) ? value : undefined;
  const change = usable && direction(field, before, wire(usable));
  const reason = !usable ? t('security.limitNeed') : change === 'same' ? t('security.limitSame') : undefined;
  const complaint = shown(!usable ? t(multiple ? 'errors.E_LEVERAGE' : 'errors.E_AMOUNT') : undefined);
  const send = (next: string | null) => {
    setRemoving(next === null);
    void save(next);
  };
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <>
          {before !== null && (
            <Button loading={sending && removing} onClick={() => send(null)}>
              {t('security.limitRemove')}
            </Button>
          )}
          <Button kind="commit" loading={sending && !removing} reason={reason} onBlocked={onBlocked} onClick={() => usable && send(wire(usable))}>
            {t('ui.save')}
          </Button>
        </>
      }
    >
      <div className={css.sheet}>
        <AmountField
          ref={input}
          label={title}
          field={text}
          unit={multiple ? '×' : 'USDT'}
          placeholder={before === null ? t('security.limitNone') : format(amount(before), locale, { min: multiple ? 0 : 2 })}
          error={complaint}
          hint={change && change !== 'same' && t(change === 'tighter' ? 'security.limitNow' : 'security.limitLater')}
          onBlur={touch}
        />
        {refused && (
          <div role="alert">
            <Note tone="danger">{refused}</Note>
          </div>
        )}
      </div>
    </Sheet>
  );
}
