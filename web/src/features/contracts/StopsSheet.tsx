import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useCommit } from '../../data/commit';
import { settledPosition, useNewest } from '../../data/positions';
import { usePriceAge } from '../../data/tickers';
import type { Position } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { abs, amount, approximate, format, formatPercent, make, type Amount } from '../../lib/money';
import { liquidationOf, sideOf } from '../../lib/position';
import { refusalText } from '../../lib/refusal';
import { useOpenReview } from '../../lib/review';
import { useAmount, type AmountText } from '../../ui/AmountField';
import { Button, IconButton } from '../../ui/Button';
import { Chip } from '../../ui/Choice';
import { CoinDisc } from '../../ui/Figures';
import { FieldFrame } from '../../ui/Field';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Refused } from '../../ui/Refused';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import { Sheet } from '../../ui/Sheet';
import { Note, SideTag } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import field from '../../ui/Field.module.css';
import { baseOf, lotsText, positionSide, priceAt } from '../../ui/positionText';
import { setStops } from './api';
import { levelsOf, within, type Bounds } from '../../lib/contracts';
import { apart, ifHit, placed, stopOf, takeOf, triggersOf } from './position';
import { priceOf, ticksDown, ticksOf, type Market } from './terms';
import { bare, percentOf } from './text';
import css from './Contracts.module.css';

const STEP = 1_000n;
const CHIPS = { stop: ['1', '2', '5'], profit: ['1', '3', '5'] } as const;
type StopKind = keyof typeof CHIPS;

/** A price this many percent from the present one, on the trigger's side. */
function percentAway(mark: bigint, percent: string, up: boolean): bigint {
  const part = (mark * BigInt(percent)) / 100n;
  return up ? mark + part : mark - part;
}

/** What is wrong with a typed trigger; an empty one means none. */
function fault(typed: AmountText, bounds: Bounds, which: StopKind, position: Position, market: Market): string | undefined {
  const { parsed } = typed;
  if (!parsed.ok) return parsed.reason === 'empty' ? undefined : parsed.reason === 'scale' ? t('errors.E_TICK', { tick: priceAt(market.tick) }) : t('contracts.reason.price');
  const ticks = ticksOf(parsed.value, market.tick);
  if (ticks === undefined) return t('errors.E_TICK', { tick: priceAt(market.tick) });
  if (within(ticks, bounds)) return undefined;
  const mark = market.mark ?? 0n;
  const long = sideOf(position) === 'long';
  const wrongSide = (which === 'stop') === long ? ticks >= mark : ticks <= mark;
  const now = priceAt(priceOf(mark, market.tick));
  if (wrongSide) return t(which === 'stop' ? (long ? 'contracts.stopBelow' : 'contracts.stopAbove') : long ? 'contracts.profitAbove' : 'contracts.profitBelow', { price: now });
  return t(which === 'stop' ? 'errors.E_SL' : 'errors.E_TP', { low: priceAt(priceOf(bounds.low, market.tick)), high: priceAt(priceOf(bounds.high, market.tick)) });
}

interface PriceProps {
  which: StopKind;
  typed: AmountText;
  position: Position;
  market: Market;
  mark: bigint;
  error: string | undefined;
  input: React.RefObject<HTMLInputElement | null>;
}

/** One trigger: typed, stepped or a few percent away, with its result. */
function PriceField({ which, typed, position, market, mark, error, input }: PriceProps) {
  const locale = useLocale();
  const id = `trigger-${which}`;
  const up = (which === 'profit') === (sideOf(position) === 'long');
  const set = (ticks: bigint) => typed.setText(format(priceOf(ticks < 1n ? 1n : ticks, market.tick), locale, { kind: 'price', min: market.tick.scale }));
  const now = typed.value && ticksOf(typed.value, market.tick);
  const step = mark / STEP > 0n ? mark / STEP : 1n;
  const base = now ?? mark;
  const money = typed.value && !error ? ifHit(position, market, typed.value) : undefined;
  const lost = money && money.units < 0n;
  const label = t(which === 'stop' ? 'contracts.stopLoss' : 'contracts.takeProfit');
  const aside = money && <span className={lost ? 'caution b' : 'b'}>{t(lost ? 'contracts.youLose' : 'contracts.youGain', { amount: bare(abs(money), lost ? 'cost' : 'balance') })}</span>;
  const far = typed.value && now !== undefined && t(now < mark ? 'contracts.belowNow' : 'contracts.aboveNow', { percent: percentOf(apart(typed.value, priceOf(mark, market.tick))) });
  return (
    <div className={`${css.field} ${css.lots}`}>
      <FieldFrame id={id} label={label} aside={aside} error={error}>
        <IconButton label={t('contracts.lower', { what: label })} onClick={() => set(base - step)}>
          <Icon name={icons.minus} size={20} />
        </IconButton>
        <input ref={input} id={id} className={field.input} inputMode="decimal" autoComplete="off" placeholder={t('contracts.none')} value={typed.text} onChange={(event) => typed.setText(event.target.value)} aria-invalid={error ? true : undefined} aria-describedby={`${id}-hint`} />
        <IconButton label={t('contracts.higher', { what: label })} onClick={() => set(base + step)}>
          <Icon name={icons.plus} size={20} />
        </IconButton>
      </FieldFrame>
      <div className={css.steps}>
        <div className="flex gap2">
          {CHIPS[which].map((percent) => (
            <Chip key={percent} onClick={() => set(percentAway(mark, percent, up))}>
              {formatPercent(amount(up ? percent : `-${percent}`), locale, { sign: 'plus' })}
            </Chip>
          ))}
        </div>
        <span className="cap t3 num">{far}</span>
      </div>
    </div>
  );
}

interface SliderProps {
  position: Position;
  market: Market;
  mark: bigint;
  stop: AmountText;
  profit: AmountText;
}

/** The ruler with a handle for each trigger, for a finger and for the keyboard. */
function Slider({ position, market, mark, stop, profit }: SliderProps) {
  const locale = useLocale();
  const liquidation = liquidationOf(position);
  const open = amount(position.price);
  const now = priceOf(mark, market.tick);
  const span = (percent: string, up: boolean) => priceOf(percentAway(mark, percent, up), market.tick);
  // The scale of the ruler is fixed while a handle moves.
  const [scale] = useState(() => {
    const known = [liquidation, open, now, stop.value, profit.value, span('10', true), span('10', false)].filter((price): price is Amount => price !== undefined).map(approximate);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    return { low, high };
  });
  const size = approximate(market.tick);
  const where = (price: Amount) => (approximate(price) - scale.low) / (scale.high - scale.low);
  const handles = [
    { which: 'stop', typed: stop, label: t('contracts.stopLoss'), short: t('contracts.sl') },
    { which: 'profit', typed: profit, label: t('contracts.takeProfit'), short: t('contracts.tp') },
  ] as const;
  return (
    <div className={css.slider}>
      <i />
      {liquidation && <b className={css.liquidation} style={{ left: `${where(liquidation) * 100}%` }} />}
      <b className={css.open} style={{ left: `${where(open) * 100}%` }} />
      <b style={{ left: `${where(now) * 100}%` }} />
      <span className={css.nowText} style={placed(where(now))}>
        {t('contracts.nowAt', { price: priceAt(now) })}
      </span>
      {liquidation && (
        <span className={css.liquidationText} style={placed(where(liquidation))}>
          {t('contracts.liquidationShort', { price: priceAt(liquidation) })}
        </span>
      )}
      {handles.map(({ which, typed, short }) => (
        <span key={which} className={css.thumb} style={{ left: `${where(typed.value ?? now) * 100}%` }} aria-hidden="true">
          {short}
        </span>
      ))}
      {handles.map(({ which, typed, label }) => (
        <input
          key={which}
          type="range"
          aria-label={label}
          aria-valuetext={typed.value ? priceAt(typed.value) : t('contracts.none')}
          style={{ left: -13, right: -13, width: 'calc(100% + 26px)' }}
          min={0}
          max={1_000}
          value={Math.round(where(typed.value ?? now) * 1_000)}
          onChange={(event) => {
            const price = scale.low + ((scale.high - scale.low) * parseInt(event.target.value, 10)) / 1_000;
            const ticks = BigInt(Math.max(1, Math.round(price / size)));
            typed.setText(format(priceOf(ticks, market.tick), locale, { kind: 'price', min: market.tick.scale }));
          }}
        />
      ))}
    </div>
  );
}

interface Props {
  open: boolean;
  onClose: () => void;
  position: Position;
  market: Market;
}

/** The prices at which a position closes by itself. They are set for the position as shown, with its present triggers. */
export default function StopsSheet({ open, onClose, position: given, market }: Props) {
  const newest = useNewest(given);
  const review = useOpenReview(triggersOf(newest), open);
  const position: Position = { ...newest, ...review.value };
  const locale = useLocale();
  const text = (price: Amount | undefined) => (price ? format(price, locale, { kind: 'price', min: price.scale }) : '');
  const stop = useAmount(market.tick.scale, text(stopOf(position)));
  const profit = useAmount(market.tick.scale, text(takeOf(position)));
  const stopInput = useRef<HTMLInputElement>(null);
  const profitInput = useRef<HTMLInputElement>(null);
  const { stale } = usePriceAge(position.symbol);
  const { state, busy, run } = useCommit<Awaited<ReturnType<typeof setStops>>>();
  const answered = useEffectEvent(() => {
    if (state.step === 'done') {
      settledPosition(state.result.data.position);
      toast(t('contracts.saved'));
      if (open) onClose();
    } else if (state.step === 'refused' && !open) toast(refusalText(state.error), { icon: 'warn' });
  });
  useEffect(() => answered(), [state]);

  const mark = market.mark;
  const tick = market.tick;
  const cap = amount(position.cap_price);
  const levels = levelsOf(sideOf(position), mark ?? 0n, ticksDown(liquidationOf(position) ?? make(0n, 0), tick), ticksDown(cap, tick));
  const stopFault = fault(stop, levels.stopLoss, 'stop', position, market);
  const profitFault = fault(profit, levels.takeProfit, 'profit', position, market);
  const send = (profitPrice: Amount | undefined, stopPrice: Amount | undefined) => review.confirm((one) => run(() => setStops(one, profitPrice, stopPrice)));
  const look = () => {
    review.open();
    // A trigger that was set elsewhere replaces what was typed for the previous one.
    if (newest.stop_loss_price !== position.stop_loss_price) stop.setText(text(stopOf(newest)));
    if (newest.target_profit_price !== position.target_profit_price) profit.setText(text(takeOf(newest)));
  };
  const waits = stale || mark === undefined ? t('contracts.reason.stale') : undefined;
  const reason = staleReason(review) ?? waits ?? stopFault ?? profitFault;
  const settled = busy || state.step === 'done';
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('contracts.edit')}
      footer={
        <>
          <Button onClick={() => send(undefined, undefined)} disabled={busy || review.stale || (!stopOf(position) && !takeOf(position))}>
            {t('contracts.removeBoth')}
          </Button>
          <Button kind="commit" loading={busy} reason={busy ? undefined : reason} onBlocked={() => (stopFault ? stopInput : profitInput).current?.focus()} onClick={() => send(profit.value, stop.value)}>
            {t('ui.save')}
          </Button>
        </>
      }
    >
      <div className={css.what}>
        <CoinDisc code={baseOf(position)} size="sm" />
        <span className="lab t2 num grow">{t('contracts.from', { pair: position.symbol, lots: lotsText(position.share), price: priceAt(position.price) })}</span>
        <SideTag direction={sideOf(position) === 'long' ? 'up' : 'down'}>{positionSide(position)}</SideTag>
      </div>
      <ReviewNote review={{ ...review, open: look }} busy={settled} className={css.gap} />
      {(state.step === 'refused' || state.step === 'unknown') && (
        <div role="alert" className={css.gap}>
          <Note tone={state.step === 'unknown' ? 'caution' : 'danger'}>{state.step === 'refused' ? <Refused error={state.error} /> : t('errors.E_OUTCOME_UNKNOWN')}</Note>
        </div>
      )}
      {mark !== undefined && (
        <>
          <Slider position={position} market={market} mark={mark} stop={stop} profit={profit} />
          <PriceField which="stop" typed={stop} position={position} market={market} mark={mark} error={stopFault} input={stopInput} />
          <PriceField which="profit" typed={profit} position={position} market={market} mark={mark} error={profitFault} input={profitInput} />
        </>
      )}
      <p className={`${css.note} cap t2`}>{t('contracts.stopsNote')}</p>
    </Sheet>
  );
}
