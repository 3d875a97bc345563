import { useId, useRef, useState } from 'react';
import { useConfig } from '../../data/config';
import { t, useLocale } from '../../lib/i18n';
import { amount, format, formatPercent, neg, trim, type Amount } from '../../lib/money';
import { href } from '../../lib/nav';
import { CONTRACTS } from '../../lib/wire';
import { AmountField } from '../../ui/AmountField';
import { IconButton, TextLink } from '../../ui/Button';
import { Chip, Segment } from '../../ui/Choice';
import { FieldFrame } from '../../ui/Field';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Arrow, CostLines } from '../../ui/Status';
import look from '../../ui/Field.module.css';
import { estimate, lotsOf, maxLots, validate, type Draft, type FieldName, type OrderContext } from './order';
import { costLines, Outcome } from './outcome';
import type { Market } from './terms';
import { bare, reasonText } from './text';
import { lotsAmount, type OrderFields, type TriggerField } from './useOrder';
import css from './Contracts.module.css';

function Multiple({ market, value, onValue, label }: { market: Market; value: number; onValue: (value: number) => void; label: string }) {
  return (
    <label className={css.multiple}>
      <span className="vh">{label}</span>
      <select value={String(value)} onChange={(event) => onValue(parseInt(event.target.value, 10))}>
        {market.terms.multiples.map((one) => (
          <option key={one} value={String(one)}>
            {t('contracts.times', { multiple: one })}
          </option>
        ))}
      </select>
      <Icon name="down" size={16} />
    </label>
  );
}

const way = (direction: 'up' | 'down', text: string) => (
  <span className={css.way}>
    <Arrow direction={direction} />
    {text}
  </span>
);

interface LotsProps {
  fields: OrderFields;
  market: Market;
  context: OrderContext;
  error: string | undefined;
  onBlur: () => void;
  input: React.RefObject<HTMLInputElement | null>;
}

/** Whole lots with a stepper, and shares of what the free margin allows. */
function Lots({ fields, market, context: { available, used }, error, onBlur, input }: LotsProps) {
  const locale = useLocale();
  const id = useId();
  const { lots, draft } = fields;
  const now = lotsOf(draft);
  const most = available ? maxLots(draft, market, available, used) : undefined;
  const set = (count: bigint) => lots.set(lotsAmount(count < 1n ? 1n : count));
  return (
    <div className={css.lots}>
      <FieldFrame
        id={id}
        label={t('contracts.lotsLabel', { size: `${format(trim(amount(market.rules.lot)), locale)}\u00a0${market.base.code}` })}
        aside={t('contracts.freeMargin', { amount: bare(available) })}
        error={error}
      >
        <IconButton label={t('contracts.fewer')} onClick={() => set(now - 1n)}>
          <Icon name={icons.minus} size={20} />
        </IconButton>
        <input ref={input} id={id} className={look.input} inputMode="numeric" autoComplete="off" value={lots.text} onChange={(event) => lots.setText(event.target.value)} onBlur={onBlur} aria-invalid={error ? true : undefined} aria-describedby={`${id}-hint`} />
        <IconButton label={t('contracts.more')} onClick={() => set(now + 1n)}>
          <Icon name={icons.plus} size={20} />
        </IconButton>
      </FieldFrame>
      <div className={css.chips} role="group" aria-label={t('contracts.share')}>
        {[25n, 50n, 75n, 100n].map((percent) => {
          const share = most === undefined ? 0n : (most * percent) / 100n;
          return (
            <Chip key={String(percent)} disabled={share < 1n} onClick={() => lots.set(lotsAmount(share))}>
              {percent === 100n ? t('contracts.max', { lots: most === undefined ? '—' : format(lotsAmount(most), locale) }) : formatPercent(amount(String(percent)), locale)}
            </Chip>
          );
        })}
      </div>
    </div>
  );
}

interface TriggerProps {
  label: string;
  trigger: TriggerField;
  value: Draft['stop'];
  market: Market;
  /** Result in money after all fees, as in the outcome below. */
  money: Amount | undefined;
  loss: boolean;
  error: string | undefined;
  onBlur: () => void;
  input: React.RefObject<HTMLInputElement | null>;
}

/** A stop-loss or take-profit: its price, its result, and an explicit choice to go without it. */
function Trigger({ label, trigger, value, market, money, loss, error, onBlur, input }: TriggerProps) {
  const locale = useLocale();
  const { field: typed, mode } = trigger;
  const proposed = mode === 'auto' && value !== 'none' && value.ok ? format(value.value, locale, { kind: 'price', min: value.value.scale }) : undefined;
  const none = mode === 'none';
  const shown = { ...typed, text: none ? '' : (proposed ?? typed.text), setText: trigger.type, ...(proposed !== undefined && { value: undefined }) };
  return (
    <div className={css.trigger}>
      <AmountField ref={input} label={label} field={shown} unit={market.quote.code} placeholder={none ? t('contracts.none') : ''} aside={money && <span className={loss ? 'caution' : undefined}>{bare(money, 'result')}</span>} error={error} onBlur={onBlur} />
      <Chip on={none} aria-label={`${label}: ${t('contracts.none')}`} onClick={() => trigger.none(!none)}>
        {t('contracts.none')}
      </Chip>
    </div>
  );
}

/** Where the missing margin can come from. */
function Shortage({ coin }: { coin: number }) {
  const sandbox = useConfig()?.mode === 'sandbox';
  return (
    <div className={css.shortage}>
      <TextLink href={href('assets/transfer/index', { to: CONTRACTS })}>{t('trade.transfer')}</TextLink>
      {sandbox && <TextLink href={href('assets/deposit/paper', { account: CONTRACTS, coin })}>{t('trade.paperMoney')}</TextLink>}
    </div>
  );
}

/** The inputs of the form, for focusing the first problem. */
export const useInputs = () => ({ lotsRef: useRef<HTMLInputElement>(null), limitRef: useRef<HTMLInputElement>(null), stopRef: useRef<HTMLInputElement>(null), profitRef: useRef<HTMLInputElement>(null) });
export type Inputs = ReturnType<typeof useInputs>;

interface Props {
  fields: OrderFields;
  market: Market;
  context: OrderContext;
  /** The commit button was pressed, so the first problem is shown. */
  submitted: boolean;
  inputs: Inputs;
}

/** Long or short, lots, multiple, price, triggers, and the outcome. */
export function OrderForm({ fields, market, context, submitted, inputs }: Props) {
  const { draft, side, kind, limit, stop, profit } = fields;
  const { lotsRef, limitRef, stopRef, profitRef } = inputs;
  const [touched, setTouched] = useState<readonly FieldName[]>([]);
  const touch = (name: FieldName) => () => setTouched((all) => [...new Set([...all, name])]);
  const reasons = validate(draft, market, context);
  const known = estimate(draft, market);
  const errorOf = (name: FieldName) => {
    const reason = reasons.find((one) => one.field === name);
    const blank = ['lotsEmpty', 'limitEmpty', 'stopEmpty', 'profitEmpty'].includes(reason?.name ?? '');
    const typedTrigger = (name === 'stop' && stop.mode === 'typed') || (name === 'profit' && profit.mode === 'typed');
    return reason && (submitted || (touched.includes(name) && !blank) || (typedTrigger && touched.includes(name))) ? reasonText(reason, market) : undefined;
  };
  const short = reasons.some(({ name }) => name === 'insufficient');
  return (
    <>
      <div className={css.sides}>
        <div>
          <Segment
            label={t('contracts.direction')}
            value={side}
            onValue={fields.setSide}
            options={[
              { value: 'long', label: way('up', t('contracts.long')), tone: 'up' },
              { value: 'short', label: way('down', t('contracts.short')), tone: 'down' },
            ]}
          />
        </div>
        <Multiple market={market} value={draft.multiple} onValue={fields.setMultiple} label={t('contracts.multiple')} />
      </div>
      <div className={css.kind}>
        <Segment
          label={t('trade.typeTitle')}
          value={kind}
          onValue={fields.setKind}
          options={[
            { value: 'market', label: t('trade.kind.market') },
            { value: 'limit', label: t('trade.kind.limit') },
          ]}
        />
      </div>
      {errorOf('multiple') && <p className="danger lab">{errorOf('multiple')}</p>}
      {kind === 'limit' && (
        <AmountField
          ref={limitRef}
          label={t('trade.kind.limit')}
          field={limit}
          unit={market.quote.code}
          error={errorOf('limit')}
          onBlur={touch('limit')}
          hint={known && t(known.entry.waits ? 'contracts.waits' : 'contracts.atOnce')}
        />
      )}
      <Lots fields={fields} market={market} context={context} error={errorOf('lots')} onBlur={touch('lots')} input={lotsRef} />
      {short && <Shortage coin={market.quote.id} />}
      <div className={css.two}>
        <Trigger label={t('contracts.stopLoss')} trigger={stop} value={draft.stop} market={market} money={known?.atStop && neg(known.atStop)} loss error={errorOf('stop')} onBlur={touch('stop')} input={stopRef} />
        <Trigger label={t('contracts.takeProfit')} trigger={profit} value={draft.profit} market={market} money={draft.profit === 'none' ? undefined : known?.gain} loss={false} error={errorOf('profit')} onBlur={touch('profit')} input={profitRef} />
      </div>
      {known && (
        <div className={css.note}>
          <Outcome draft={draft} cost={known} market={market} />
        </div>
      )}
      <div className={css.lines}>
        <CostLines lines={costLines(draft, known, market)} />
      </div>
    </>
  );
}
