import { useBalance } from '../../data/balances';
import { t } from '../../lib/i18n';
import { CONTRACTS } from '../../lib/wire';
import { amount, approximate, sign, type Amount } from '../../lib/money';
import { totals } from './position';
import { bare, percentOf } from './text';
import css from './Contracts.module.css';

/** Equity, open profit or loss, and the bound share of the account. */
export function Account({ coin, code, profit }: { coin: number; code: string; profit: Amount | undefined }) {
  const wallet = useBalance(CONTRACTS, coin);
  const sum = wallet && profit ? totals(amount(wallet.avail), amount(wallet.frozen), profit) : undefined;
  const direction = !sum || sign(sum.profit) === 0 ? 't2' : sign(sum.profit) > 0 ? 'up' : 'down';
  const percent = sum?.share ? percentOf(sum.share) : percentOf(amount('0'));
  return (
    <section aria-label={t('contracts.account')}>
      <div className={css.account}>
        <div>
          <div className="cap t2">{t('contracts.equity')}</div>
          <div className="h2 num">
            {bare(sum?.equity)} <span className="lab t3">{code}</span>
          </div>
        </div>
        <div className="right">
          <div className="cap t2">{t('assets.openProfit')}</div>
          <div className={`h2 num ${direction}`}>{bare(sum?.profit, 'result')}</div>
        </div>
      </div>
      <div className="pad">
        <div className={css.bar} role="img" aria-label={t('contracts.usedBar', { percent })}>
          <i style={{ width: `${Math.min(100, sum?.share ? approximate(sum.share) : 0)}%` }} />
        </div>
        <div className={`${css.under} cap t2 num`}>
          <span>{t('contracts.used', { amount: bare(sum?.used, 'cost'), percent })}</span>
          <span>{t('contracts.free', { amount: bare(sum?.free) })}</span>
        </div>
      </div>
    </section>
  );
}
