import { usePriceAge } from '../../data/tickers';
import { t, useLocale } from '../../lib/i18n';
import { add, amount, cmp, format, formatPercent, isZero, trim, type Amount } from '../../lib/money';
import { amountText, HIDDEN, Result, UNKNOWN } from '../../ui/Figures';
import { Skeleton } from '../../ui/ListState';
import { CostLines } from '../../ui/Status';
import { useCosts } from './api';
import { profitOf, type CoinLine, type CoinProfit } from './model';

/** A price older than this shows its age. */
const OLD = 60_000;

/** With the decimals of the price, rounded up like every cost. */
function averageText(average: Amount, price: Amount, locale: string): string {
  const { scale } = isZero(price) ? trim(average, 2) : price;
  return `${format(average, locale, { kind: 'cost', min: scale, max: scale })}\u00a0USDT`;
}

/** The profit of a coin: at the present price, in percent of its cost, and from sales. */
function Profit({ unrealised, percent, realised }: CoinProfit) {
  const locale = useLocale();
  return (
    <>
      {unrealised ? <Result value={unrealised} code="USDT" /> : UNKNOWN}
      {percent && <span className="num t2"> ({formatPercent(percent, locale, { kind: 'result', min: 2, max: 2, sign: 'plus' })})</span>}
      {!isZero(realised) && <div className="lab t2 num">{t('assets.cost.realised', { amount: amountText({ value: realised, code: 'USDT', kind: 'result', signed: true }, locale) })}</div>}
    </>
  );
}

/** Average cost and profit of a coin, over all accounts. */
export function CoinCost({ coin: { code, row, total, price }, open, hidden }: { coin: CoinLine; open: boolean; hidden: boolean }) {
  const locale = useLocale();
  const query = useCosts(open);
  const { age } = usePriceAge(`${code}/USDT`);
  const found = query.data?.find(({ coin }) => coin === row.currency);
  const [average, profit] = [t('assets.cost.average'), t('assets.cost.profit')];
  if (!found) {
    // A coin that the member never had cost nothing.
    const value = query.isError ? UNKNOWN : <Skeleton />;
    return query.data ? null : <CostLines lines={[{ label: average, value }, { label: profit, value }]} />;
  }
  if (hidden) return <CostLines lines={[{ label: average, value: HIDDEN }, { label: profit, value: HIDDEN }]} />;
  const made = profitOf(found, price);
  const isOld = age === null ? row.price_stale === 1 : age > OLD;
  const isElsewhere = cmp(add(made.quantity, made.withoutCost), total) !== 0;
  const notes = [...(isElsewhere ? [t('assets.cost.everywhere')] : []), ...(made.unrealised && isOld ? [t('assets.cost.oldPrice')] : [])];
  const unknown = isZero(made.withoutCost) ? UNKNOWN : t('assets.cost.unknown');
  const without = made.average && !isZero(made.withoutCost) && t('assets.cost.without', { amount: amountText({ value: made.withoutCost, code }, locale) });
  return (
    <CostLines
      lines={[
        { label: average, value: made.average ? averageText(made.average, amount(price), locale) : unknown, note: without },
        { label: profit, value: <Profit {...made} />, note: notes.join(', ') },
      ]}
    />
  );
}
