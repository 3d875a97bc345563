import { useEffect, useRef, useState } from 'react';
import { useBalance } from '../../data/balances';
import { useCommit } from '../../data/commit';
import { useCoins } from '../../data/config';
import { draft } from '../../data/draft';
import { requireLogin, useUser } from '../../data/session';
import { useProductContext } from '../../data/productContext';
import { useActivePair, usePriceAge } from '../../data/tickers';
import type { LoanProduct } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amount, cmp, formatPercent, part, rescale, sign, trim, type Amount } from '../../lib/money';
import { href } from '../../lib/nav';
import { useReview } from '../../lib/review';
import { DAY, serverNow } from '../../lib/time';
import { SPOT } from '../../lib/wire';
import { AmountField, useAmount, useAmountInput, type AmountText, type Typed } from '../../ui/AmountField';
import { Button, ButtonLink } from '../../ui/Button';
import { Chip, Chips, Segment } from '../../ui/Choice';
import { UNKNOWN } from '../../ui/Figures';
import { OutcomeLine } from '../../ui/OutcomeLine';
import { CostLines, Note } from '../../ui/Status';
import { refreshLoans, type applyForLoan, type Application } from './api';
import { ApplySheet } from './ApplySheet';
import { LtvLine } from './LtvLine';
import { amountFault, estimate, isThin, largest, ROOM, smallest, validate, withMore, withRoom, type Coin, type Draft, type Estimate, type Reason, type Sides, type OrderContext } from './model';
import { balanceText, bareText, costLines, costText, lateRateText, percentText, reasonText } from './text';
import css from './Loans.module.css';

const kept = draft<{ amount: Typed; product: number | undefined; coin: number | undefined }>();

/** Everything that is reviewed and sent. */
export interface Reviewed extends Application {
  /** Without its collateral coins: their prices and balances move, and are not sent. */
  terms: LoanProduct;
  sides: Sides;
}

/** The collateral coin, with its price in the lent coin. */
function useSides(product: LoanProduct | undefined, coinId: number | undefined): { sides: Sides | undefined; price: string | undefined; stale: boolean } {
  const coins = useCoins();
  const find = (id: number | undefined): Coin | undefined => coins.find((one) => one.id === id);
  const [lent, coin] = [find(product?.currency_id), find(coinId)];
  const symbol = lent && coin ? `${coin.code}/${lent.code}` : '';
  const pair = useActivePair(symbol);
  const { stale } = usePriceAge(symbol);
  const offered = product?.collateral.find(({ currency_id: id }) => id === coinId)?.price;
  return { sides: lent && coin && { lent, coin }, price: pair?.index_price ?? offered, stale };
}

function useOrderContext(available: Amount | undefined, stale: boolean): OrderContext {
  const user = useUser().data;
  return { ...useProductContext('loan'), verified: !user || user.review_status === 2, stale, available };
}

/** Fields of the form; the collateral is the smallest with some room until the person chooses it. */
function useForm(products: readonly LoanProduct[]) {
  const [before] = useState(() => kept.read());
  const [productId, setProduct] = useState(before?.product);
  const product = products.find(({ id }) => id === productId);
  const first = product ?? products[0];
  const [coinId, setCoin] = useState(before?.coin);
  const collaterals = first?.collateral ?? [];
  const coin = collaterals.find(({ currency_id: id }) => id === coinId) ?? collaterals[0];
  const { sides, price, stale } = useSides(first, coin?.currency_id);
  const borrowed = useAmountInput(sides?.lent.scale ?? 6, before?.amount);
  const collateral = useAmount(sides?.coin.scale ?? 8);
  const [own, setOwn] = useState(false);
  // A refused amount has no estimate.
  const wanted = amountFault({ product: first, amount: borrowed.field.parsed }) ? undefined : borrowed.field.value;
  const least = sides && first && price && wanted ? smallest(sides, first, wanted, price) : undefined;
  const balance = useBalance(SPOT, coin?.currency_id);
  const available = balance && amount(balance.avail);
  const filled = least && withRoom(least, available);
  // Values that the person did not choose follow the amount and the price.
  if (!own && filled && (!collateral.value || cmp(collateral.value, filled) !== 0)) collateral.set(filled);
  if (!own && !least && collateral.text !== '') collateral.setText('');
  return { product, first, setProduct, coin, setCoin, collaterals, sides, price, stale, borrowed, wanted, collateral, own, setOwn, least, available };
}

/** The minimum, shares of the most that the free collateral suffices for, and the most itself; each fills in only an amount that can be lent. */
function Amounts({ field, product, most }: { field: AmountText; product: LoanProduct; most: Amount }) {
  const locale = useLocale();
  const least = amount(product.min_amount);
  const lends = (value: Amount) => cmp(value, least) >= 0;
  return (
    <div className={css.amounts}>
      <Chip onClick={() => field.set(least)}>{t('loans.least', { amount: bareText(trim(least), product.currency_name) })}</Chip>
      {[25, 50].map((percent) => {
        const value = part(most, percent);
        return (
          <Chip key={percent} disabled={!lends(value)} onClick={() => field.set(value)}>
            {formatPercent(amount(String(percent)), locale)}
          </Chip>
        );
      })}
      <Chip disabled={!lends(most)} onClick={() => field.set(most)}>
        {t('ui.max')}
      </Chip>
    </div>
  );
}

const MORE = [10, 25, 50];
const more = (percent: number) => t('loans.more', { percent: percentText(String(percent)) });

interface CollateralProps {
  field: AmountText;
  least: Amount | undefined;
  sides: Sides;
  available: Amount | undefined;
  error: string | undefined;
  onOwn: (own: boolean) => void;
}

function Collateral({ field, least, sides, available, error, onOwn }: CollateralProps) {
  const input = useRef<HTMLInputElement>(null);
  const chosen: AmountText = {
    ...field,
    setText: (text) => {
      onOwn(true);
      field.setText(text);
    },
  };
  return (
    <div className={css.stack}>
      <AmountField
        ref={input}
        label={t('loans.collateral')}
        field={chosen}
        unit={sides.coin.code}
        chips={false}
        aside={t('loans.free', { amount: available ? balanceText(available, sides.coin.code) : UNKNOWN })}
        error={error}
        hint={least && t('loans.smallestNow', { amount: costText(least, sides.coin.code) })}
      />
      {least && (
        <Chips label={t('loans.collateral')}>
          <Chip onClick={() => onOwn(false)}>
            {t('loans.smallest')} {more(ROOM)}
          </Chip>
          {MORE.map((percent) => (
            <Chip
              key={percent}
              onClick={() => {
                onOwn(true);
                field.set(withMore(least, percent));
              }}
            >
              {more(percent)}
            </Chip>
          ))}
        </Chips>
      )}
    </div>
  );
}

/** The cost of a loan, the liquidation price first. */
export function Costs({ cost, product, borrowed, collateral, coin }: { cost: Estimate; product: LoanProduct; borrowed: Amount; collateral: Amount; coin: string }) {
  useLocale();
  // An estimate, because the term starts at the approval (B-3), which is still to come.
  const due = serverNow() + product.day * DAY;
  const [lent, code] = [balanceText(borrowed, product.currency_name), product.currency_name];
  return (
    <>
      <LtvLine ltv={cost.ltv} marks={product} />
      <OutcomeLine
        lose={{ label: t('loans.costs'), text: costText(cost.interest, code), amount: cost.interest }}
        gain={{ label: t('loans.keepFor', { days: product.day }), text: lent, amount: amount('0') }}
        spoken={t('loans.outcome', { cost: costText(cost.interest, code), amount: lent, days: product.day })}
      />
      <CostLines lines={costLines(cost, product, borrowed, collateral, coin, due)} />
      {isThin(cost, product) && <Note>{t('loans.thin')}</Note>}
      <p className="lab t2">
        {t('loans.late', { rate: lateRateText(product), hours: product.grace_hours })} {t('loans.autoDebit')} {t('loans.fromPayout')}
      </p>
    </>
  );
}

/** The application: how much, how long, against what; then its cost, before the tap. */
export function Apply({ products }: { products: readonly LoanProduct[] }) {
  useLocale();
  const form = useForm(products);
  const { product, first, sides, price, wanted, least, available, collateral, coin } = form;
  const { field, input, shown, touch, onBlocked, clear } = form.borrowed;
  const context = useOrderContext(available, form.stale);
  const given = field.value && sides ? rescale(field.value, sides.lent.scale) : undefined;
  const held = collateral.value && sides ? rescale(collateral.value, sides.coin.scale) : undefined;
  const cost = first && sides && price && wanted && given && held && sign(held) > 0 ? estimate(sides, first, given, held, price) : undefined;
  const whole: Draft = { product, offered: first, amount: field.parsed, collateral: collateral.parsed };
  const live: Reviewed | undefined = product && sides && given && held && coin ? { product: product.id, amount: given, coin: coin.currency_id, collateral: held, rule: product.rule, terms: { ...product, collateral: [] }, sides } : undefined;
  const review = useReview(live);
  const commit = useCommit<Awaited<ReturnType<typeof applyForLoan>>>('loan', review.shown, review.close);
  const reasons = commit.busy ? [] : validate(whole, context, cost, least);
  const reason = reasons[0];
  const typed = field.typed;
  const booked = commit.state.step === 'done' || commit.busy;
  useEffect(() => kept.keep(booked ? undefined : { amount: typed, product: product?.id, coin: coin?.currency_id }), [booked, typed, product?.id, coin?.currency_id]);
  if (!first || !sides) return null;
  const say = (one: Reason) => reasonText(one, sides.lent.code, sides.coin.code, one.field === 'collateral' ? sides.coin.scale : sides.lent.scale);
  const fault = (name: Reason['field']) => reasons.find((one) => one.field === name && one.name !== 'empty');
  const [wrongAmount, wrongCollateral] = [fault('amount'), fault('collateral')];
  const lent = [...new Set(products.map(({ currency_name: code }) => code))];
  const lentIn = (code: string) => products.filter((one) => one.currency_name === code);
  const look = () => {
    // From here on it no longer follows the price.
    form.setOwn(true);
    review.open();
  };
  const blocked = () => (reason?.field === 'cycle' ? document.getElementById(CYCLES)?.querySelector('button')?.focus() : onBlocked());
  return (
    <section className={css.form}>
      <h2 className="h3">{t('loans.borrow')}</h2>
      <AmountField
        ref={input}
        label={t('loans.amount')}
        field={field}
        unit={sides.lent.code}
        chips={false}
        placeholder={t('loans.range', { min: bareText(first.min_amount, first.currency_name), max: bareText(first.max_amount, first.currency_name) })}
        error={shown(wrongAmount && say(wrongAmount))}
        onBlur={touch}
      />
      <Amounts field={field} product={first} most={largest(sides, first, available, price)} />
      {lent.length > 1 && (
        <Segment
          label={t('assets.coin')}
          value={first.currency_name}
          // The same term in the other coin, if it is offered.
          onValue={(code) => form.setProduct((lentIn(code).find(({ day }) => day === product?.day) ?? lentIn(code)[0])?.id)}
          options={lent.map((code) => ({ value: code, label: code }))}
        />
      )}
      <div id={CYCLES}>
        <p className={`lab m t2 ${css.head}`}>{t('loans.cycle')}</p>
        <Chips label={t('loans.cycle')}>
          {lentIn(first.currency_name).map((one) => (
            <Chip key={one.id} on={one.id === product?.id} onClick={() => form.setProduct(one.id)}>
              {t('loans.cycleRate', { days: one.day, rate: percentText(one.interest_rate) })}
            </Chip>
          ))}
        </Chips>
      </div>
      {form.collaterals.length > 1 && (
        <Segment
          label={t('loans.collateralCoin')}
          value={String(coin?.currency_id ?? '')}
          onValue={(id) => {
            form.setCoin(parseInt(id, 10));
            form.setOwn(false);
          }}
          options={form.collaterals.map(({ currency_id: id, currency_name: name }) => ({ value: String(id), label: name }))}
        />
      )}
      <Collateral field={collateral} least={least} sides={sides} available={available} error={wrongCollateral && say(wrongCollateral)} onOwn={form.setOwn} />
      {cost && product && given && held && <Costs cost={cost} product={product} borrowed={given} collateral={held} coin={sides.coin.code} />}
      {reason?.name === 'guest' ? (
        <Button kind="commit" wide onClick={() => requireLogin()}>
          {t('loans.guest')}
        </Button>
      ) : reason?.name === 'identity' || reason?.name === 'unknown' ? (
        <ButtonLink kind="commit" wide href={href('verification/index')}>
          {t('errors.E_KYC_BASIC')}
        </ButtonLink>
      ) : (
        <Button kind="commit" wide loading={commit.busy} reason={reason && say(reason)} onBlocked={blocked} onClick={look}>
          {t('loans.review')}
        </Button>
      )}
      {review.value && (
        <ApplySheet
          review={review}
          price={price}
          reason={reason && say(reason)}
          commit={commit}
          onDone={() => {
            clear();
            collateral.setText('');
            form.setOwn(false);
            void refreshLoans();
          }}
        />
      )}
    </section>
  );
}
const CYCLES = 'loan-cycles';
