import type { Account } from '../../lib/wire';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { stamp } from '../../lib/time';
import { Button, ButtonLink, IconButton } from '../../ui/Button';
import { copyText } from '../../ui/copy';
import { amountText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { CostLines, StatusChip } from '../../ui/Status';
import css from './Transfer.module.css';

interface Props {
  from: Account;
  to: Account;
  code: string;
  amount: string;
  at: number;
  id: number;
  fromBalance: string;
  toBalance: string;
  onAgain: () => void;
}

/** The server's figures after a transfer. */
export function Receipt({ from, to, code, amount, at, id, fromBalance, toBalance, onAgain }: Props) {
  const locale = useLocale();
  const full = (value: string) => amountText({ value, code, full: true }, locale);
  const [source, goal] = [t(`account.${from}`), t(`account.${to}`)];
  const number = String(id);
  return (
    <>
      <div className={css.done} role="status">
        <StatusChip tone="done">{t('transfer.completed')}</StatusChip>
        <h2 className="h2">{t('transfer.done', { amount: amountText({ value: amount, code, full: true }, locale), account: goal })}</h2>
      </div>
      <div className={css.form}>
        <CostLines
          lines={[
            { label: t('transfer.from'), value: source },
            { label: t('transfer.to'), value: goal },
            { label: t('transfer.amount'), value: full(amount) },
            { label: t('transfer.fee'), value: t('transfer.feeFree') },
            { label: t('transfer.time'), value: stamp(at, locale) },
            {
              label: t('transfer.number'),
              value: (
                <span className={css.number}>
                  {number}
                  <IconButton label={t('transfer.copyNumber')} onClick={() => void copyText(number)}>
                    <Icon name={icons.copy} size={18} />
                  </IconButton>
                </span>
              ),
            },
            { label: t('transfer.nowFree', { account: source }), value: full(fromBalance) },
            { label: t('transfer.nowFree', { account: goal }), value: full(toBalance) },
          ]}
        />
        <div className={css.actions}>
          <ButtonLink kind="commit" wide href={href('assets/index')}>
            {t('ui.done')}
          </ButtonLink>
          <Button kind="text" wide onClick={onAgain}>
            {t('transfer.again')}
          </Button>
        </div>
      </div>
    </>
  );
}
