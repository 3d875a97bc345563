import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useBalance } from '../../data/balances';
import { useCommit } from '../../data/commit';
import { BANK, refreshFunding } from '../../data/funding';
import { useReview, type Confirmed } from '../../lib/review';
import { draft } from '../../data/draft';
import { useOnline } from '../../lib/online';
import { refreshUser } from '../../data/session';
import type { UserCenter, WithdrawInfo } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amount, formatPercent, sign, wire } from '../../lib/money';
import { href, replace } from '../../lib/nav';
import { Refusal, refusalText } from '../../lib/refusal';
import { serverNow } from '../../lib/time';
import { AmountField, useAmountInput, type Typed } from '../../ui/AmountField';
import { Button, IconLink, TextLink } from '../../ui/Button';
import { Segment } from '../../ui/Choice';
import { CommitNote } from '../../ui/CommitNote';
import { Field } from '../../ui/Field';
import { amountText, priceText, UNKNOWN } from '../../ui/Figures';
import { FundPasswordField } from '../../ui/FundPassword';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card, Screen } from '../../ui/Layout';
import { CodeField } from '../../ui/Secret';
import { CostLines, Note } from '../../ui/Status';
import shared from '../../ui/Form.module.css';
import { readInfo, withdraw } from './api';
import { ConfirmSheet, type Reviewed } from './ConfirmSheet';
import { Destination, type Goal } from './Destination';
import { SentCode } from './SentCode';
import { asksForCode, isYoung, largest, outcome, termsOf, validate, type Outcome, type Reason } from './model';
import css from './Withdraw.module.css';

interface Props {
  /** The coin that leaves the spot account; USDT for a bank card. */
  coin: { id: number; code: string; scale: number };
  bank: boolean;
  bankOpen: boolean;
  info: WithdrawInfo;
  user: UserCenter;
  goal: Goal | undefined;
  /** Chooses the coin. */
  picker?: ReactNode;
}
type Sent = Awaited<ReturnType<typeof withdraw>>;
/** Kept while the address is chosen on its page; with another coin or kind it would mean something else. */
const formDraft = draft<{ coin: number; bank: boolean; typed: Typed; notes: string }>();
const NOTES = 200;

/** Amount, cost and password of one withdrawal. */
export function Form({ coin, bank, bankOpen, info, user, goal, picker }: Props) {
  const locale = useLocale();
  const online = useOnline();
  const [before] = useState(() => {
    const kept = formDraft.read();
    return kept?.coin === coin.id && kept.bank === bank ? kept : undefined;
  });
  const { field, input, shown, touch, onBlocked } = useAmountInput(coin.scale, before?.typed);
  const [notes, setNotes] = useState(before?.notes ?? '');
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const [mailed, setMailed] = useState('');
  const [wrong, setWrong] = useState<{ password?: string; mailed?: string; otp?: string }>({});
  const sent = asksForCode(user) ? mailed : undefined;
  const secret = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  const { code, scale } = coin;
  const balance = useBalance('change', coin.id);
  const available = balance && amount(balance.avail);
  const terms = termsOf(info, goal?.chain);
  const now = serverNow();
  const money = (value: Parameters<typeof amountText>[0]['value']) => amountText({ value, code, kind: 'cost' }, locale);
  const words = (reason: Reason) => {
    if (reason.over) return t(reason.text, { more: money(reason.over) });
    if (reason.left) return t(reason.text, { left: amountText({ value: reason.left, code: 'USDT', bare: true }, locale) });
    return reason.least ? t(reason.text, { amount: money(reason.least) }) : t(reason.text, reason.values);
  };
  const out = field.value && terms && sign(field.value) > 0 ? outcome(field.value, terms) : undefined;
  const left = Math.max(0, info.day_count_max - info.day_count);
  const feeOf = (out: Outcome | undefined) => terms && (out ? money(out.fee) : bank ? t('withdraw.feeRate', { percent: formatPercent(amount(info.rate), locale), amount: money(terms.fee) }) : money(terms.fee));
  const linesOf = (out: Outcome | undefined) => [
    { label: t(bank ? 'withdraw.fee' : 'withdraw.networkFee'), value: feeOf(out) ?? UNKNOWN },
    ...(out?.dollars ? [{ label: t('withdraw.afterFee'), value: amountText({ value: out.received, code }, locale) }, { label: t('withdraw.rate'), value: `${priceText(info.payout_rate, undefined, locale)} USD/USDT` }] : []),
    { label: t('withdraw.receive'), value: out ? (out.dollars ? amountText({ value: out.dollars, code: 'USD' }, locale) : amountText({ value: out.received, code }, locale)) : UNKNOWN, total: true },
  ];

  const live: Reviewed | undefined =
    goal && terms && out && sign(out.received) > 0 && field.value
      ? {
          order: {
            currency: bank ? BANK : coin.id,
            amount: wire(field.value),
            arrives: wire(out.dollars ?? out.received),
            password,
            sent,
            otp: user.totp ? otp : undefined,
            notes: notes.trim(),
            to: goal.card === undefined ? { address: goal.id, chain: goal.chain ?? '' } : { card: goal.card },
          },
          goal,
          terms,
          amount: amountText({ value: field.value, code, full: true }, locale),
          lines: linesOf(out),
          young: !bank && isYoung(goal.added, now),
        }
      : undefined;
  const review = useReview(live);
  const { state, busy, run, reset } = useCommit<Sent>('withdrawal', true, () => {
    setPassword('');
    review.close();
  });
  const reasons = busy ? [] : validate({ info, chosen: goal, terms, amount: field.parsed, code, scale, available, password, sent, otp: user.totp ? otp : undefined, now, bank });
  const first = reasons[0];
  const ofAmount = reasons.find(({ text }) => /^(assets\.|errors\.E_AMOUNT|errors\.E_WITHDRAW_LIMIT|funding\.least|transfer\.|withdraw\.underFee)/.test(text));
  // A withdrawal being sent is not kept as input.
  useEffect(() => formDraft.keep(busy ? undefined : { coin: coin.id, bank, typed: field.typed, notes }), [busy, coin.id, bank, field.typed, notes]);
  const send = async (one: Confirmed<Reviewed>) => {
    if (first || busy) return;
    await run(() => withdraw(one), {
      done: async ({ data }) => {
        formDraft.keep(undefined);
        await refreshFunding();
        replace('assets/withdraw/detail', { id: data.id });
      },
      refused,
    });
  };
  const refused = (error: unknown): boolean => {
    if (!(error instanceof Refusal)) return false;
    // Nothing was held. The terms that are read now make the review stale.
    if (error.code === 'E_TERMS') void readInfo(bank ? BANK : coin.id);
    if (error.code.startsWith('E_FUNDPW')) {
      setPassword('');
      setWrong({ password: refusalText(error) });
    } else if (error.code.startsWith('E_2FA')) {
      setOtp('');
      // The field may be missing here, because two-factor was turned on elsewhere.
      if (error.code === 'E_2FA_REQUIRED') void refreshUser();
      setWrong({ otp: refusalText(error) });
    } else if (error.code.startsWith('E_CODE')) {
      setMailed('');
      // The field may be missing here, because the code was switched on elsewhere.
      if (sent === undefined) void refreshUser();
      setWrong({ mailed: refusalText(error) });
    } else return false;
    review.close();
    return true;
  };
  // The closing sheet returns the focus to its button; a wrong input is typed again.
  useEffect(() => (wrong.password ? secret : wrong.otp ? second : undefined)?.current?.focus(), [wrong]);
  const look = () => {
    reset();
    review.open();
  };
  const blocked = () => {
    onBlocked();
    if (ofAmount === undefined) secret.current?.focus();
  };
  const footer = (
    <Button kind="commit" wide loading={busy} reason={online ? first && words(first) : t('withdraw.needsConnection')} onBlocked={blocked} onClick={look}>
      {t('withdraw.review')}
    </Button>
  );
  return (
    <Screen
      help
      title={bank ? t('withdraw.toBank') : t('withdraw.title', { code })}
      footer={footer}
      end={
        <IconLink label={t('records.title')} href={href('assets/record', { tab: 'withdrawals' })}>
          <Icon name={icons.history} />
        </IconLink>
      }
    >
      <div className={shared.form}>
        {bankOpen && (
          <Segment
            label={t('withdraw.to')}
            value={bank ? 'bank' : 'coin'}
            onValue={(way) => replace(way === 'bank' ? 'assets/withdraw/bank/bank' : 'assets/withdraw/index')}
            options={[
              { value: 'coin', label: t('withdraw.toAddress') },
              { value: 'bank', label: t('withdraw.toBank') },
            ]}
          />
        )}
        {info.hold_until_ms !== null && info.hold_until_ms > now && <Note tone="caution">{refusalText(new Refusal('E_COOLDOWN_SECURITY', '', { until_ms: info.hold_until_ms }))}</Note>}
        {!review.shown && <CommitNote state={state} />}
        {picker}
        <Destination goal={goal} bank={bank} coin={coin.id} now={now} />
        <AmountField
          ref={input}
          label={t('assets.amount')}
          field={field}
          unit={code}
          available={available && largest(info, available)}
          aside={t('transfer.available', { amount: amountText({ value: available, code }, locale) })}
          error={shown(ofAmount && words(ofAmount))}
          onBlur={touch}
        />
        {ofAmount?.left && user.review_status2 !== 2 && <TextLink href={href('verification/index')}>{t('withdraw.upgrade')}</TextLink>}
        <Card tight>
          <CostLines lines={linesOf(ofAmount ? undefined : out)} />
          <ul className={css.facts}>
            <li>
              <Icon name={icons.clock} size={18} />
              {t(bank ? 'withdraw.bankTime' : 'withdraw.within', { hours: info.expected_hours })}
            </li>
            {field.value && !ofAmount && (
              <li>
                <Icon name="lock" size={18} />
                {t('withdraw.frozen', { amount: amountText({ value: field.value, code, full: true }, locale) })}
              </li>
            )}
            <li>
              <Icon name={icons.list} size={18} />
              {terms ? t('withdraw.left', { left, max: info.day_count_max, amount: money(terms.min) }) : t('withdraw.leftToday', { left, max: info.day_count_max })}
            </li>
            <li>
              <Icon name={icons.shield} size={18} />
              {t('withdraw.value', { used: amountText({ value: info.day_value, code: 'USDT' }, locale), max: amountText({ value: info.day_value_max, code: 'USDT' }, locale) })}
            </li>
          </ul>
        </Card>
        <Field label={t('withdraw.remark')} aside={t('funding.optional')} placeholder={t('withdraw.remarkText')} maxLength={NOTES} value={notes} onChange={(event) => setNotes(event.target.value)} />
        <FundPasswordField
          ref={secret}
          value={password}
          onValue={(digits) => {
            setPassword(digits);
            setWrong({});
          }}
          error={wrong.password}
        />
        {sent !== undefined && (
          <SentCode
            value={mailed}
            onValue={(digits) => {
              setMailed(digits);
              setWrong({});
            }}
            error={wrong.mailed}
          />
        )}
        {user.totp === 1 && (
          <CodeField
            ref={second}
            label={t('withdraw.otp')}
            value={otp}
            onValue={(text) => {
              setOtp(text);
              setWrong({});
            }}
            error={wrong.otp}
          />
        )}
      </div>
      <ConfirmSheet
        review={review}
        onClose={() => {
          review.close();
          if (state.step === 'refused') reset();
        }}
        state={state}
        busy={busy}
        blocked={online ? first && words(first) : t('withdraw.needsConnection')}
        onSend={(reviewed) => void send(reviewed)}
      />
    </Screen>
  );
}
