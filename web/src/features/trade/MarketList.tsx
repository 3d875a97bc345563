import { useEffect, useRef, useState } from 'react';
import { toggleFavourite, useFavourites } from '../../data/favourites';
import { useLoggedIn } from '../../data/session';
import { loadTickers, newestPriceAt, ticker, usePriceStale, useSymbols, useTicker, useTickersState } from '../../data/tickers';
import { useCoins, useReach } from '../../data/config';
import type { Pair } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { t, useLocale } from '../../lib/i18n';
import { amount, compact } from '../../lib/money';
import { href, usePlace, replace } from '../../lib/nav';
import { socketStatus } from '../../lib/socket';
import { serverNow } from '../../lib/time';
import { Button, IconLink } from '../../ui/Button';
import { Chip, Chips, Segment } from '../../ui/Choice';
import { Change, CoinDisc, PairName, Price } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Header, Screen } from '../../ui/Layout';
import { MenuButton } from '../../ui/menu';
import { GuestPlate, ListState, EmptyState, SkeletonRows } from '../../ui/ListState';
import { nextSort, quotes, select, type Sort, type SortBy } from './pairs';
import css from './MarketList.module.css';

/** How often rows are sorted again; the prices themselves are live. */
const RESORT = 5_000;
const STALE = 3;

function MarketRow({ symbol, starred }: { symbol: string; starred: boolean }) {
  const locale = useLocale();
  const pair = useTicker(symbol);
  const stale = usePriceStale(symbol);
  if (!pair) return null;
  const tone = stale || !/[1-9]/.test(pair.change) ? '' : pair.change.startsWith('-') ? css.down : css.up;
  return (
    <li className={css.row}>
      <button
        type="button"
        className={starred ? `${css.star} ${css.starred}` : css.star}
        aria-pressed={starred}
        aria-label={t(starred ? 'home.unstar' : 'home.star', { symbol })}
        onClick={() => void toggleFavourite(pair.match_id)}
      >
        <Icon name="star" size={18} />
      </button>
      <a className={css.link} href={href('trade/kline', { symbol })}>
        <span className={css.disc}>
          <CoinDisc code={pair.currency_name} />
        </span>
        <span className={`${css.name} grow col`}>
          <span className="b">
            <PairName symbol={symbol} />
          </span>
          <span className="cap t3 num">{compact(amount(pair.quote_volume), locale)}</span>
        </span>
        <span className={`${css.price} b ${stale ? 't2' : ''}`}>
          <Price value={pair.now_price} digits={pair.price_digits} />
        </span>
        <span className={`${css.pill} ${tone}`}>{stale ? <span className="t2">{t('ui.notLive')}</span> : <Change percent={pair.change} />}</span>
      </a>
    </li>
  );
}

/** A sortable column header: biggest first, smallest first, as listed. */
function SortHead({ by, sort, onSort, children, className }: { by: SortBy; sort: Sort | null; onSort: (sort: Sort | null) => void; children: string; className?: string | undefined }) {
  const state = sort?.by === by ? (sort.down ? t('markets.sortedDown') : t('markets.sortedUp')) : '';
  return (
    <button type="button" className={className} onClick={() => onSort(nextSort(sort, by))}>
      {children}
      {sort?.by === by && (
        <span className={sort.down ? undefined : css.flip}>
          <Icon name="down" size={14} />
        </span>
      )}
      <span className="vh">{state}</span>
    </button>
  );
}

function Freshness() {
  useNow(1_000);
  const at = newestPriceAt();
  const seconds = Math.max(0, Math.floor((serverNow() - at) / 1000));
  const stale = at > 0 && seconds > STALE;
  return (
    <p className={stale ? `${css.live} ${css.stale}` : css.live}>
      {stale ? <Icon name="warn" size={14} /> : <i />}
      {at === 0 ? t(socketStatus() === 'live' ? 'trade.reason.stale' : 'markets.connecting') : t(stale ? 'markets.stopped' : 'markets.live', { seconds })}
    </p>
  );
}

function Nothing({ text, onClear }: { text: string; onClear: () => void }) {
  const loggedIn = useLoggedIn();
  const starred = useFavourites();
  if (text) {
    return (
      <EmptyState icon="search" title={t('markets.noMatch', { text })}>
        <Button small onClick={onClear}>
          {t('markets.clear')}
        </Button>
      </EmptyState>
    );
  }
  return (
    <ListState
      query={starred}
      guest={!loggedIn && <GuestPlate title={t('markets.guestWatchlist')} />}
      isEmpty={() => true}
      empty={<EmptyState icon="star" title={t('markets.emptyWatchlist')} text={t('markets.emptyWatchlistText')} />}
      errorTitle={t('markets.watchlistError')}
      errorText={t('home.errorText')}
    >
      {() => null}
    </ListState>
  );
}

function Spot() {
  useLocale();
  useNow(RESORT);
  const symbols = useSymbols();
  const state = useTickersState();
  const coins = useCoins();
  const starred = useFavourites().data ?? [];
  const wantsSearch = usePlace().query.get('search') === '1';
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [list, setList] = useState('USDT');
  const [sort, setSort] = useState<Sort | null>(null);
  useEffect(() => {
    if (wantsSearch) field.current?.focus();
  }, [wantsSearch]);

  const pairs = symbols.map(ticker).filter((pair): pair is Pair => pair !== undefined);
  const shown = select(pairs, { text: text.trim(), list, starred, sort, nameOf: (id) => coins.find((coin) => coin.id === id)?.name ?? '' });
  return (
    <>
      <div className="pad">
        <label className={css.search}>
          <Icon name="search" size={20} />
          <span className="vh">{t('markets.search')}</span>
          <input ref={field} type="search" placeholder={t('markets.search')} value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <div className={css.chips}>
          <Chips label={t('markets.list')}>
            <Chip on={list === 'watchlist'} onClick={() => setList('watchlist')}>
              <Icon name="star" size={14} />
              {t('home.watchlist')}
            </Chip>
            {quotes(pairs).map((code) => (
              <Chip key={code} on={list === code} onClick={() => setList(code)}>
                {code}
              </Chip>
            ))}
          </Chips>
        </div>
      </div>
      <div className={css.heads}>
        <SortHead by="volume" sort={sort} onSort={setSort} className={css.headPair}>
          {t('markets.pair')}
        </SortHead>
        <SortHead by="price" sort={sort} onSort={setSort} className={css.headPrice}>
          {t('markets.price')}
        </SortHead>
        <SortHead by="change" sort={sort} onSort={setSort} className={css.headChange}>
          {t('markets.change')}
        </SortHead>
      </div>
      {state === 'loading' && <SkeletonRows rows={6} />}
      {state === 'error' && (
        <EmptyState icon="warn" title={t('home.errorTitle')} text={t('home.errorText')}>
          <Button small onClick={() => void loadTickers()}>
            {t('ui.tryAgain')}
          </Button>
        </EmptyState>
      )}
      {state === 'ready' && !shown.length && <Nothing text={text.trim()} onClear={() => setText('')} />}
      <ul>
        {shown.map((pair) => (
          <MarketRow key={pair.symbol} symbol={pair.symbol} starred={starred.includes(pair.match_id)} />
        ))}
      </ul>
      {shown.length > 0 && <Freshness />}
    </>
  );
}

/** Trade tab: the list of pairs. Its other half, contracts, is a page of its own. */
export default function MarketList() {
  useLocale();
  const contracts = useReach()('lever/index');
  const header = (
    <Header
      left
      start={<MenuButton />}
      title={
        contracts ? (
          <div className={css.switch}>
            <h1 className="vh">{t('tab.trade')}</h1>
            <Segment
              label={t('markets.half')}
              value="spot"
              onValue={(value) => value === 'contracts' && replace('lever/index')}
              options={[
                { value: 'spot', label: t('account.change') },
                { value: 'contracts', label: t('account.lever') },
              ]}
            />
          </div>
        ) : (
          t('tab.trade')
        )
      }
      end={
        <IconLink label={t('orders.title')} href={href('index/orderlist')}>
          <Icon name={icons.list} />
        </IconLink>
      }
    />
  );
  return (
    <Screen header={header} onRefresh={loadTickers}>
      <Spot />
    </Screen>
  );
}
