import { useOptionRecord } from '../../data/options';
import type { IndexSample, OptionOrder, OptionReceipt } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { abs, amount, approximate, div, mul, sign, sub } from '../../lib/money';
import { clock, date, serverNow, stamp } from '../../lib/time';
import { useNow } from '../../lib/clock';
import { Button, IconButton } from '../../ui/Button';
import { copyText } from '../../ui/copy';
import { amountText, CoinDisc, priceText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import { OptionSide } from '../../ui/OptionRow';
import { ReceiptHelp } from '../../ui/ReceiptNumber';
import type { Parts } from '../../ui/Sheet';
import { Arrow, CostLines, StatusChip, type CostLine } from '../../ui/Status';
import { usePath, useReceipt } from './api';
import { recordOf } from './model';
import { goodFor } from './samples';
import { balanceText, bandText, costText, leftText, lengthText, percentText, resultText, stateOf, whyText } from './text';
import css from './Option.module.css';

const WIDTH = 326;
const HEIGHT = 110;

/** The price from open to delivery, with a line at the open price. Without prices the line has a gap. */
function Path({ order, delivery }: { order: OptionOrder; delivery: IndexSample | null }) {
  const locale = useLocale();
  const points = usePath(order).data ?? [];
  const [from, to] = [order.open_time_ms, order.delivery_time_ms];
  const good = goodFor(from, to);
  const open = approximate(amount(order.open_price));
  const end = delivery && approximate(amount(delivery.price));
  const all = [{ at: from, price: open }, ...points.filter(({ at }) => at > from && at < to), ...(delivery && end !== null ? [{ at: to, price: end }] : [])];
  const prices = all.map(({ price }) => price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const x = (at: number) => Math.round((5 + ((at - from) / (to - from)) * (WIDTH - 10)) * 10) / 10;
  const y = (price: number) => Math.round((8 + ((high - price) / (high - low || 1)) * (HEIGHT - 16)) * 10) / 10;
  const text = t('options.path', { open: priceText(order.open_price, undefined, locale), end: priceText(delivery?.price, undefined, locale) });
  return (
    <figure>
      <svg className={css.path} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} fill="none" role="img" aria-label={text}>
        <path d={all.map(({ at, price }, n) => `${at - (all[n - 1]?.at ?? -Infinity) > good ? 'M' : 'L'}${x(at)} ${y(price)}`).join('')} stroke="var(--accent)" strokeWidth="1.75" strokeLinejoin="round" />
        <path d={`M${x(from)} ${y(open)}H${x(to)}`} stroke="var(--text-1)" strokeDasharray="3 4" opacity=".7" />
        {end !== null && <path d={`M${x(to)} ${y(open)}V${y(end)}`} stroke="var(--caution)" strokeWidth="2" />}
        <circle cx={x(from)} cy={y(open)} r="4" fill="var(--surface-1)" stroke="var(--text-1)" strokeWidth="2" />
        {end !== null && <circle cx={x(to)} cy={y(end)} r="4" fill="var(--text-1)" />}
      </svg>
      <figcaption className="cap t3 flex between num">
        <span>{t('options.atOpen', { time: clock(from, locale, true) })}</span>
        <span>{t('options.atEnd', { time: clock(to, locale, true) })}</span>
      </figcaption>
    </figure>
  );
}

/** The fee in percent of the stake, as charged. */
const feeRate = (order: OptionOrder) => div(mul(amount(order.fee), amount('100')), amount(order.number), 2);

function Difference({ value }: { value: string }) {
  const locale = useLocale();
  const money = amount(value);
  const direction = sign(money) > 0 ? 'up' : sign(money) < 0 ? 'down' : 'even';
  return (
    <span className={`num ${direction === 'even' ? 't2' : direction}`}>
      <Arrow direction={direction} /> {amountText({ value: money, signed: true }, locale)}
    </span>
  );
}

function lines(order: OptionOrder, difference: string | null, locale: string): CostLine[] {
  const code = order.currency_name;
  const price = (value: string | null) => priceText(value, undefined, locale);
  const settled = order.status === 3;
  return [
    { label: t('options.openPrice'), value: price(order.open_price) },
    ...(settled ? [{ label: t('options.deliveryPrice'), value: order.refund ? t('options.noValid') : price(order.end_price) }] : [{ label: t('options.ends'), value: stamp(order.delivery_time_ms, locale) }]),
    ...(difference !== null ? [{ label: t('options.difference'), value: <Difference value={difference} /> }] : []),
    { label: t('options.stake'), value: balanceText(order.number, code) },
    { label: t('options.fee', { rate: percentText(feeRate(order), 2) }), value: costText(order.fee, code) },
    ...(settled
      ? [
          { label: t('options.paidBack'), value: balanceText(order.payout ?? undefined, code) },
          { label: t('options.net'), value: resultText(order.fact_profits ?? undefined, code), total: true },
        ]
      : [{ label: t('options.ifRight'), value: resultText(sub(amount(order.profit), amount(order.fee)), code) }]),
  ];
}

function Month({ coin, code }: { coin: number; code: string }) {
  const record = useOptionRecord(coin).data;
  if (!record?.length) return null;
  const { right, count, net, marks } = recordOf(record);
  return (
    <Card>
      <div className={css.month}>
        <div className="grow">
          <div className="b">{t('options.month')}</div>
          <div className="lab t2 num">{t('options.monthText', { right, count, net: resultText(net, code) })}</div>
        </div>
        <div className={css.marks} aria-hidden="true">
          {marks.map((one, n) => (
            <i key={n} className={one ? css.hit : undefined} />
          ))}
        </div>
      </div>
    </Card>
  );
}

function Left({ order }: { order: OptionOrder }) {
  useNow(1_000);
  const locale = useLocale();
  const left = order.delivery_time_ms - serverNow();
  if (left > 0) return <p className="t2">{t('options.left', { left: leftText(left) })}</p>;
  return <p className="t2">{left < -10_000 ? t('options.settlingLong', { time: clock(order.delivery_time_ms, locale, true) }) : t('options.settling')}</p>;
}

/** Result, reason, path, lines, the member's month, number: the same layout for a win and a loss. */
export function ReceiptBody({ order, receipt }: { order: OptionOrder; receipt?: OptionReceipt }) {
  const locale = useLocale();
  const code = order.currency_name;
  const state = stateOf(order);
  const settled = order.status === 3;
  const difference = receipt?.difference ?? null;
  const told = difference === null ? undefined : amountText({ value: abs(amount(difference)) }, locale);
  return (
    <div className={css.receipt}>
      <div className={css.result}>
        <StatusChip tone={state.tone} {...(order.result === 'lost' && { icon: 'close' as const })}>
          {state.text}
        </StatusChip>
        {settled ? (
          <>
            <p className={`num ${css.net}`}>
              {resultText(order.fact_profits ?? undefined, code, true)} <small>{code}</small>
            </p>
            <p className="t2">{whyText(order, told, bandText(order.open_price, order.tolerance))}</p>
          </>
        ) : (
          <Left order={order} />
        )}
      </div>
      <Card>
        <div className={css.what}>
          <CoinDisc code={order.symbol_name.split('/')[0] ?? ''} />
          <div className="grow">
            <div className="b">{order.symbol_name}</div>
            <div className="lab t2">
              {lengthText(order.seconds)}, {date(order.created_at_ms, locale)}
            </div>
          </div>
          <OptionSide type={order.type} />
        </div>
        {settled && receipt && <Path order={order} delivery={receipt.delivery_sample} />}
        <CostLines lines={lines(order, difference, locale)} />
      </Card>
      <Month coin={order.currency_id} code={code} />
      <div className={css.number}>
        <span className="lab t2">{t('options.number')}</span>
        <span className="num grow right">{order.id}</span>
        <IconButton label={t('options.copyNumber')} onClick={() => void copyText(String(order.id))}>
          <Icon name={icons.copy} size={18} />
        </IconButton>
      </div>
      <ReceiptHelp id={order.id} of="option" />
    </div>
  );
}

/** One option as the server has it; updated while it runs. */
export function Receipt({ id }: { id: number }) {
  const query = useReceipt(id);
  return (
    <ListState query={query} errorTitle={t('options.error')} errorText={t('options.errorText')}>
      {(receipt) => <ReceiptBody order={receipt.order} receipt={receipt} />}
    </ListState>
  );
}

/** The option that was just bought, updated while it runs. */
function Bought({ order }: { order: OptionOrder }) {
  const receipt = useReceipt(order.id).data;
  return <ReceiptBody order={receipt?.order ?? order} {...(receipt && { receipt })} />;
}

/** The receipt of a purchase, in the sheet of the purchase. */
export const receiptParts = (order: OptionOrder, onDone: () => void): Parts => ({
  title: t('options.receipt'),
  children: <Bought order={order} />,
  footer: (
    <Button kind="commit" wide onClick={onDone}>
      {t('ui.done')}
    </Button>
  ),
});
