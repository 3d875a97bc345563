import { useFavourites, toggleFavourite } from '../../data/favourites';
import { loadTickers, ticker, usePriceStale, useSymbols, useTicker, useTickersState } from '../../data/tickers';
import type { Pair } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amount, compact } from '../../lib/money';
import { href } from '../../lib/nav';
import { Button, IconButton, TextLink } from '../../ui/Button';
import { Change, CoinDisc, PairName, Price } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import { Row, Section } from '../../ui/Layout';
import { EmptyState, SkeletonRows } from '../../ui/ListState';
import { Sparkline } from '../../ui/Sparkline';
import { toast } from '../../ui/Toast';
import { useDayLine } from './api';
import { popular } from './model';

function MarketRow({ symbol, starred }: { symbol: string; starred: boolean }) {
  const locale = useLocale();
  const pair = useTicker(symbol);
  const line = useDayLine(symbol);
  const stale = usePriceStale(symbol);
  if (!pair) return null;
  const toggle = async () => {
    const done = await toggleFavourite(pair.match_id);
    if (done && starred) toast(t('home.unstarred', { symbol }), { icon: 'star', action: { label: t('home.undo'), run: () => void toggleFavourite(pair.match_id, true) } });
  };
  const direction = /[1-9]/.test(pair.change) ? ({ tone: pair.change.startsWith('-') ? 'down' : 'up' } as const) : {};
  return (
    <Row
      href={href('trade/kline', { symbol })}
      lead={<CoinDisc code={pair.currency_name} />}
      title={<PairName symbol={symbol} />}
      sub={t('home.volume', { volume: compact(amount(pair.quote_volume), locale) })}
      middle={<Sparkline values={line} {...direction} />}
      value={
        <span className={stale ? 't2' : undefined}>
          <Price value={pair.now_price} digits={pair.price_digits} />
        </span>
      }
      valueSub={stale ? <span className="t3">{t('ui.notLive')}</span> : <Change percent={pair.change} />}
      action={
        <IconButton label={t(starred ? 'home.unstar' : 'home.star', { symbol })} aria-pressed={starred} onClick={() => void toggle()}>
          <Icon name="star" size={20} filled={starred} />
        </IconButton>
      }
    />
  );
}

/** The member's pairs; without any, the most traded ones with stars. */
export function Watchlist() {
  useLocale();
  const symbols = useSymbols();
  const state = useTickersState();
  const favourites = useFavourites().data ?? [];
  const pairs = symbols.map(ticker).filter((pair): pair is Pair => pair !== undefined);
  const own = favourites.flatMap((id) => pairs.find((pair) => pair.match_id === id)?.symbol ?? []);
  const shown = own.length ? own.slice(0, 5) : popular(pairs);
  return (
    <section>
      <Section
        title={t(own.length ? 'home.watchlist' : 'home.popular')}
        aside={
          <TextLink href={href('trade/index')}>
            {t('home.allMarkets')}
            <Icon name="forward" size={14} />
          </TextLink>
        }
      />
      {own.length === 0 && shown.length > 0 && <p className="pad lab t3">{t('home.popularText')}</p>}
      {state === 'loading' && <SkeletonRows rows={5} />}
      {state === 'error' && (
        <EmptyState icon="warn" title={t('home.errorTitle')} text={t('home.errorText')}>
          <Button small onClick={() => void loadTickers()}>
            <Icon name="refresh" size={16} />
            {t('ui.tryAgain')}
          </Button>
        </EmptyState>
      )}
      {shown.map((symbol) => (
        <MarketRow key={symbol} symbol={symbol} starred={own.includes(symbol)} />
      ))}
    </section>
  );
}
