import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { Button, ButtonLink } from '../../ui/Button';
import { amountText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import { CostLines } from '../../ui/Status';
import css from './Assets.module.css';

interface Props {
  code: string;
  amount: string;
  balance: string;
  seq: number;
  onAgain: () => void;
}

/** What the server booked. */
export function PaperReceipt({ code, amount, balance, seq, onAgain }: Props) {
  const locale = useLocale();
  const text = (value: string) => amountText({ value, code, full: true }, locale);
  return (
    <>
      <div className={css.done} role="status">
        <span className={css.tick}>
          <Icon name="check" size={32} />
        </span>
        <h2 className="h2">{t('assets.paperDone', { amount: amountText({ value: amount, code, full: true }, locale) })}</h2>
        <p className="t2">{t('assets.paperDoneText')}</p>
      </div>
      <div className={css.form}>
        <CostLines
          lines={[
            { label: t('assets.amount'), value: text(amount) },
            { label: t('assets.fee'), value: t('assets.feeFree') },
            { label: t('assets.entry'), value: seq },
            { label: t('assets.nowFree'), value: text(balance), total: true },
          ]}
        />
        <div className={css.actions}>
          <ButtonLink kind="commit" wide href={href('assets/index')}>
            {t('ui.done')}
          </ButtonLink>
          <ButtonLink wide href={href('trade/index')}>
            {t('assets.markets')}
          </ButtonLink>
          <Button kind="text" wide onClick={onAgain}>
            {t('assets.more')}
          </Button>
        </div>
      </div>
    </>
  );
}
