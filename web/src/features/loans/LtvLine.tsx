import { t, useLocale } from '../../lib/i18n';
import { amount, approximate, cmp, formatPercent, type Amount } from '../../lib/money';
import { UNKNOWN } from '../../ui/Figures';
import type { Marks } from './model';
import css from './Loans.module.css';

const place = (value: Amount) => `${Math.min(100, Math.max(0, approximate(value)))}%`;

/** Debt as a share of the collateral, on one line with the marks of margin call and liquidation. */
export function LtvLine({ ltv, marks }: { ltv: Amount | undefined; marks: Marks }) {
  const locale = useLocale();
  const percent = (value: Amount) => formatPercent(value, locale, { kind: 'breakEven', max: 1 });
  const [call, sale] = [amount(marks.call_ltv), amount(marks.liquidation_ltv)];
  const level = ltv === undefined || cmp(ltv, call) < 0 ? '' : cmp(ltv, sale) < 0 ? css.called : css.sold;
  return (
    <div className={css.ltv}>
      <div className="flex between lab">
        <span className="t2">{t('loans.ltv')}</span>
        <span className={`num b ${level ? 'caution' : ''}`}>{ltv ? percent(ltv) : UNKNOWN}</span>
      </div>
      <p className="vh">{t('loans.ltvText', { ltv: ltv ? percent(ltv) : UNKNOWN, call: percent(call), sale: percent(sale) })}</p>
      <div className={css.track} aria-hidden="true">
        <i className={`${css.fill} ${level}`} style={{ width: ltv ? place(ltv) : '0%' }} />
        <s style={{ left: place(call) }} />
        <s className={css.hard} style={{ left: place(sale) }} />
      </div>
      <div className={`${css.scale} cap t3 num`} aria-hidden="true">
        <span style={{ left: place(call) }}>{percent(call)}</span>
        <span style={{ left: place(sale) }}>{percent(sale)}</span>
      </div>
    </div>
  );
}
