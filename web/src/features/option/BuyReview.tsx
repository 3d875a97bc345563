import type { useCommit } from '../../data/commit';
import { readTerms, useOptionRecord } from '../../data/options';
import type { OptionOrder } from '../../generated/api';
import { refresh } from '../../data/query';
import { OWN_LIMITS, requireLogin } from '../../data/session';
import { useTicker } from '../../data/tickers';
import { t, useLocale } from '../../lib/i18n';
import { useNow } from '../../lib/clock';
import { Refusal } from '../../lib/errors';
import type { Amount } from '../../lib/money';
import type { Review } from '../../lib/review';
import { clock, serverNow } from '../../lib/time';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Choice';
import { CoinDisc } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import { OptionSide } from '../../ui/OptionRow';
import { RefusedNote } from '../../ui/Outcome';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import type { Parts } from '../../ui/Sheet';
import { buyOption } from './api';
import type { Reviewed } from './BuySheet';
import { Costs, Total } from './Costs';
import { isLarge, quote, recordOf, SIDE, validate, type OrderContext } from './model';
import { costText, lengthText, reasonText, sideText } from './text';
import css from './Option.module.css';

interface Props {
  onDone: (option: OptionOrder) => void;
  review: Review<Reviewed>;
  commit: ReturnType<typeof useCommit<Awaited<ReturnType<typeof buyOption>>>>;
  context: OrderContext;
  /** The version of the review for which the box of a large stake was ticked. */
  sure: number | undefined;
  onSure: (look: number | undefined) => void;
}

/** Terms and limits that have just changed are read again; the review then says so. */
function lookAgain(error: unknown): boolean {
  if (error instanceof Refusal && error.code === 'E_TERMS') void readTerms();
  if (error instanceof Refusal && error.code === 'E_SELF_LIMIT') void refresh(OWN_LIMITS);
  return false;
}

/** The review before the purchase: exactly what it shows is sent, whatever changes meanwhile. */
export function reviewParts(reviewed: Reviewed, { onDone, review, commit, context, sure, onSure }: Props): Parts {
  const { direction, stake, duration, coin, pair } = reviewed;
  const { busy, state, run } = commit;
  const { cost } = quote(stake, duration.profit_ratio, coin.feeRate);
  const large = isLarge(stake, context.available);
  const draft = { direction, duration, coin, stake: { ok: true as const, value: stake } };
  const first = validate(draft, context)[0];
  const untold = large && sure !== review.look ? t('trade.tickFirst') : undefined;
  const reason = first ? reasonText(first, draft, pair) : (staleReason(review) ?? untold);
  const side = SIDE[direction];
  const buy = t('options.buy', { direction: sideText(direction), amount: costText(cost, coin.code) });
  return {
    title: t('trade.check'),
    onBack: busy ? undefined : review.close,
    children: (
      <>
        <ReviewNote review={review} busy={busy} />
        <RefusedNote state={state} />
        <What reviewed={reviewed} available={context.available} />
        {large && (
          <Checkbox checked={sure === review.look} onChange={(event) => onSure(event.target.checked ? review.look : undefined)}>
            {t('options.large', { amount: costText(cost, coin.code) })}
          </Checkbox>
        )}
      </>
    ),
    footer: (
      <div className={css.commit}>
        <Total {...reviewed} />
        {first?.name === 'guest' ? (
          <Button kind="commit" wide onClick={() => requireLogin()}>
            {t('trade.reason.guest')}
          </Button>
        ) : (
          <Button kind={side === 'even' ? 'commit' : side} wide loading={busy} reason={busy ? undefined : reason} onClick={() => review.confirm((one) => run(() => buyOption(one), { done: ({ message }) => onDone(message), refused: lookAgain }))}>
            {buy}
          </Button>
        )}
        <p className={`cap t3 ${css.final}`}>
          <Icon name="lock" size={14} />
          {t('options.noCancel')}
        </p>
      </div>
    ),
  };
}

/** What would be bought, at the reviewed costs; the clock and the price keep moving. */
function What({ reviewed, available }: { reviewed: Reviewed; available: Amount | undefined }) {
  const locale = useLocale();
  useNow(1_000);
  const { direction, stake, duration, coin, pair } = reviewed;
  const price = useTicker(pair)?.index_price ?? null;
  const record = useOptionRecord(coin.id).data;
  return (
    <>
      <div className={css.what}>
        <CoinDisc code={pair.split('/')[0] ?? ''} />
        <div className="grow">
          <div className="b">{pair}</div>
          <div className="lab t2 num">
            {lengthText(duration.seconds)}. {t('options.delivery', { time: clock(serverNow() + duration.seconds * 1000, locale, true) })}
          </div>
        </div>
        <OptionSide type={direction} />
      </div>
      <Costs direction={direction} stake={stake} duration={duration} coin={coin} price={price} available={available} record={record && recordOf(record)} />
    </>
  );
}
