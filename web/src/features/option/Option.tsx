import { useEffect, useState } from 'react';
import { offers, useConfig, useConfigQuery, useForbidden, useProduct } from '../../data/config';
import { refreshOptions, useOpenOptions, useOptionRecord, useOptionTerms, type OptionTerms } from '../../data/options';
import { requireLogin, useLoggedIn } from '../../data/session';
import { samplesOf } from '../../data/samples';
import { loadTickers, priceAge, ticker, useActivePair, usePriceAge, useSymbols, useTickersState } from '../../data/tickers';
import type { OptionOrder, Pair } from '../../generated/api';
import { preloadScreen } from '../../lib/code';
import { afterAnAct, t, useLocale } from '../../lib/i18n';
import { replace, usePlace } from '../../lib/nav';
import { amount } from '../../lib/money';
import { useConnected } from '../../lib/online';
import { serverNow } from '../../lib/time';
import { closedText } from '../../ui/closedText';
import { Button, IconButton } from '../../ui/Button';
import { UnderlineTabs } from '../../ui/Choice';
import { priceText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { later } from '../../ui/Later';
import { LazySheet } from '../../ui/LazySheet';
import { GuestPlate, ListState, EmptyState, SkeletonRows } from '../../ui/ListState';
import { MenuButton } from '../../ui/menu';
import { Sheet } from '../../ui/Sheet';
import { Arrow, Note } from '../../ui/Status';
import { How } from './How';
import { PairBlock } from './PairBlock';
import { linesOf } from './lines';
import { DIRECTIONS, payoutRange, recordOf, SIDE, type Direction } from './model';
import { receiptParts } from './Receipt';
import { Follow, Running } from './Running';
import { percentText, resultText, sideText } from './text';
import css from './Option.module.css';

const buySheet = afterAnAct(() => import('./BuySheet'));
const ReceiptPage = later(() => import('./ReceiptPage'), 6);
const Settled = later(() => import('./Settled'), 2);
/** The line is at the top, but purchases do not need it. */
const LiveLine = later(() => import('../../ui/chart/LiveLine'), 4);
const TICK = 1_000;
const COLOUR = { 1: css.up, 2: css.down, 0: '' };

/** Server time, every second. */
function useServerNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), TICK);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface DockProps {
  terms: OptionTerms;
  /** Why nothing can be bought now. */
  blocked: string | undefined;
  onOpen: (direction: Direction) => void;
}

/** The risk in one line, and the three directions with their payouts. */
function Dock({ terms, blocked, onOpen }: DockProps) {
  const guest = !useLoggedIn();
  const rate = (direction: Direction) => {
    const range = payoutRange(terms.durations, direction);
    if (!range) return undefined;
    const [low, high] = [percentText(range.low), percentText(range.high)];
    return low === high ? t('options.pays', { percent: low }) : t('options.paysFrom', { low, high });
  };
  return (
    <div className={css.dock}>
      <p className={`cap ${blocked ? 'caution' : 't2'}`} role={blocked ? 'status' : undefined}>
        {blocked ?? t('options.risk')}
      </p>
      <div className={css.trio}>
        {DIRECTIONS.map((direction) => (
          <button key={direction} type="button" className={`${css.go} ${COLOUR[direction]}`} aria-disabled={blocked !== undefined || undefined} aria-haspopup="dialog" onClick={() => blocked === undefined && (guest ? requireLogin() : onOpen(direction))}>
            <b>
              <Arrow direction={SIDE[direction]} />
              {sideText(direction)}
            </b>
            <small className="num">{rate(direction)}</small>
          </button>
        ))}
      </div>
    </div>
  );
}

export function OpenList({ options, query, now }: { options: readonly OptionOrder[]; query: ReturnType<typeof useOpenOptions>; now: number }) {
  const price = ({ symbol_name: symbol }: OptionOrder) => (priceAge(symbol).stale ? undefined : (ticker(symbol)?.index_price ?? undefined));
  return (
    <ListState
      query={query}
      rows={2}
      isEmpty={(rows) => rows.length === 0}
      empty={<EmptyState icon={icons.clock} title={t('options.none')} text={t('options.noneText')} />}
      errorTitle={t('options.error')}
      errorText={t('options.errorText')}
    >
      {() => (
        <ul className={css.list}>
          {options.map((option) => (
            <Running key={option.id} option={option} now={now} price={price(option)} />
          ))}
        </ul>
      )}
    </ListState>
  );
}

function Lists({ pair, query, now, tab }: { pair: Pair; query: ReturnType<typeof useOpenOptions>; now: number; tab: 'open' | 'settled' }) {
  const loggedIn = useLoggedIn();
  const options = query.data ?? [];
  const record = useOptionRecord(pair.legal_id).data;
  const { right, count, net } = recordOf(record ?? []);
  if (!loggedIn) return <GuestPlate title={t('options.guest')} />;
  return (
    <>
      <div className={css.tabs}>
        <UnderlineTabs
          label={t('account.micro')}
          value={tab}
          onValue={(value) => replace('option/detail', { symbol: pair.symbol, tab: value === 'settled' ? value : undefined })}
          options={[
            { value: 'open', label: t('options.open'), count: options.filter(({ status }) => status === 1).length },
            { value: 'settled', label: t('options.settled') },
          ]}
        />
        {count > 0 && <p className="cap t2 num">{t('options.record', { right, count, net: resultText(net, pair.legal_name, true) })}</p>}
      </div>
      {tab === 'settled' ? <Settled /> : <OpenList options={options} query={query} now={now} />}
    </>
  );
}

function Trading({ pair, symbols, terms, note }: { pair: Pair; symbols: readonly string[]; terms: OptionTerms; note: string | undefined }) {
  const locale = useLocale();
  const now = useServerNow();
  const place = usePlace();
  const tab = place.query.get('tab') === 'settled' ? 'settled' : 'open';
  const query = useOpenOptions();
  const options = query.data ?? [];
  const { stale } = usePriceAge(pair.symbol);
  const connected = useConnected();
  const [direction, setDirection] = useState<Direction>(1);
  const [buying, setBuying] = useState(false);
  const [how, setHow] = useState(false);
  // Loaded ahead without waiting, so that it is available offline.
  useEffect(() => preloadScreen(buySheet), []);
  const blocked = note ?? (pair.open_microtrade !== 1 ? t('options.paused', { pair: pair.symbol }) : !connected ? t('trade.reason.offline') : stale ? t('trade.reason.stale') : undefined);
  const here = options.filter(({ symbol_name: symbol }) => symbol === pair.symbol);
  return (
    <Screen
      title={t('tab.option')}
      start={<MenuButton />}
      left
      onRefresh={() => Promise.all([refreshOptions(), loadTickers()])}
      end={
        <>
          <IconButton label={t('options.howTitle')} aria-haspopup="dialog" onClick={() => setHow(true)}>
            <Icon name="info" />
          </IconButton>
          <IconButton label={t('options.history')} onClick={() => replace('option/detail', { symbol: pair.symbol, tab: 'settled' })}>
            <Icon name={icons.history} />
          </IconButton>
        </>
      }
      footer={
        <Dock
          terms={terms}
          blocked={blocked}
          onOpen={(next) => {
            setDirection(next);
            setBuying(true);
          }}
        />
      }
    >
      <div className={css.columns}>
        <div>
          <PairBlock pair={pair} symbols={symbols} />
          <LiveLine source={samplesOf(pair.symbol)} digits={pair.index_price ? amount(pair.index_price).scale : 0} summary={t('options.chart', { symbol: pair.symbol, price: priceText(pair.index_price, undefined, locale) })} lines={linesOf(here, now)} stale={stale} />
        </div>
        <div>
          <Lists pair={pair} query={query} now={now} tab={tab} />
        </div>
      </div>
      <Follow options={options} now={now} />
      <LazySheet load={buySheet} open={buying} onClose={() => setBuying(false)} pair={pair} terms={terms} direction={direction} onDirection={setDirection} receiptParts={receiptParts} />
      <Sheet open={how} onClose={() => setHow(false)} title={t('options.howTitle')}>
        <How terms={terms} symbol={pair.symbol} />
      </Sheet>
    </Screen>
  );
}

/** Options are not offered: what they are, and why not. */
function Absent({ note }: { note: string }) {
  return (
    <Screen title={t('tab.option')} start={<MenuButton />} left>
      <div className="pad">
        <Note>
          <b>{note}</b> {t('explain.how')}
        </Note>
        <h2 className="vh">{t('options.how')}</h2>
        <How symbol="BTC/USDT" />
      </div>
    </Screen>
  );
}

function Tab({ symbol: asked }: { symbol: string | null }) {
  const config = useConfigQuery();
  const state = useTickersState();
  const forbidden = useForbidden('option');
  const sold = useProduct('option');
  const loaded = useConfig();
  // Listed whether or not they have a price: a pair whose index never had one is shown as waiting for it.
  const symbols = useSymbols().filter((name) => loaded?.markets.some((market) => market.symbol === name && market.options === 1));
  const symbol = asked && symbols.includes(asked) ? asked : (symbols[0] ?? '');
  const pair = useActivePair(symbol);
  const terms = useOptionTerms(pair?.match_id);
  if (loaded && !offers(loaded, 'option')) return <Absent note={forbidden ? closedText(forbidden) : t('options.absent')} />;
  if (pair && terms.data && loaded) {
    const note = forbidden ? closedText(forbidden) : sold ? undefined : t('options.paused', { pair: pair.symbol });
    return <Trading pair={pair} symbols={symbols} terms={terms.data} note={note} />;
  }
  const failed = (state === 'error' && !pair) || (config.isError && !loaded) || terms.isError;
  return (
    <Screen title={t('tab.option')} start={<MenuButton />} left>
      {failed ? (
        <EmptyState icon="warn" title={t('home.errorTitle')} text={t('home.errorText')}>
          <Button
            small
            onClick={() => {
              void loadTickers();
              void config.refetch();
              void terms.refetch();
            }}
          >
            {t('ui.tryAgain')}
          </Button>
        </EmptyState>
      ) : (
        <SkeletonRows rows={8} />
      )}
    </Screen>
  );
}

/** Short-term options and their results; `order` in the address is a receipt, `tab=settled` the history. */
export default function Option() {
  useLocale();
  const { path, query } = usePlace();
  // The tab keeps its state while another page is in front of it.
  const [place, setPlace] = useState({ order: query.get('order'), symbol: query.get('symbol') });
  const next = { order: query.get('order'), symbol: query.get('symbol') ?? place.symbol };
  if (path === 'option/detail' && (next.order !== place.order || next.symbol !== place.symbol)) setPlace(next);
  if (place.order && /^\d{1,15}$/.test(place.order)) return <ReceiptPage id={parseInt(place.order, 10)} />;
  return <Tab symbol={place.symbol} />;
}
