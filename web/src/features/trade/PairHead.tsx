import { useEffect, useRef, useState } from 'react';
import { toggleFavourite, useFavourites } from '../../data/favourites';
import { pairPrice, ticker, useSymbols, useActivePair, usePriceAge } from '../../data/tickers';
import type { Pair } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amount, cmp, compact } from '../../lib/money';
import { replace } from '../../lib/nav';
import { IconButton } from '../../ui/Button';
import { Change, Price, priceText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import { Header } from '../../ui/Layout';
import { LazySheet } from '../../ui/LazySheet';
import { StatusChip } from '../../ui/Status';
import css from './Trade.module.css';

const picker = () => import('../../ui/PairPicker');

/** Pair with its picker, star and more. */
export function PairHeader({ symbol, onAlerts, onMore }: { symbol: string; onAlerts: (() => void) | undefined; onMore: () => void }) {
  const locale = useLocale();
  const symbols = useSymbols();
  const favourites = useFavourites().data ?? [];
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(symbol);
  // Once the sheet has left the history, the new pair replaces this one.
  useEffect(() => {
    if (!open && chosen !== symbol) replace('trade/kline', { symbol: chosen });
  }, [open, chosen, symbol]);
  const pair = ticker(symbol);
  const starred = pair !== undefined && favourites.includes(pair.match_id);
  return (
    <Header
      left
      title={
        <button type="button" className={css.pairButton} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <h1>{symbol}</h1>
          <Icon name="down" size={18} />
        </button>
      }
      end={
        <>
          {pair && (
            <IconButton label={t(starred ? 'home.unstar' : 'home.star', { symbol })} aria-pressed={starred} onClick={() => void toggleFavourite(pair.match_id)}>
              <Icon name="star" filled={starred} />
            </IconButton>
          )}
          {onAlerts && (
            <IconButton label={t('trade.setAlert')} aria-haspopup="dialog" onClick={onAlerts}>
              <Icon name="bell" />
            </IconButton>
          )}
          <IconButton label={t('trade.moreActions')} aria-haspopup="dialog" onClick={onMore}>
            <Icon name="more" />
          </IconButton>
          <LazySheet load={picker} open={open} onClose={() => setOpen(false)} symbols={symbols} symbol={symbol} onValue={setChosen} priceOf={(name) => priceText(ticker(name)?.now_price, ticker(name)?.price_digits, locale)} searchable />
        </>
      }
    />
  );
}

/** The last price, for a moment in the colour of its change. */
function Last({ pair }: { pair: Pair }) {
  const before = useRef(pair.now_price);
  const [step, setStep] = useState<'up' | 'down' | ''>('');
  useEffect(() => {
    const order = cmp(amount(pair.now_price), amount(before.current));
    before.current = pair.now_price;
    if (!order) return;
    setStep(order > 0 ? 'up' : 'down');
    const timer = setTimeout(() => setStep(''), 400);
    return () => clearTimeout(timer);
  }, [pair.now_price]);
  return (
    <span className={step}>
      <Price value={pair.now_price} digits={pair.price_digits} />
    </span>
  );
}

/** Price, change, and the day's figures. A tap on the price puts it into the form. */
export function PriceBlock({ symbol, onPrice }: { symbol: string; onPrice: (price: string) => void }) {
  const locale = useLocale();
  const pair = useActivePair(symbol);
  const { age, stale } = usePriceAge(symbol);
  if (!pair) return null;
  const priced = pairPrice(symbol) !== undefined;
  const figures = [
    { label: t('trade.high'), value: priceText(pair.high, pair.price_digits, locale) },
    { label: t('trade.low'), value: priceText(pair.low, pair.price_digits, locale) },
    { label: t('trade.volume'), value: compact(amount(pair.quote_volume), locale) },
  ];
  return (
    <section className={css.priceBlock} aria-label={t('trade.priceOf', { symbol })} aria-live="off">
      <div>
        <button type="button" className={`${css.last} ${stale ? 't2' : ''}`} disabled={!priced} onClick={() => onPrice(pair.now_price)} aria-label={t('trade.usePrice', { price: priceText(pair.now_price, pair.price_digits, locale) })}>
          <Last pair={pair} />
        </button>
        <div className="lab num flex gap2">
          <Change percent={priced ? pair.change : null} />
          <span className="t3">{t('trade.day')}</span>
          {stale && <StatusChip tone="caution">{age === null ? t('ui.notLive') : t('ui.age', { seconds: Math.floor(age / 1000) })}</StatusChip>}
        </div>
      </div>
      <dl className={`${css.figures} num cap`}>
        {figures.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
