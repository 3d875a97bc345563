import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { useBalance } from '../../data/balances';
import { useConfig } from '../../data/config';
import { draft as drafts } from '../../data/draft';
import { useReview } from '../../lib/review';
import { useOrders } from '../../data/orders';
import { useOpen } from '../../data/pending';
import { useProductContext } from '../../data/productContext';
import { pairParams } from '../../lib/wire';
import { requireLogin } from '../../data/session';
import type { Pair } from '../../generated/api';
import { preloadScreen } from '../../lib/code';
import { afterAnAct, t, useLocale } from '../../lib/i18n';
import { amount, floorTo, formatPercent, isZero, wire, type Amount } from '../../lib/money';
import { href } from '../../lib/nav';
import { AmountField, useAmount, type AmountText, type Typed } from '../../ui/AmountField';
import { Button, TextLink } from '../../ui/Button';
import { Chip, Segment } from '../../ui/Choice';
import { Field } from '../../ui/Field';
import { priceText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import { CostLines } from '../../ui/Status';
import { LazySheet } from '../../ui/LazySheet';
import { formLines } from './lines';
import { validate, type OrderContext } from './model';
import { byFunds, distance, estimate, payUnit, sizeFor, sizeUnit, type Draft, type FieldName, type Kind, type Market, type Side, type Tif } from './order';
import { kindText, percentText, rawText, reasonText } from './text';
import css from './Trade.module.css';

interface Saved {
  side: Side;
  kind: Kind;
  tif: Tif;
  price?: Typed;
  size?: Typed;
  stop: Typed;
}
const typeSheet = () => import('./TypeSheet');
const reviewSheet = afterAnAct(() => import('./ReviewSheet'));

const formDraft = drafts<Saved>();

export interface FormHandle {
  /** Takes a price from the book or the header. */
  fill: (price: string) => void;
}
interface Props {
  pair: Pair;
  market: Market;
  stale: boolean;
  ref: Ref<FormHandle>;
}

function useOrderContext(pair: Pair, market: Market, stale: boolean, available: Amount | undefined): OrderContext {
  const context = useProductContext('spot');
  return {
    ...context,
    open: context.open && pair.open_coin_trade === 1,
    stale,
    available,
    openOrders: useOrders({ ...pairParams(market.rules), status: 1, limit: 100 }).data?.length ?? 0,
    maxOrders: useConfig()?.limits.open_orders_per_market ?? 100,
  };
}

/** Where missing money can come from. */
function Shortage({ onMax }: { onMax: (() => void) | undefined }) {
  const sandbox = useConfig()?.mode === 'sandbox';
  return (
    <div className={css.shortage}>
      {onMax && (
        <Button kind="text" small onClick={onMax}>
          {t('trade.useMax')}
        </Button>
      )}
      <TextLink href={href('assets/transfer/index')}>{t('trade.transfer')}</TextLink>
      {sandbox && <TextLink href={href('assets/deposit/paper')}>{t('trade.paperMoney')}</TextLink>}
    </div>
  );
}

/** Buy or sell: type, price, amount, costs, review. */
export function OrderForm({ pair, market, stale, ref }: Props) {
  const locale = useLocale();
  const { rules, base, quote } = market;
  const [before] = useState(() => formDraft.read(rules.symbol));
  const [side, setSide] = useState<Side>(before?.side ?? 'buy');
  const [kind, setKind] = useState<Kind>(before?.kind ?? 'limit');
  const [tif, setTif] = useState<Tif>(before?.tif ?? 'gtc');
  const [touched, setTouched] = useState<readonly FieldName[]>([]);
  const [submitted, setSubmitted] = useState(false);
  const [types, setTypes] = useState(false);
  const funds = kind === 'market' && side === 'buy';
  const price = useAmount(rules.price_digits, before?.price);
  const size = useAmount(funds ? quote.scale : base.scale, before?.size);
  const stop = useAmount(rules.price_digits, before?.stop);
  /** The person's own price; until there is one, the price follows the market. */
  const [own, setOwn] = useState(before?.price !== undefined);
  const priceInput = useRef<HTMLInputElement>(null);
  const sizeInput = useRef<HTMLInputElement>(null);
  const stopInput = useRef<HTMLInputElement>(null);

  const draft: Draft = { side, kind, tif, price: price.parsed, size: size.parsed, stop: stop.parsed };
  const wallet = useBalance('change', side === 'buy' ? rules.legal_id : rules.currency_id);
  const available = wallet && amount(wallet.avail);
  const review = useReview({ draft, rules });
  const open = useOpen('order') !== undefined;
  const context = useOrderContext(pair, market, stale, available);
  const reasons = validate(draft, market, context);
  const cost = estimate(draft, market);
  const gap = distance(draft, market);

  useEffect(() => {
    // An order being sent is not kept as input.
    formDraft.keep({ side, kind, tif, ...(own && { price: price.typed }), ...(!open && { size: size.typed }), stop: stop.typed }, rules.symbol);
  }, [rules.symbol, side, kind, tif, own, price.typed, size.typed, stop.typed, open]);

  const change = (next: { side?: Side; kind?: Kind }) => {
    const after = { ...draft, ...next };
    // The unit of the amount changes, so the figure would mean something else.
    if (byFunds(after) !== byFunds(draft)) size.setText('');
    setSide(after.side);
    setKind(after.kind);
    setSubmitted(false);
    setTouched([]);
  };
  // Before a pair ever had a price there is none to propose.
  const fill = (text: string) => isZero(amount(text)) ? price.setText('') : price.setText(priceText(wire(floorTo(amount(text), amount(rules.tick))), rules.price_digits, locale));
  const panel = useRef<HTMLElement>(null);
  useImperativeHandle(ref, () => ({
    fill: (text) => {
      if (kind === 'market') change({ kind: 'limit' });
      setOwn(true);
      fill(text);
      panel.current?.scrollIntoView({ block: 'nearest' });
    },
  }));
  const follow = useEffectEvent(() => {
    if (!own && document.activeElement !== priceInput.current) fill(pair.now_price);
  });
  useEffect(() => follow(), [pair.now_price]);
  const ownPrice: AmountText = {
    ...price,
    setText: (text) => {
      setOwn(true);
      price.setText(text);
    },
  };
  const look = () => {
    setOwn(true);
    review.open();
  };
  // Loaded ahead without waiting, so that it is available offline.
  useEffect(() => preloadScreen(reviewSheet), []);

  const touch = (field: FieldName) => setTouched((all) => [...new Set([...all, field])]);
  const errorOf = (field: FieldName) => {
    const reason = reasons.find((r) => r.field === field);
    // An empty field is not an error yet; a zero is.
    const blank = reason?.name === 'empty' && !draft[field].ok;
    if (!reason || !(submitted || (touched.includes(field) && !blank))) return undefined;
    return reasonText(reason, draft, market);
  };
  const first = reasons[0];
  const blocked = () => {
    setSubmitted(true);
    const field = reasons.find((reason) => reason.field)?.field;
    if (field) ({ price: priceInput, size: sizeInput, stop: stopInput })[field].current?.focus();
  };
  const short = reasons.some(({ name }) => name === 'insufficient' || name === 'insufficientSell');
  const best = available && sizeFor(draft, market, available, 100);
  const unit = sizeUnit(draft, market);

  return (
    <section ref={panel} className={css.panel} aria-label={t('trade.form')}>
      <div className={css.sides}>
        <div>
          <Segment
            label={t('trade.side')}
            value={side}
            onValue={(value) => change({ side: value })}
            options={[
              { value: 'buy', label: t('trade.buy'), tone: 'up' },
              { value: 'sell', label: t('trade.sell'), tone: 'down' },
            ]}
          />
        </div>
        <button type="button" className={css.type} aria-haspopup="dialog" onClick={() => setTypes(true)}>
          {kindText(kind)}
          <Icon name="down" size={16} />
        </button>
      </div>
      <div className={css.two}>
        {kind === 'stop_limit' && (
          <div className={css.whole}>
            <AmountField ref={stopInput} label={t('trade.stop')} field={stop} unit={quote.code} error={errorOf('stop')} onBlur={() => touch('stop')} hint={t(side === 'buy' ? 'trade.stopBuyHint' : 'trade.stopSellHint')} />
          </div>
        )}
        {kind === 'market' ? (
          <Field label={t('trade.price')} readOnly value={t('trade.kind.market')} hint={t('trade.marketHint', { price: cost?.average ? rawText(wire(cost.average)) : priceText(pair.now_price, rules.price_digits, locale) })} />
        ) : (
          <AmountField
            ref={priceInput}
            label={t('trade.price')}
            field={ownPrice}
            unit={quote.code}
            error={errorOf('price')}
            onBlur={() => touch('price')}
            hint={gap?.far && <span className="caution">{t(gap.below ? 'trade.farBelow' : 'trade.farAbove')}</span>}
          />
        )}
        <AmountField ref={sizeInput} label={t(funds ? 'trade.spend' : 'trade.amount')} field={size} unit={unit.code} error={errorOf('size')} onBlur={() => touch('size')} />
      </div>
      <div className={css.percents} role="group" aria-label={t('trade.share', { coin: payUnit(draft, market).code })}>
        {[25, 50, 75, 100].map((percent) => {
          const share = available && sizeFor(draft, market, available, percent);
          return (
            <Chip key={percent} disabled={!share} onClick={() => {
                // The share refers to this price.
                setOwn(true);
                if (share) size.set(share);
              }}
            >
              {percent === 100 ? t('ui.max') : formatPercent(amount(String(percent)), locale)}
            </Chip>
          );
        })}
      </div>
      <CostLines lines={formLines(draft, market, cost, available)} />
      {short && <Shortage onMax={best && best.units > 0n ? () => size.set(best) : undefined} />}
      <div className={css.commit}>
        {first?.name === 'guest' ? (
          <Button kind="commit" wide onClick={() => requireLogin()}>
            {t('trade.reason.guest')}
          </Button>
        ) : (
          <Button kind={side === 'buy' ? 'up' : 'down'} wide reason={open ? t('errors.E_OUTCOME_UNKNOWN') : first && reasonText(first, draft, market)} onBlocked={open ? look : blocked} onClick={look}>
            {t(side === 'buy' ? 'trade.reviewBuy' : 'trade.reviewSell')}
          </Button>
        )}
      </div>
      <p className="vh">{t('trade.feeNote', { maker: percentText(rules.maker_fee), taker: percentText(rules.taker_fee) })}</p>
      <LazySheet load={typeSheet} open={types} onClose={() => setTypes(false)} kind={kind} tif={tif} stops={rules.index === 1} onKind={(value) => change({ kind: value })} onTif={setTif} />
      <LazySheet load={reviewSheet} open={review.shown} onClose={review.close} review={review} onPlaced={() => size.setText('')} live={market} context={context} />
    </section>
  );
}
