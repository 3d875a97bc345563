import { useState } from 'react';
import { t, useLocale } from '../../lib/i18n';
import { add, amount, div, max, mul, rescale, share, sub, wire, zero, type Amount } from '../../lib/money';
import { clock } from '../../lib/time';
import { Button } from '../../ui/Button';
import { DepthChart } from '../../ui/chart/DepthChart';
import { UnderlineTabs } from '../../ui/Choice';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { EmptyState, SkeletonRows } from '../../ui/ListState';
import { Arrow } from '../../ui/Status';
import type { Book, Level } from './book';
import { useTrades, type Live } from './live';
import type { Market } from './order';
import { percentText, rawText } from './text';
import css from './Trade.module.css';

const SHOWN = 10;

/** Running sums from the best level on. */
function depths(levels: readonly Level[]): Amount[] {
  let sum = zero();
  return levels.map(([, quantity]) => (sum = add(sum, amount(quantity))));
}

interface SideProps {
  levels: readonly Level[];
  direction: 'up' | 'down';
  full: Amount;
  /** Decimals of quantities. */
  digits: number;
  onPrice: (price: string) => void;
}

function BookSide({ levels, direction, full, digits, onPrice }: SideProps) {
  const sums = depths(levels);
  return (
    <ol className={direction === 'up' ? css.bids : css.asks} aria-label={t(direction === 'up' ? 'trade.bookBids' : 'trade.bookAsks')}>
      {levels.map(([price, quantity], n) => (
        <li key={price}>
          <button type="button" onClick={() => onPrice(price)}>
            <i style={{ transform: `scaleX(${share(sums[n] ?? full, full)})` }} />
            <span className={`num ${direction}`}>{rawText(price)}</span>{' '}
            <span className="num t2">{rawText(wire(rescale(amount(quantity), digits)))}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function Spread({ book }: { book: Book }) {
  const [bid, ask] = [book.bids[0], book.asks[0]];
  if (!bid || !ask) return <p className={css.spread}>{t('trade.oneSided')}</p>;
  const gap = sub(amount(ask[0]), amount(bid[0]));
  const percent = div(mul(gap, amount('100')), amount(ask[0]), 4, 'up');
  return <p className={`${css.spread} num`}>{t('trade.spread', { spread: rawText(wire(gap)), percent: percentText(wire(percent)) })}</p>;
}

const Failed = ({ title, retry }: { title: string; retry: () => void }) => (
  <EmptyState icon="warn" title={title} text={t('trade.bookErrorText')}>
    <Button small onClick={retry}>
      <Icon name="refresh" size={16} />
      {t('ui.tryAgain')}
    </Button>
  </EmptyState>
);

function BookTab({ book, market, curve, onPrice }: { book: Live<Book>; market: Market; curve: boolean; onPrice: (price: string) => void }) {
  if (book.failed) return <Failed title={t('trade.bookError')} retry={book.retry} />;
  if (!book.data) return <SkeletonRows rows={5} />;
  const { symbol, price_digits: digits, qty_digits: quantityDigits } = market.rules;
  const [bids, asks] = [book.data.bids.slice(0, SHOWN), book.data.asks.slice(0, SHOWN)];
  if (!bids.length && !asks.length) return <EmptyState icon={icons.book} title={t('trade.bookEmpty')} text={t('trade.bookEmptyText')} />;
  if (curve) return <DepthChart symbol={symbol} unit={market.base.code} bids={book.data.bids} asks={book.data.asks} digits={digits} quantityDigits={quantityDigits} />;
  const full = max(depths(bids).at(-1) ?? zero(), depths(asks).at(-1) ?? zero());
  return (
    <>
      <Spread book={book.data} />
      <div className={css.bookHead}>
        <span>{t('trade.bookBuyers', { unit: market.base.code })}</span>
        <span>{t('trade.bookSellers', { unit: market.base.code })}</span>
      </div>
      <div className={css.book} aria-live="off">
        <BookSide levels={bids} direction="up" full={full} digits={market.rules.qty_digits} onPrice={onPrice} />
        <BookSide levels={asks} direction="down" full={full} digits={market.rules.qty_digits} onPrice={onPrice} />
      </div>
    </>
  );
}

function TradesTab({ market }: { market: Market }) {
  const locale = useLocale();
  const trades = useTrades(market.rules.symbol);
  if (trades.failed) return <Failed title={t('trade.tradesError')} retry={trades.retry} />;
  if (!trades.data) return <SkeletonRows rows={5} />;
  if (!trades.data.length) return <EmptyState icon="trade" title={t('trade.tradesEmpty')} text={t('trade.tradesEmptyText')} />;
  return (
    <>
      <table className={css.trades}>
        <thead>
          <tr>
            <th scope="col">{t('trade.price')}</th>
            <th scope="col">{t('trade.amountOf', { unit: market.base.code })}</th>
            <th scope="col">{t('trade.time')}</th>
          </tr>
        </thead>
        <tbody className="num">
          {trades.data.map((trade) => (
            <tr key={trade.id}>
              <td className={trade.direction === 'buy' ? 'up' : 'down'}>
                <Arrow direction={trade.direction === 'buy' ? 'up' : 'down'} /> {rawText(trade.price)}
                <span className="vh">{t(trade.direction === 'buy' ? 'trade.bought' : 'trade.soldSide')}</span>
                {trade.house && <small className={css.house}>{t('trade.house')}</small>}
              </td>
              <td>{rawText(wire(rescale(amount(trade.amount), market.rules.qty_digits)))}</td>
              <td className="t2">{clock(trade.ts, locale, true)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {trades.data.some((trade) => trade.house) && <p className={css.houseText}>{t('trade.houseText')}</p>}
    </>
  );
}

/** Order book and public trades. A tap on a level puts its price into the form. */
export default function Depth({ book, market, onPrice }: { book: Live<Book>; market: Market; onPrice: (price: string) => void }) {
  const [tab, setTab] = useState<'book' | 'depth' | 'trades'>('book');
  return (
    <section className={css.depth} aria-label={t('trade.market')}>
      <UnderlineTabs
        label={t('trade.market')}
        value={tab}
        onValue={setTab}
        options={[
          { value: 'book', label: t('trade.book') },
          { value: 'depth', label: t('trade.depth') },
          { value: 'trades', label: t('trade.trades') },
        ]}
      />
      {tab === 'trades' ? <TradesTab market={market} /> : <BookTab book={book} market={market} curve={tab === 'depth'} onPrice={onPrice} />}
    </section>
  );
}
