import { useRef, useState } from 'react';
import { setAppearance, useAppearance } from '../../data/appearance';
import { useCoin, useConfigQuery, useMarket } from '../../data/config';
import { loadTickers, usePriceAge, useSymbols, useTicker, useTickersState } from '../../data/tickers';
import type { MarketRules, Pair } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amount, formatPercent } from '../../lib/money';
import { exists, href, usePlace } from '../../lib/nav';
import { Button, ButtonLink } from '../../ui/Button';
import { Segment, Switch } from '../../ui/Choice';
import { priceText } from '../../ui/Figures';
import { Screen } from '../../ui/Layout';
import { Plate, SkeletonRows } from '../../ui/ListState';
import { Sheet } from '../../ui/Sheet';
import type { Series } from './api';
import { ChartPanel } from './ChartPanel';
import { Depth } from './Depth';
import { useBook } from './live';
import { OpenOrders } from './OpenOrders';
import type { Market } from './order';
import { OrderForm, type FormHandle } from './OrderForm';
import { PairHeader, PriceBlock } from './PairHead';
import css from './Trade.module.css';

interface MoreProps {
  open: boolean;
  onClose: () => void;
  table: boolean;
  onTable: (on: boolean) => void;
  /** Missing for a pair without a price index. */
  series: Series | undefined;
  onSeries: (series: Series) => void;
  onDepth: () => void;
}

/** How the chart looks, and the way to the book. */
function More({ open, onClose, table, onTable, series, onSeries, onDepth }: MoreProps) {
  const hollow = useAppearance((state) => state.hollow);
  return (
    <Sheet open={open} onClose={onClose} title={t('trade.moreTitle')}>
      <Switch label={t('trade.chart.asTable')} note={t('trade.chart.asTableNote')} on={table} onChange={onTable} />
      <Switch label={t('trade.chart.hollow')} note={t('trade.chart.hollowNote')} on={hollow} onChange={(on) => setAppearance({ hollow: on })} />
      {series && (
        <div className={css.series}>
          <p className="m">{t('trade.chart.series')}</p>
          <p className="lab t2">{t(series === 'index' ? 'trade.chart.indexNote' : 'trade.chart.tradeNote')}</p>
          <Segment
            label={t('trade.chart.series')}
            value={series}
            onValue={onSeries}
            options={[
              { value: 'index', label: t('trade.chart.index') },
              { value: 'trade', label: t('trade.chart.trade') },
            ]}
          />
        </div>
      )}
      <Button wide onClick={onDepth}>
        {t('trade.showDepth')}
      </Button>
    </Sheet>
  );
}

/** The part that follows the book: form, waiting orders, book and trades. */
function Desk({ pair, rules, form, depth }: { pair: Pair; rules: MarketRules; form: React.RefObject<FormHandle | null>; depth: React.RefObject<HTMLDivElement | null> }) {
  const book = useBook(rules.symbol);
  const { stale } = usePriceAge(rules.symbol);
  const base = useCoin(rules.currency_id);
  const quote = useCoin(rules.legal_id);
  if (!base || !quote) return <SkeletonRows rows={5} />;
  const reference = rules.index === 1 ? pair.index_price : pair.last_price;
  const market: Market = { rules, base, quote, reference: reference ? amount(reference) : undefined, book: book.data };
  return (
    <>
      {pair.open_coin_trade !== 1 && <p className={css.paused}>{t('trade.reason.paused', { pair: rules.symbol })}</p>}
      <OrderForm ref={form} pair={pair} market={market} stale={stale} />
      <OpenOrders rules={rules} />
      <div ref={depth}>
        <Depth book={book} market={market} onPrice={(price) => form.current?.fill(price)} />
      </div>
    </>
  );
}

function Unknown() {
  return (
    <Plate icon="search" title={t('trade.unknownPair')}>
      {exists('trade/index') && (
        <ButtonLink kind="commit" small href={href('trade/index')}>
          {t('home.allMarkets')}
        </ButtonLink>
      )}
    </Plate>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <Plate icon="warn" title={t('home.errorTitle')} text={t('home.errorText')}>
      <Button small onClick={onRetry}>
        {t('ui.tryAgain')}
      </Button>
    </Plate>
  );
}

/** Chart and order: read the market and trade without leaving. */
export default function Kline() {
  const locale = useLocale();
  const symbols = useSymbols();
  const symbol = usePlace().query.get('symbol') ?? symbols[0] ?? '';
  const pair = useTicker(symbol);
  const state = useTickersState();
  const catalogue = useConfigQuery();
  const rules = useMarket(symbol);
  const [more, setMore] = useState(false);
  const [table, setTable] = useState(false);
  const [chosen, setChosen] = useState<Series>('index');
  const form = useRef<FormHandle>(null);
  const depth = useRef<HTMLDivElement>(null);

  const failed = (state === 'error' && !pair) || (catalogue.isError && !rules);
  const known = pair && rules;
  if (!known) {
    return (
      <Screen title={symbol}>
        {failed ? (
          <Failed
            onRetry={() => {
              void loadTickers();
              void catalogue.refetch();
            }}
          />
        ) : state === 'ready' && catalogue.data ? (
          <Unknown />
        ) : (
          <SkeletonRows rows={8} />
        )}
      </Screen>
    );
  }
  const series: Series = rules.index === 1 ? chosen : 'trade';
  const summary = t('trade.chart.summary', { symbol, last: priceText(pair.now_price, pair.price_digits, locale), change: formatPercent(amount(pair.change), locale, { kind: 'result', min: 2, sign: 'plus' }), high: priceText(pair.high, pair.price_digits, locale), low: priceText(pair.low, pair.price_digits, locale) });
  return (
    <Screen header={<PairHeader symbol={symbol} onMore={() => setMore(true)} />}>
      <PriceBlock symbol={symbol} onPrice={(price) => form.current?.fill(price)} />
      <ChartPanel symbol={symbol} digits={rules.price_digits} series={series} table={table} summary={summary} />
      <Desk pair={pair} rules={rules} form={form} depth={depth} />
      <More
        open={more}
        onClose={() => setMore(false)}
        table={table}
        onTable={setTable}
        series={rules.index === 1 ? series : undefined}
        onSeries={setChosen}
        onDepth={() => {
          setMore(false);
          depth.current?.scrollIntoView({ block: 'start' });
        }}
      />
    </Screen>
  );
}
