import { useEffect, useState } from 'react';
import { useBalance } from '../../data/balances';
import { useCommit } from '../../data/commit';
import { useConfig } from '../../data/config';
import { draft } from '../../data/draft';
import { useFirstUse } from '../../data/firstUse';
import { usePlans, useTreasury } from '../../data/plans';
import { requireLogin } from '../../data/session';
import { useProductContext } from '../../data/productContext';
import type { Hosting, Plan } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { t, useLocale, withProductWords } from '../../lib/i18n';
import { amount, cmp, formatPercent, make, min, part, trim, type Amount } from '../../lib/money';
import { href, usePlace } from '../../lib/nav';
import { useReview } from '../../lib/review';
import { serverNow } from '../../lib/time';
import { TRUST } from '../../lib/wire';
import { AmountField, useAmountInput, type AmountText, type Typed } from '../../ui/AmountField';
import { Button, IconLink, TextLink } from '../../ui/Button';
import { Checkbox, Chip } from '../../ui/Choice';
import { Icon } from '../../ui/Icon';
import { Screen } from '../../ui/Layout';
import { LazySheet } from '../../ui/LazySheet';
import { ListState, EmptyState } from '../../ui/ListState';
import { ReceiptFooter } from '../../ui/ReceiptFooter';
import { RichText } from '../../ui/RichText';
import { Sheet } from '../../ui/Sheet';
import { Timeline } from '../../ui/Status';
import type { buyPlan, Reviewed } from './api';
import { BuyReview, Outcome } from './BuyReview';
import { Exit } from './Exit';
import { firstDay, maturity } from './formulas';
import { coverable, exitsOf, termsOf, validate, type OrderContext } from './model';
import { Payer } from './Payer';
import { Receipt } from './Receipt';
import { balance, exactly, planName, reasonText, utcDay } from './text';
import css from './Plans.module.css';

const risk = withProductWords(() => import('../../ui/FirstUse'));
const kept = draft<Typed>();

function useOrderContext(plan: Plan): OrderContext {
  const wallet = useBalance(TRUST, plan.currency_id);
  const pool = useTreasury().data?.pools.find((one) => one.currency_id === plan.currency_id);
  return {
    ...useProductContext('plan'),
    available: wallet && amount(wallet.avail),
    covered: pool && coverable(amount(pool.free), termsOf(plan)),
  };
}

/** The minimum, shares of the balance, and the largest possible amount. */
function Amounts({ plan, field, context: { available, covered } }: { plan: Plan; field: AmountText; context: OrderContext }) {
  const locale = useLocale();
  const least = amount(plan.save_min);
  const most = available && min(available, covered ? min(amount(plan.save_max), covered) : amount(plan.save_max));
  return (
    <div className={css.chips}>
      <Chip onClick={() => field.set(least)}>{t('plans.least', { amount: balance(trim(least), '') })}</Chip>
      {[25, 50].map((percent) => (
        <Chip key={percent} disabled={!available} onClick={() => available && field.set(part(available, percent))}>
          {formatPercent(amount(String(percent)), locale)}
        </Chip>
      ))}
      <Chip disabled={!most} onClick={() => most && field.set(most)}>
        {t('ui.max')}
      </Chip>
    </div>
  );
}

/** Where money missing in the plan account can come from. */
function Missing({ coin }: { coin: number }) {
  const sandbox = useConfig()?.mode === 'sandbox';
  return (
    <div className={css.fix}>
      <TextLink href={href('assets/transfer/index', { to: TRUST, coin })}>{t('transfer.title')}</TextLink>
      <TextLink href={sandbox ? href('assets/deposit/paper', { account: TRUST, coin }) : href('assets/deposit/index')}>{t(sandbox ? 'transfer.getMore' : 'assets.deposit')}</TextLink>
    </div>
  );
}

/** Dates in UTC: purchase, first interest, and full repayment. */
function Dates({ plan, value }: { plan: Plan; value: Amount }) {
  const now = serverNow();
  const total = make(exitsOf(value, termsOf(plan)).at(-1)?.back ?? 0n, value.scale);
  return (
    <Timeline
      horizontal
      steps={[
        { title: utcDay(now), text: t('plans.buy'), state: 'done' },
        { title: utcDay(firstDay(now)), text: t('plans.interestStarts'), state: 'next' },
        { title: utcDay(maturity(plan.day, now)), text: t('plans.back', { amount: balance(total, plan.currency_name) }), state: 'next' },
      ]}
    />
  );
}

function Agreement({ plan, agreed, onAgree }: { plan: Plan; agreed: boolean; onAgree: (agreed: boolean) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <div className={css.agree}>
      <Checkbox checked={agreed} onChange={(event) => onAgree(event.target.checked)}>
        {t('plans.agree', { days: plan.day })}
      </Checkbox>
      <Button kind="text" small onClick={() => setOpen(true)}>
        {t('plans.agreement')}
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} title={t('plans.agreement')}>
        <RichText html={plan.agreement} />
        <p className="cap t3">{t('app.version', { version: plan.agreement_version })}</p>
      </Sheet>
    </div>
  );
}

function useBuying(plan: Plan, field: AmountText) {
  const [agreedTo, setAgreedTo] = useState<string>();
  const [asking, setAsking] = useState(false);
  const [bought, setBought] = useState<Hosting>();
  const first = useFirstUse('plan');
  const context = useOrderContext(plan);
  // Accepting the agreement on other terms does not accept this one.
  const agreed = agreedTo === plan.rule;
  const setAgreed = (yes: boolean) => setAgreedTo(yes ? plan.rule : undefined);
  useNow();
  const review = useReview<Reviewed>(field.value && { plan, value: field.value, until: maturity(plan.day, serverNow()) });
  const commit = useCommit<Awaited<ReturnType<typeof buyPlan>>>('plan', review.shown, review.close);
  const reason = commit.busy ? undefined : validate(plan, field.parsed, agreed, context);
  // An amount that is being sent, or was bought, is not kept as input.
  useEffect(() => kept.keep(commit.busy || bought ? undefined : field.typed, String(plan.id)), [commit.busy, bought, field.typed, plan.id]);
  return { agreed, setAgreed, asking, setAsking, bought, setBought, first, context, commit, review, reason };
}

function Form({ plan }: { plan: Plan }) {
  useLocale();
  const scale = amount(plan.save_min).scale;
  const { field, input, shown, touch, onBlocked } = useAmountInput(scale, kept.read(String(plan.id)));
  const { agreed, setAgreed, asking, setAsking, bought, setBought, first, context, commit, review, reason } = useBuying(plan, field);
  const code = plan.currency_name;
  const text = reason && reasonText(reason, code, scale);
  // The outcome of the minimum amount, until another one is typed.
  const value = field.value && cmp(field.value, make(0n, scale)) > 0 ? field.value : amount(plan.save_min);
  const rules = (
    <IconLink label={t('plans.rules')} href={href('finance/rulePage')}>
      <Icon name="info" />
    </IconLink>
  );
  if (bought) {
    return (
      <Screen title={planName(plan)} footer={<ReceiptFooter href={href('finance/ordersPage')} label={t('plans.mine')} />}>
        <div className={css.form}>
          <Receipt order={bought}>{t('plans.done', { amount: exactly(bought.amount, code) })}</Receipt>
        </div>
      </Screen>
    );
  }
  const footer = (
    <>
      <Agreement plan={plan} agreed={agreed} onAgree={setAgreed} />
      {reason?.name === 'guest' ? (
        <Button kind="commit" wide onClick={() => requireLogin()}>
          {text}
        </Button>
      ) : (
        <Button kind="commit" wide loading={commit.busy} reason={text} onBlocked={onBlocked} onClick={() => (first.needed ? setAsking(true) : review.open())}>
          {t('plans.review', { amount: exactly(value, code) })}
        </Button>
      )}
    </>
  );
  return (
    <Screen title={planName(plan)} end={rules} footer={<div className={css.foot}>{footer}</div>}>
      <div className={css.form}>
        <AmountField
          ref={input}
          label={t('plans.amount')}
          field={field}
          unit={code}
          chips={false}
          aside={context.available && t('plans.free', { amount: balance(context.available, code) })}
          error={shown(reason?.name !== 'agreement' ? text : undefined)}
          onBlur={touch}
        />
        <Amounts plan={plan} field={field} context={context} />
        {(reason?.name === 'short' || (context.available && cmp(context.available, amount(plan.save_min)) < 0)) && <Missing coin={plan.currency_id} />}
        <Outcome plan={plan} value={value} />
        <Exit value={value} terms={termsOf(plan)} code={code} start={Math.floor(plan.day / 3)} />
        <Dates plan={plan} value={value} />
        <Payer coin={plan.currency_id} />
      </div>
      <BuyReview review={review} commit={commit} reason={reason} available={context.available} onDone={setBought} />
      <LazySheet
        load={risk}
        product="plan"
        open={asking}
        onClose={() => setAsking(false)}
        text={first.text}
        onDone={() => {
          first.accept();
          setAsking(false);
          review.open();
        }}
      />
    </Screen>
  );
}

/** A plan before the purchase, with the early redemption first. */
export default function Buy() {
  useLocale();
  const id = usePlace().query.get('id');
  const query = usePlans();
  const plan = query.data?.find((one) => String(one.id) === id);
  if (plan) return <Form key={plan.id} plan={plan} />;
  return (
    <Screen title={t('tab.plans')}>
      <ListState query={query} errorTitle={t('plans.error')} errorText={t('assets.errorText')}>
        {() => (
          <EmptyState icon="plans" title={t('plans.gone')}>
            <TextLink href={href('finance/index')}>{t('plans.see')}</TextLink>
          </EmptyState>
        )}
      </ListState>
    </Screen>
  );
}
