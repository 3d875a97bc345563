import { useEffect, useState } from 'react';
import { useBalance } from '../../data/balances';
import { useCommit } from '../../data/commit';
import { draft as drafts } from '../../data/draft';
import { useFirstUse } from '../../data/firstUse';
import { useOpenOptions, useOptionRecord, type OptionTerms } from '../../data/options';
import { useOpen } from '../../data/pending';
import { usePriceAge } from '../../data/tickers';
import { requireLogin, useLoggedIn, useOwnLimits, useUser } from '../../data/session';
import { useProductContext } from '../../data/productContext';
import type { OptionDuration, OptionOrder, OptionPreset, Pair } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { t, useLocale } from '../../lib/i18n';
import { amount, rescale, type Amount } from '../../lib/money';
import { href } from '../../lib/nav';
import { useReview } from '../../lib/review';
import { clock, serverNow } from '../../lib/time';
import { OPTIONS } from '../../lib/wire';
import { useAmountInput, type Typed } from '../../ui/AmountField';
import { Button, ButtonLink } from '../../ui/Button';
import { Chip, Chips } from '../../ui/Choice';
import { useQuestions } from '../../ui/FirstUse';
import { EmptyState } from '../../ui/ListState';
import { unknownParts } from '../../ui/Outcome';
import { Sheet, type Parts } from '../../ui/Sheet';
import { Arrow } from '../../ui/Status';
import { bought, type buyOption, type Purchase } from './api';
import { reviewParts } from './BuyReview';
import { Costs, Total } from './Costs';
import { DIRECTIONS, ownLimits, payoutRate, recordOf, SIDE, stakeCoin, validate, type Direction, type Draft, type Reason, type OrderContext, type StakeCoin } from './model';
import { presets, Stake } from './Stake';
import { lengthText, percentText, reasonText, sideText } from './text';
import css from './Option.module.css';

/** The request, and the terms it was reviewed with. */
export interface Reviewed extends Purchase {
  pair: string;
  coin: StakeCoin;
  duration: OptionDuration;
}

const kept = drafts<{ seconds: number; coin: number; stake: Typed }>();
const KEY = 'option';
const COLOUR = { 1: css.up, 2: css.down, 0: '' };

interface Props {
  open: boolean;
  onClose: () => void;
  pair: Pair;
  terms: OptionTerms;
  direction: Direction;
  onDirection: (direction: Direction) => void;
  /** The receipt of a purchase; its code belongs to the tab. */
  receiptParts: (option: OptionOrder, onDone: () => void) => Parts;
}

/** Risk text first, then form, review and receipt: one sheet that changes in place. */
export default function BuySheet(props: Props) {
  const { open, onClose, pair } = props;
  useLocale();
  const first = useFirstUse('option');
  const questions = useQuestions('option', first.text, first.accept);
  const user = useUser().data;
  const loggedIn = useLoggedIn();
  const buying = useBuying(props, user?.review_status === 2);
  const parts: Parts = user && user.review_status !== 2 ? identityParts(pair.symbol) : loggedIn && first.needed ? questions : buying;
  return <Sheet open={open} onClose={onClose} {...parts} />;
}

function identityParts(symbol: string): Parts {
  return {
    title: t('options.sheet', { symbol }),
    footer: null,
    children: (
      <EmptyState icon="lock" title={t('errors.E_KYC_BASIC')} text={t('options.identityText')}>
        <ButtonLink kind="commit" small href={href('verification/index')}>
          {t('menu.identity')}
        </ButtonLink>
      </EmptyState>
    ),
  };
}

function useOrderContext(pair: Pair, coin: StakeCoin | undefined, verified: boolean): OrderContext {
  const context = useProductContext('option');
  const { stale } = usePriceAge(pair.symbol);
  const wallet = useBalance(OPTIONS, coin?.id);
  const limits = useOwnLimits().data;
  const running = (useOpenOptions().data ?? []).filter(({ status }) => status === 1);
  return {
    ...context,
    open: context.open && pair.open_microtrade === 1,
    verified,
    stale,
    available: wallet && amount(wallet.avail),
    running: running.length,
    own: limits ? ownLimits(limits, serverNow()) : { paused: false },
  };
}

const NONE: Parts = { title: '', children: null, footer: null };

function useBuying({ open, onClose, pair, terms, direction, onDirection, receiptParts }: Props, verified: boolean): Parts {
  const [before] = useState(() => kept.read(KEY));
  const [seconds, setSeconds] = useState(before?.seconds);
  const [coinId, setCoinId] = useState(before?.coin);
  const [sure, setSure] = useState<number>();
  const [receipt, setReceipt] = useState<OptionOrder>();
  const offered = terms.coins.find(({ id }) => id === coinId) ?? terms.coins.find(({ id }) => id === pair.legal_id) ?? terms.coins[0];
  const coin = offered && stakeCoin(offered);
  const duration = terms.durations.find((one) => one.seconds === seconds);
  const scale = coin ? amount(coin.min).scale : 0;
  const form = useAmountInput(scale, before?.stake);
  const { field } = form;
  const context = useOrderContext(pair, coin, verified);
  const commit = useCommit<Awaited<ReturnType<typeof buyOption>>>('option', open, onClose);
  const waiting = useOpen('option') !== undefined;
  const stake = field.value && rescale(field.value, scale);
  const live: Reviewed | undefined = coin && duration && stake && { match_id: pair.match_id, pair: pair.symbol, currency_id: coin.id, direction, seconds: duration.seconds, stake, rule: duration.rule, coin, duration };
  const review = useReview(live);
  useEffect(() => {
    // A purchase being sent is not kept as input.
    if (seconds !== undefined && coin?.id !== undefined) kept.keep({ seconds, coin: coin.id, stake: waiting ? { ...field.typed, text: '' } : field.typed }, KEY);
  }, [seconds, coin?.id, field.typed, waiting]);
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setReceipt(undefined);
    else review.close();
  }
  const onDone = (option: OptionOrder) => {
    bought(option);
    form.clear();
    review.close();
    setReceipt(option);
  };
  if (receipt) return receiptParts(receipt, onClose);
  if (commit.state.step === 'unknown') return unknownParts(t('trade.unknownText'), commit.state.key, onClose);
  if (!offered || !coin) return NONE;
  if (review.shown && review.value) return reviewParts(review.value, { onDone, review, commit, context, sure, onSure: setSure });
  const draft: Draft = { direction, duration, coin, stake: field.parsed };
  const reasons = validate(draft, context);
  const choose = { onDirection, onSeconds: setSeconds, onCoin: setCoinId, onReview: review.open };
  return formParts({ draft, numbers: offered.micro_numbers, form, stake, pair, terms, reasons, context, ...choose });
}

interface FormProps {
  draft: Draft;
  /** Stakes to choose from. */
  numbers: readonly OptionPreset[];
  form: ReturnType<typeof useAmountInput>;
  stake: Amount | undefined;
  pair: Pair;
  terms: OptionTerms;
  reasons: readonly Reason[];
  context: OrderContext;
  onDirection: (direction: Direction) => void;
  onSeconds: (seconds: number) => void;
  onCoin: (coin: number) => void;
  onReview: () => void;
}

function formParts({ draft, numbers, form, stake, pair, terms, reasons, context, onDirection, onSeconds, onCoin, onReview }: FormProps): Parts {
  const { direction, duration, coin } = draft;
  const { field, input, touch } = form;
  const side = SIDE[direction];
  const reason = reasons[0];
  const complaint = reasons.find((one) => one.field === 'stake' && one.name !== 'empty');
  const blocked = () => (reason?.field === 'duration' ? document.getElementById(ENDS)?.querySelector('button')?.focus() : form.onBlocked());
  return {
    title: t('options.sheet', { symbol: pair.symbol }),
    footer: (
      <div className={css.commit}>
        {duration && stake && stake.units !== 0n && <Total direction={direction} stake={stake} duration={duration} coin={coin} />}
        {reason?.name === 'guest' ? (
          <Button kind="commit" wide onClick={() => requireLogin()}>
            {t('trade.reason.guest')}
          </Button>
        ) : (
          <Button kind={side === 'even' ? 'commit' : side} wide reason={reason && reasonText(reason, draft, pair.symbol)} onBlocked={blocked} onClick={onReview}>
            {t('options.review', { direction: sideText(direction) })}
          </Button>
        )}
      </div>
    ),
    children: (
      <>
        <Directions duration={duration} direction={direction} onDirection={onDirection} />
        <Ends durations={terms.durations} duration={duration} onSeconds={onSeconds} />
        {terms.coins.length > 1 && (
          <div className={css.coins}>
            <Chips label={t('options.stakeIn')}>
              {terms.coins.map((one) => (
                <Chip key={one.id} on={one.id === coin.id} onClick={() => onCoin(one.id)}>
                  {one.name}
                </Chip>
              ))}
            </Chips>
          </div>
        )}
        <Stake draft={draft} presets={presets(draft, numbers)} field={field} input={input} onBlur={touch} available={context.available} short={reasons.some(({ name }) => name === 'insufficient')} error={form.shown(complaint && reasonText(complaint, draft, pair.symbol))} />
        {duration && <Live draft={draft} duration={duration} stake={stake} pair={pair} available={context.available} />}
      </>
    ),
  };
}

const ENDS = 'option-ends';

function Directions({ duration, direction, onDirection }: { duration: OptionDuration | undefined; direction: Direction; onDirection: (direction: Direction) => void }) {
  return (
    <div className={css.trio} role="group" aria-label={t('options.side')}>
      {DIRECTIONS.map((one) => (
        <button key={one} type="button" className={`${css.side} ${COLOUR[one]}`} aria-pressed={one === direction} onClick={() => onDirection(one)}>
          <b>
            <Arrow direction={SIDE[one]} />
            {sideText(one)}
          </b>
          {duration && <small className="num">{t('options.pays', { percent: percentText(payoutRate(duration, one)) })}</small>}
        </button>
      ))}
    </div>
  );
}

function Ends({ durations, duration, onSeconds }: { durations: readonly OptionDuration[]; duration: OptionDuration | undefined; onSeconds: (seconds: number) => void }) {
  const locale = useLocale();
  useNow(1_000);
  return (
    <div id={ENDS} className={css.ends}>
      <div className={`lab flex between ${css.head}`}>
        <span className="m t2">
          {t('options.endsAfter')}
        </span>
        {duration && <span className="t3 num">{t('options.delivery', { time: clock(serverNow() + duration.seconds * 1000, locale, true) })}</span>}
      </div>
      <Chips label={t('options.endsAfter')}>
        {durations.map((one) => (
          <Chip key={one.seconds} on={one.seconds === duration?.seconds} onClick={() => onSeconds(one.seconds)}>
            {lengthText(one.seconds)}
          </Chip>
        ))}
      </Chips>
    </div>
  );
}

/** Cost and payout, updated while typing. */
function Live({ draft, duration, stake, pair, available }: { draft: Draft; duration: OptionDuration; stake: Amount | undefined; pair: Pair; available: Amount | undefined }) {
  const record = useOptionRecord(draft.coin.id).data;
  if (!stake || stake.units === 0n) return null;
  return <Costs direction={draft.direction} stake={stake} duration={duration} coin={draft.coin} price={pair.index_price} available={available} record={record && recordOf(record)} />;
}
