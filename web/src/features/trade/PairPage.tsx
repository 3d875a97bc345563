import { useCallback, useMemo, useRef, useState } from 'react';
import { useAlerts } from '../../data/alerts';
import { useAppearance } from '../../data/appearance';
import { candlesOf } from '../../data/candles';
import { useConfigQuery, useMarket } from '../../data/config';
import { loadTickers, usePriceStale, useSymbols, useTicker, useTickersState } from '../../data/tickers';
import type { MarketRules, Pair } from '../../generated/api';
import type { Series } from '../../lib/candles';
import { t, useLocale, withProductWords } from '../../lib/i18n';
import { amount, formatPercent } from '../../lib/money';
import type { PriceLine } from '../../lib/priceLines';
import { href, usePlace } from '../../lib/nav';
import { Button, ButtonLink } from '../../ui/Button';
import { ChartPanel } from '../../ui/chart/ChartPanel';
import { priceText } from '../../ui/Figures';
import { later } from '../../ui/Later';
import { Screen } from '../../ui/Layout';
import { EmptyState, SkeletonRows } from '../../ui/ListState';
import { Sheet } from '../../ui/Sheet';
import { LazySheet } from '../../ui/LazySheet';
import { useMarketNow } from './live';
import { OrderForm, type FormHandle } from './OrderForm';
import { PairHeader, PriceBlock } from './PairHead';
import css from './Trade.module.css';

const more = () => import('./ChartMore');
const alertsCode = withProductWords(() => import('./Alerts'));
/** Content below the form must not delay it. */
const Depth = later(() => import('./Depth'), 5);
const OpenOrders = later(() => import('./OpenOrders'), 1);

/** The part that follows the book: form, waiting orders, book and trades. */
function PairView({ pair, rules, form, depth }: { pair: Pair; rules: MarketRules; form: React.RefObject<FormHandle | null>; depth: React.RefObject<HTMLDivElement | null> }) {
  const { book, stale, market } = useMarketNow(rules.symbol);
  if (!market) return <SkeletonRows rows={5} />;
  return (
    <>
      <div className={css.desk}>
        {pair.open_coin_trade !== 1 && <p className={css.paused}>{t('trade.reason.paused', { pair: rules.symbol })}</p>}
        <OrderForm ref={form} pair={pair} market={market} stale={stale} />
        <OpenOrders rules={rules} />
      </div>
      <div ref={depth}>
        <Depth book={book} market={market} onPrice={(price) => form.current?.fill(price)} />
      </div>
    </>
  );
}

function Unknown() {
  return (
    <EmptyState icon="search" title={t('trade.unknownPair')}>
      <ButtonLink kind="commit" small href={href('trade/index')}>
        {t('home.allMarkets')}
      </ButtonLink>
    </EmptyState>
  );
}

/** Chart and order form on one page. */
export default function PairPage() {
  const locale = useLocale();
  const symbols = useSymbols();
  const symbol = usePlace().query.get('symbol') ?? symbols[0] ?? '';
  const pair = useTicker(symbol);
  const state = useTickersState();
  const catalogue = useConfigQuery();
  const rules = useMarket(symbol);
  const [settings, setSettings] = useState(false);
  const [table, setTable] = useState(false);
  const [full, setFull] = useState(false);
  const [chosen, setChosen] = useState<Series>('index');
  const hollow = useAppearance((state) => state.hollow);
  const form = useRef<FormHandle>(null);
  const depth = useRef<HTMLDivElement>(null);
  const expand = useCallback(() => setFull(true), []);
  const [watching, setWatching] = useState(false);
  const [level, setLevel] = useState<string>();
  const watch = useCallback((price?: string) => {
    setLevel(price);
    setWatching(true);
  }, []);
  const stale = usePriceStale(symbol);
  const alerts = useAlerts().data;
  const lines = useMemo(
    () => (alerts ?? []).filter((alert) => alert.active && alert.symbol === symbol).map((alert): PriceLine => ({ id: `alert.${alert.id}`, kind: 'alert', price: alert.price, label: alert.direction === 'above' ? '↑' : '↓' })),
    [alerts, symbol],
  );

  const failed = (state === 'error' && !pair) || (catalogue.isError && !rules);
  const known = pair && rules;
  if (!known) {
    return (
      <Screen title={symbol}>
        {failed ? (
          <EmptyState icon="warn" title={t('home.errorTitle')} text={t('home.errorText')}>
            <Button
              small
              onClick={() => {
                void loadTickers();
                void catalogue.refetch();
              }}
            >
              {t('ui.tryAgain')}
            </Button>
          </EmptyState>
        ) : state === 'ready' && catalogue.data ? (
          <Unknown />
        ) : (
          <SkeletonRows rows={8} />
        )}
      </Screen>
    );
  }
  const indexed = rules.index === 1;
  const series: Series = indexed ? chosen : 'trade';
  const price = (value: string | null) => priceText(value, pair.price_digits, locale);
  const summary = t('trade.chart.summary', { symbol, last: price(pair.now_price), change: formatPercent(amount(pair.change), locale, { kind: 'result', min: 2, sign: 'plus' }), high: price(pair.high), low: price(pair.low) });
  const since = indexed && stale ? (pair.index_at_ms ?? null) : undefined;
  const chart = { symbol, digits: rules.price_digits, candles: candlesOf(symbol, series), hollow, summary, lines, since };
  return (
    <Screen header={<PairHeader symbol={symbol} onAlerts={indexed ? () => watch() : undefined} onMore={() => setSettings(true)} />}>
      <div className={css.columns}>
        <div>
          <PriceBlock symbol={symbol} onPrice={(price) => form.current?.fill(price)} />
          <ChartPanel {...chart} table={table} away={full} onExpand={expand} onAlert={indexed ? watch : undefined} />
        </div>
        <PairView pair={pair} rules={rules} form={form} depth={depth} />
      </div>
      <Sheet open={full} onClose={() => setFull(false)} title={symbol} full>
        <ChartPanel {...chart} table={table} fill />
      </Sheet>
      <LazySheet load={alertsCode} open={watching} onClose={() => setWatching(false)} symbol={symbol} level={level} />
      <LazySheet
        load={more}
        open={settings}
        onClose={() => setSettings(false)}
        candles={chart.candles}
        table={table}
        onTable={setTable}
        series={indexed ? series : undefined}
        onSeries={setChosen}
        onDepth={() => {
          setSettings(false);
          depth.current?.scrollIntoView({ block: 'start' });
        }}
      />
    </Screen>
  );
}
