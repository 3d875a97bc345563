import type { ReactNode } from 'react';
import { useBalance } from '../../data/balances';
import { useCommit } from '../../data/commit';
import type { Loan } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { locale, t, useLocale } from '../../lib/i18n';
import { add, amount, cmp, make, min, rescale, sign, sub, wire, type Amount } from '../../lib/money';
import { useOnline } from '../../lib/online';
import { useOpenReview, type Review } from '../../lib/review';
import { stamp } from '../../lib/time';
import { SPOT } from '../../lib/wire';
import { AmountField, useAmountInput, type AmountText } from '../../ui/AmountField';
import { Button } from '../../ui/Button';
import { CommitNote } from '../../ui/CommitNote';
import { UNKNOWN } from '../../ui/Figures';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import { CostLines, StatusChip, type CostLine } from '../../ui/Status';
import { addCollateral, refreshLoans, repayLoan, type Owed } from './api';
import { repay } from './formulas';
import { useHealth } from './LoanCard';
import { LtvLine } from './LtvLine';
import { healthOf, isRunning, termsOf } from './model';
import { LoanNumber } from './Receipt';
import { balanceText, costText, levelText } from './text';
import css from './Loans.module.css';

/** Content of a sheet that changes in place. */
export interface Parts {
  title: string;
  body: ReactNode;
  footer: ReactNode;
  onBack?: (() => void) | undefined;
  /** The loan has reached a state in which this is no longer possible. */
  gone?: boolean;
}
interface Props {
  loan: Loan;
  /** Whether it is on the screen. */
  open: boolean;
  onBack: () => void;
  onClose: () => void;
}

/** The result of an action on a loan, in the lines of its review, with the number of the loan. */
const done = (title: string, text: string, loan: Loan, lines: readonly CostLine[], onClose: () => void): Parts => ({
  title,
  body: (
    <div className={css.stack}>
      <div className={css.result} role="status">
        <StatusChip tone="done">{text}</StatusChip>
      </div>
      <CostLines lines={lines} />
      <LoanNumber loan={loan} what={text} />
    </div>
  ),
  footer: (
    <Button kind="commit" wide onClick={onClose}>
      {t('ui.done')}
    </Button>
  ),
});

/** The time of an action, from the server. */
const when = (ms: number): CostLine => ({ label: t('transfer.time'), value: stamp(ms, locale()) });

/** What is wrong with an amount that is taken from Spot. */
function faultOf({ parsed }: AmountText, over: Amount | undefined, code: string, scale: number): string | undefined {
  if (!parsed.ok) return parsed.reason === 'scale' ? t('trade.reason.decimals', { unit: code, most: scale }) : t(`trade.reason.${parsed.reason}`);
  if (sign(parsed.value) <= 0) return t('trade.reason.empty');
  return over && sign(over) > 0 ? t('trade.reason.insufficient', { quote: code, more: costText(over, '') }) : undefined;
}

const units = (text: string, scale: number) => rescale(amount(text), scale).units;

/** A debt that has just grown is read again. */
function lookAgain(error: unknown): boolean {
  if (error instanceof Refusal && error.code === 'E_DEBT_MOVED') void refreshLoans();
  return false;
}

/** The loan under review: its debt and collateral stay as shown until the person reviews again. */
function useSeen(now: Loan, open: boolean): { loan: Loan; review: Review<Owed> } {
  const { id, debt, penalty_due, interest_due, outstanding, collateral } = now;
  const review = useOpenReview<Owed>({ id, debt, penalty_due, interest_due, outstanding, collateral }, open);
  return { loan: { ...now, ...review.value }, review };
}

/** Repays a part or all of the debt: late interest first, then interest, then the principal. */
export function useRepay({ loan: now, open, onBack, onClose }: Props): Parts {
  useLocale();
  const online = useOnline();
  const { loan, review } = useSeen(now, open);
  const { sides, price } = useHealth(loan);
  const scale = sides?.lent.scale ?? 6;
  const { field, input, shown, touch, onBlocked } = useAmountInput(scale);
  const commit = useCommit<Awaited<ReturnType<typeof repayLoan>>>('repayment', open, onClose);
  const balance = useBalance(SPOT, loan.currency_id);
  const free = balance && amount(balance.avail);
  const code = loan.currency_name;
  const debt = amount(loan.debt);
  const most = free && min(free, debt);
  const given = field.value && sign(field.value) > 0 ? rescale(field.value, scale) : undefined;
  const over = given && free ? sub(min(given, debt), free) : undefined;
  const whole = given !== undefined && cmp(given, debt) >= 0;
  const fault = commit.busy ? undefined : faultOf(field, over, code, scale);
  if (commit.state.step === 'done') {
    const { order, taken, penalty, interest, principal, time_ms: at } = commit.state.result.data;
    const [collateral, ended] = [balanceText(loan.collateral, loan.collateral_currency_name), order.status === 3];
    const lines: CostLine[] = [
      ...(sign(amount(penalty)) > 0 ? [{ label: t('loans.toPenalty'), value: costText(penalty, code) }] : []),
      { label: t('loans.toInterest'), value: costText(interest, code) },
      { label: t('loans.toPrincipal'), value: costText(principal, code) },
      ended ? { label: t('loans.backAtOnce'), value: collateral } : { label: t('loans.salePriceAfter'), value: levelText(sides && healthOf(order, sides, termsOf(order), price).salePrice) },
      { label: t('loans.leftOwed'), value: costText(order.debt, code), total: true },
      when(at),
    ];
    return done(t('loans.repay'), ended ? t('loans.repaidAll', { amount: collateral }) : t('loans.repaid', { amount: balanceText(taken, code) }), order, lines, onClose);
  }
  const settled = () => void refreshLoans();
  const look = () => {
    review.open();
    // A person who chose the whole debt still means the whole.
    if (whole) field.set(amount(now.debt));
  };
  const split = given && repay(given.units, { penalty: units(loan.penalty_due, scale), interest: units(loan.interest_due, scale), principal: units(loan.outstanding, scale) });
  const of = (value: bigint) => make(value, scale);
  const left = split && sub(debt, of(split.taken));
  const after = left && sides ? healthOf({ ...loan, debt: wire(left) }, sides, termsOf(loan), price) : undefined;
  const lines: CostLine[] = split && left
    ? [
        ...(split.penalty > 0n ? [{ label: t('loans.toPenalty'), value: costText(of(split.penalty), code) }] : []),
        { label: t('loans.toInterest'), value: costText(of(split.interest), code) },
        { label: t('loans.toPrincipal'), value: costText(of(split.principal), code) },
        ...(whole ? [{ label: t('loans.backAtOnce'), value: balanceText(loan.collateral, loan.collateral_currency_name) }] : [{ label: t('loans.salePriceAfter'), value: levelText(after?.salePrice) }]),
        { label: t('loans.leftOwed'), value: costText(left, code), total: true },
      ]
    : [];
  return {
    title: t('loans.repay'),
    onBack: commit.busy ? undefined : onBack,
    gone: !isRunning(now) && !commit.busy,
    body: (
      <div className={css.stack}>
        <ReviewNote review={{ ...review, open: look }} busy={commit.busy} />
        <CostLines lines={[{ label: t('loans.owed'), value: costText(debt, code), total: true }]} />
        <AmountField
          ref={input}
          label={t('loans.repayAmount')}
          field={field}
          unit={code}
          available={most}
          aside={t('loans.free', { amount: free ? balanceText(free, code) : UNKNOWN })}
          error={shown(fault)}
          onBlur={touch}
        />
        {lines.length > 0 && <CostLines lines={lines} />}
        {!whole && after && <LtvLine ltv={after.ltv} marks={loan} />}
        <p className="lab t2">{t('loans.earlier')}</p>
        <CommitNote state={commit.state} unknown={() => t('loans.unknown')} />
      </div>
    ),
    footer: (
      <Button
        kind="commit"
        wide
        loading={commit.busy}
        reason={commit.busy ? undefined : online ? (staleReason(review) ?? fault) : t('loans.offlineRepay')}
        onBlocked={onBlocked}
        onClick={() => given && review.confirm((one) => commit.run(() => repayLoan(one, whole ? undefined : given), { done: settled, refused: lookAgain }))}
      >
        {whole ? t('loans.repayAll', { amount: costText(debt, code) }) : t('loans.repayPart', { amount: given ? costText(given, code) : code })}
      </Button>
    ),
  };
}

/** More collateral; its effect on the loan is shown before it is frozen. */
export function useAdd({ loan: now, open, onBack, onClose }: Props): Parts {
  useLocale();
  const online = useOnline();
  const { loan, review } = useSeen(now, open);
  const { sides, price } = useHealth(loan);
  const scale = sides?.coin.scale ?? 8;
  const { field, input, shown, touch, onBlocked } = useAmountInput(scale);
  const commit = useCommit<Awaited<ReturnType<typeof addCollateral>>>('collateral', open, onClose);
  const balance = useBalance(SPOT, loan.collateral_currency_id);
  const free = balance && amount(balance.avail);
  const code = loan.collateral_currency_name;
  const given = field.value && sign(field.value) > 0 ? rescale(field.value, scale) : undefined;
  const over = given && free ? sub(given, free) : undefined;
  const fault = commit.busy ? undefined : faultOf(field, over, code, scale);
  if (commit.state.step === 'done') {
    const { order, time_ms: at } = commit.state.result.data;
    const lines: CostLine[] = [
      { label: t('loans.salePriceAfter'), value: levelText(sides && healthOf(order, sides, termsOf(order), price).salePrice) },
      { label: t('loans.frozenCollateral'), value: balanceText(order.collateral, code), total: true },
      when(at),
    ];
    return done(t('loans.add'), t('loans.added', { amount: balanceText(given, code) }), order, lines, onClose);
  }
  const settled = () => void refreshLoans();
  const after = given && sides ? healthOf({ ...loan, collateral: wire(add(rescale(amount(loan.collateral), scale), given)) }, sides, termsOf(loan), price) : undefined;
  return {
    title: t('loans.add'),
    onBack: commit.busy ? undefined : onBack,
    gone: !isRunning(now) && !commit.busy,
    body: (
      <div className={css.stack}>
        <ReviewNote review={review} busy={commit.busy} />
        <AmountField
          ref={input}
          label={t('loans.addAmount')}
          field={field}
          unit={code}
          available={free}
          aside={t('loans.free', { amount: free ? balanceText(free, code) : UNKNOWN })}
          error={shown(fault)}
          onBlur={touch}
        />
        {after && (
          <>
            <CostLines lines={[{ label: t('loans.salePriceAfter'), value: levelText(after.salePrice) }]} />
            <LtvLine ltv={after.ltv} marks={loan} />
          </>
        )}
        <p className="lab t2">{t('loans.addNote')}</p>
        <CommitNote state={commit.state} unknown={() => t('loans.unknown')} />
      </div>
    ),
    footer: (
      <Button kind="commit" wide loading={commit.busy} reason={commit.busy ? undefined : online ? (staleReason(review) ?? fault) : t('loans.offlineRepay')} onBlocked={onBlocked} onClick={() => given && review.confirm((one) => commit.run(() => addCollateral(one, given), { done: settled }))}>
        {t('loans.addSubmit', { amount: given ? costText(given, code) : code })}
      </Button>
    ),
  };
}
