import { useEffect, useState } from 'react';
import { useAppearance } from '../../data/appearance';
import { candlesOf } from '../../data/candles';
import { useCoins, useConfig, useForbidden, useProduct } from '../../data/config';
import { useFirstUse } from '../../data/firstUse';
import { useFollowPositions, useOpenProfit, usePositions } from '../../data/positions';
import { useLoggedIn } from '../../data/session';
import { loadTickers, ticker, usePriceAge, useSymbols, useTickersState } from '../../data/tickers';
import type { Pair, Position } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { afterAnAct, t, useLocale } from '../../lib/i18n';
import { amount, formatPercent } from '../../lib/money';
import { replace, usePlace } from '../../lib/nav';
import type { Side } from '../../lib/position';
import { closedText } from '../../ui/closedText';
import { Button, IconButton } from '../../ui/Button';
import { ChartPanel } from '../../ui/chart/ChartPanel';
import { Segment, UnderlineTabs } from '../../ui/Choice';
import { Change, CoinDisc, PairName, Price, priceText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import { later } from '../../ui/Later';
import { LazySheet } from '../../ui/LazySheet';
import { Screen } from '../../ui/Layout';
import { GuestPlate, ListState, EmptyState, SkeletonRows } from '../../ui/ListState';
import { MenuButton } from '../../ui/menu';
import { Sheet } from '../../ui/Sheet';
import { Arrow, Note, StatusChip } from '../../ui/Status';
import { Account } from './Account';
import { marketFor, markOf, useContractPairs, useMarket } from './api';
import { linesOf } from './lines';
import { arrange, liveOf } from './position';
import { PositionCard } from './PositionCard';
import type { Market } from './terms';
import { rate } from './text';
import css from './Contracts.module.css';

const picker = () => import('../../ui/PairPicker');
const Lists = later(() => import('./Lists'), 2);
const riskSheet = () => import('../../ui/FirstUse');
const orderSheet = afterAnAct(() => import('./OrderSheet'));
const stopsSheet = afterAnAct(() => import('./StopsSheet'));
const detailSheet = () => import('./DetailSheet');
const closeSheet = afterAnAct(() => import('./CloseSheet'));
const how = () => import('./How');

/** The pair with its picker, the index, and the trading spread. */
function PairHead({ pair, market, symbols }: { pair: Pair; market: Market | undefined; symbols: readonly string[] }) {
  const locale = useLocale();
  const { age, stale } = usePriceAge(pair.symbol);
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(pair.symbol);
  useEffect(() => {
    if (!open && chosen !== pair.symbol) replace('lever/index', { symbol: chosen });
  }, [open, chosen, pair.symbol]);
  return (
    <section className={css.head} aria-label={t('trade.priceOf', { symbol: pair.symbol })} aria-live="off">
      <button type="button" className={css.pair} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <CoinDisc code={pair.currency_name} size="sm" />
        <PairName symbol={pair.symbol} />
        <Icon name="down" size={16} />
      </button>
      <div className={css.quote}>
        <span className={`h3 num ${stale ? 't2' : ''}`}>
          <Price value={pair.index_price} digits={undefined} />
        </span>
        <span className="lab">
          {stale ? <StatusChip tone="caution">{age === null ? t('ui.notLive') : t('ui.age', { seconds: Math.floor(age / 1000) })}</StatusChip> : <Change percent={pair.change} />}
          {market && <span className="cap t3 num">{t('contracts.spread', { rate: rate(market.rules.spread) })}</span>}
        </span>
      </div>
      <LazySheet load={picker} open={open} onClose={() => setOpen(false)} symbols={symbols} symbol={pair.symbol} onValue={setChosen} priceOf={(name) => priceText(ticker(name)?.index_price, undefined, locale)} />
    </section>
  );
}

type Act = { what: 'edit' | 'close' | 'detail'; position: Position };

/** The open positions with their live profit or loss. */
function Positions({ onAct }: { onAct: (act: Act) => void }) {
  const query = usePositions(1);
  const contracts = useConfig()?.contracts ?? [];
  const coins = useCoins();
  useNow(500);
  return (
    <ListState
      query={query}
      isEmpty={(rows) => rows.length === 0}
      empty={<EmptyState icon="trade" title={t('contracts.noneOpen')} text={t('contracts.noneOpenText')} />}
      errorTitle={t('contracts.errorTitle')}
      errorText={t('contracts.errorText')}
    >
      {(rows) => (
        <div className={css.cards}>
          {arrange(rows.map((position) => ({ position, live: liveAt(position) }))).map(({ position }) => (
            <PositionCard
              key={position.id}
              position={position}
              mark={markOf(position.symbol)}
              market={marketFor(ticker(position.symbol), contracts, coins)}
              onOpen={() => onAct({ what: 'detail', position })}
              onEdit={() => onAct({ what: 'edit', position })}
              onClose={() => onAct({ what: 'close', position })}
            />
          ))}
        </div>
      )}
    </ListState>
  );
}
function liveAt(position: Position) {
  const mark = markOf(position.symbol);
  return mark && liveOf(position, mark, amount(position.caution_money).scale);
}

/** The account's figures follow every price. */
const LiveAccount = ({ pair, code }: { pair: Pair; code: string }) => <Account coin={pair.legal_id} code={code} profit={useOpenProfit(true)} />;

const TABS = ['positions', 'waiting', 'history'] as const;
type List = (typeof TABS)[number];
const isTab = (word: string | null): word is List => (TABS as readonly (string | null)[]).includes(word);

function Mine({ onAct }: { onAct: (act: Act) => void }) {
  const asked = usePlace().query.get('tab');
  const [tab, setTab] = useState<List>(isTab(asked) ? asked : 'positions');
  const count = { positions: usePositions(1).data?.length, waiting: usePositions(0).data?.length, history: undefined };
  return (
    <>
      <div className={css.tabs}>
        <UnderlineTabs label={t('contracts.lists')} value={tab} onValue={setTab} options={TABS.map((value) => ({ value, label: t(`contracts.tab.${value}`), count: count[value] }))} />
      </div>
      {tab === 'positions' ? <Positions onAct={onAct} /> : <Lists of={tab} onOpen={(position) => onAct({ what: 'detail', position })} />}
    </>
  );
}

/** The chosen action on a position: its details, its triggers, or closing it. */
function Acts({ act, onEnd }: { act: Act | undefined; onEnd: () => void }) {
  const contracts = useConfig()?.contracts ?? [];
  const coins = useCoins();
  const [kept, setKept] = useState(act);
  useNow(500);
  if (act && act !== kept) setKept(act);
  if (!kept) return null;
  const { position } = kept;
  const market = marketFor(ticker(position.symbol), contracts, coins);
  const is = (what: Act['what']) => act?.what === what;
  return (
    <>
      <LazySheet load={detailSheet} open={is('detail')} onClose={onEnd} position={position} />
      {market && <LazySheet key={`stops ${position.id} ${position.seq}`} load={stopsSheet} open={is('edit')} onClose={onEnd} position={position} market={market} />}
      <LazySheet key={`close ${position.id}`} load={closeSheet} open={is('close')} onClose={onEnd} position={position} market={market} />
    </>
  );
}

function Chart({ pair, digits, open, onClose }: { pair: Pair; digits: number; open: boolean; onClose: () => void }) {
  const locale = useLocale();
  const hollow = useAppearance((state) => state.hollow);
  const positions = usePositions(1).data ?? [];
  const figure = (value: string) => priceText(value, digits, locale);
  const summary = t('trade.chart.summary', { symbol: pair.symbol, last: figure(pair.now_price), change: formatPercent(amount(pair.change), locale, { kind: 'result', min: 2, sign: 'plus' }), high: figure(pair.high), low: figure(pair.low) });
  return (
    <Sheet open={open} onClose={onClose} title={pair.symbol} full>
      <ChartPanel symbol={pair.symbol} digits={digits} candles={candlesOf(pair.symbol, 'index')} hollow={hollow} table={false} summary={summary} lines={linesOf(positions, pair.symbol)} fill />
    </Sheet>
  );
}

/** Leveraged contracts, the second half of Trade. */
export default function Contracts() {
  useLocale();
  useFollowPositions();
  const symbols = useContractPairs(useSymbols());
  const state = useTickersState();
  const loggedIn = useLoggedIn();
  const asked = usePlace().query.get('symbol') ?? '';
  const symbol = symbols.includes(asked) ? asked : (symbols[0] ?? '');
  const { pair, market, failed, retry } = useMarket(symbol);
  const [order, setOrder] = useState<{ side: Side; open: boolean; count: number }>();
  const [act, setAct] = useState<Act>();
  const [chart, setChart] = useState(false);
  const [help, setHelp] = useState(false);
  const begin = (side: Side) => setOrder({ side, open: true, count: (order?.count ?? 0) + 1 });
  const forbidden = useForbidden('contract');
  const offered = useProduct('contract');
  const closed = forbidden ? closedText(forbidden) : pair && !(offered && pair.open_lever === 1) ? t('trade.reason.paused', { pair: pair.symbol }) : undefined;
  const endOrder = () => setOrder(order && { ...order, open: false });
  const first = useFirstUse('contract');
  const risk = first.needed && loggedIn;
  const code = symbol.split('/')[1] ?? '';
  return (
    <Screen
      start={<MenuButton />}
      left
      title={
        <div className={css.switch}>
          <Segment
            label={t('tab.trade')}
            value="contracts"
            onValue={(value) => value === 'spot' && replace('trade/index')}
            options={[
              { value: 'spot', label: t('account.change') },
              { value: 'contracts', label: t('account.lever') },
            ]}
          />
        </div>
      }
      end={
        <>
          <IconButton label={t('contracts.how')} aria-haspopup="dialog" onClick={() => setHelp(true)}>
            <Icon name="info" />
          </IconButton>
          {pair && (
            <IconButton label={t('contracts.chart')} aria-haspopup="dialog" onClick={() => setChart(true)}>
              <Icon name="trade" />
            </IconButton>
          )}
        </>
      }
      footer={
        market && (
          <div className={css.dock}>
            <Button kind="up" onClick={() => begin('long')}>
              <span className={css.way}>
                <Arrow direction="up" />
                {t('contracts.openLong')}
              </span>
            </Button>
            <Button kind="down" onClick={() => begin('short')}>
              <span className={css.way}>
                <Arrow direction="down" />
                {t('contracts.openShort')}
              </span>
            </Button>
          </div>
        )
      }
    >
      <h1 className="vh">{t('account.lever')}</h1>
      {!pair || failed ? (
        state === 'error' || failed ? (
          <EmptyState icon="warn" title={t('home.errorTitle')} text={t('home.errorText')}>
            <Button
              small
              onClick={() => {
                void loadTickers();
                retry();
              }}
            >
              {t('ui.tryAgain')}
            </Button>
          </EmptyState>
        ) : (
          <SkeletonRows rows={6} />
        )
      ) : (
        <>
          <PairHead key={pair.symbol} pair={pair} market={market} symbols={symbols} />
          {closed && (
            <div className="pad">
              <Note tone="caution">{closed}</Note>
            </div>
          )}
          {loggedIn ? (
            <>
              <LiveAccount pair={pair} code={code} />
              <Mine onAct={setAct} />
            </>
          ) : (
            <GuestPlate title={t('contracts.guest')} />
          )}
          <Acts act={act} onEnd={() => setAct(undefined)} />
          <Chart pair={pair} digits={market?.tick.scale ?? pair.price_digits} open={chart} onClose={() => setChart(false)} />
          {market && order && <LazySheet key={`${symbol} ${order.count}`} load={orderSheet} open={order.open && !risk} onClose={endOrder} pair={pair} market={market} side={order.side} />}
          <LazySheet load={riskSheet} product="contract" text={first.text} onDone={first.accept} open={order !== undefined && order.open && risk} onClose={endOrder} />
        </>
      )}
      <LazySheet load={how} open={help} onClose={() => setHelp(false)} />
    </Screen>
  );
}
