import { useEffect, useState } from 'react';
import { ticker, usePriceAge } from '../../data/tickers';
import type { Pair } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { replace } from '../../lib/nav';
import { Change, CoinDisc, Price, priceText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import { LazySheet } from '../../ui/LazySheet';
import { StatusChip } from '../../ui/Status';
import css from './Option.module.css';

const picker = () => import('../../ui/PairPicker');

/** The pair with its picker, and the index that decides. */
export function PairBlock({ pair, symbols }: { pair: Pair; symbols: readonly string[] }) {
  const locale = useLocale();
  const { symbol } = pair;
  const { age, stale } = usePriceAge(symbol);
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(symbol);
  const [shown, setShown] = useState(symbol);
  if (shown !== symbol) {
    setShown(symbol);
    setChosen(symbol);
  }
  // Once the sheet has left the history, the new pair replaces this one.
  useEffect(() => {
    if (!open && chosen !== symbol) replace('option/detail', { symbol: chosen });
  }, [open, chosen, symbol]);
  return (
    <section className={css.pair} aria-label={t('trade.priceOf', { symbol })}>
      <button type="button" className={css.pick} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <CoinDisc code={pair.currency_name} />
        <span className="col">
          <span className="b flex gap1">
            {symbol}
            <Icon name="down" size={16} />
          </span>
          <span className="lab">
            <Change percent={pair.index_price && pair.change} />
          </span>
        </span>
      </button>
      <div className="right" aria-live="off">
        <div className={stale ? 'h1 t2' : 'h1'}>
          <Price value={pair.index_price} digits={undefined} />
        </div>
        {stale ? (
          <StatusChip tone="caution">{age === null ? t('ui.notLive') : t('ui.age', { seconds: Math.floor(age / 1000) })}</StatusChip>
        ) : (
          <span className={`cap t3 ${css.live}`}>{t('options.live')}</span>
        )}
      </div>
      <LazySheet load={picker} open={open} onClose={() => setOpen(false)} symbols={symbols} symbol={symbol} onValue={setChosen} priceOf={(name) => priceText(ticker(name)?.index_price, undefined, locale)} />
    </section>
  );
}
