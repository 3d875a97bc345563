import { useState } from 'react';
import { useCommit } from '../../data/commit';
import { useOpen } from '../../data/pending';
import { settledPosition } from '../../data/positions';
import { requireLogin } from '../../data/session';
import { usePriceAge } from '../../data/tickers';
import type { Pair, Position } from '../../generated/api';
import { t } from '../../lib/i18n';
import { useMoved } from '../../lib/moved';
import type { Side } from '../../lib/position';
import { href } from '../../lib/nav';
import { useReview } from '../../lib/review';
import { Button, ButtonLink } from '../../ui/Button';
import { Checkbox } from '../../ui/Choice';
import { CoinDisc } from '../../ui/Figures';
import { RefusedNote, unknownParts } from '../../ui/Outcome';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import { Sheet } from '../../ui/Sheet';
import { CostLines, Note, SideTag } from '../../ui/Status';
import { lotsText, priceAt, sideText } from '../../ui/positionText';
import { openContract, type Opening } from './api';
import { estimate, isBold, lotsOf, toParams, validate, type Draft, type Estimate, type OrderContext } from './order';
import { OrderForm, useInputs } from './OrderForm';
import { costLines, Outcome } from './outcome';
import { Receipt, ReceiptButtons } from './Receipt';
import { under, type Market } from './terms';
import { balance, reasonText } from './text';
import { usedMultiple, useOrderForm, useOrderContext } from './useOrder';
import css from './Contracts.module.css';

const action = (draft: Draft) => t(draft.side === 'long' ? 'contracts.openLongLots' : 'contracts.openShortLots', { lots: lotsText(lotsOf(draft)) });

const triggerText = (trigger: Draft['stop']) => (trigger !== 'none' && trigger.ok ? priceAt(trigger.value) : t('contracts.none'));

interface CheckProps {
  draft: Draft;
  market: Market;
  cost: Estimate;
  context: OrderContext;
  updated: boolean;
  ticked: boolean;
  onTick: (on: boolean) => void;
}

/** The review: the worst case first, then every cost. */
function Check({ draft, market, cost, context, updated, ticked, onTick }: CheckProps) {
  const caution = !cost.entry.waits ? 'contracts.cautionMarket' : draft.side === 'short' ? 'contracts.cautionShortLimit' : 'contracts.cautionLimit';
  return (
    <>
      <div className={css.what}>
        <CoinDisc code={market.base.code} />
        <div className="grow">
          <div className="b">{action(draft)}</div>
          <div className="lab t2 num">{`${market.symbol}, ${t(`trade.kind.${draft.kind}`)}`}</div>
        </div>
        <SideTag direction={draft.side === 'long' ? 'up' : 'down'}>{sideText(draft.side, draft.multiple)}</SideTag>
      </div>
      <Outcome draft={draft} cost={cost} market={market} />
      <div className={css.note}>
        <Note tone="caution">{t(caution, { all: balance(context.available, market.quote.code) })}</Note>
      </div>
      <CostLines
        lines={[
          ...costLines(draft, cost, market, updated ? t('trade.updated') : undefined),
          { label: t('contracts.stopLoss'), value: triggerText(draft.stop) },
          { label: t('contracts.takeProfit'), value: triggerText(draft.profit) },
        ]}
      />
      {isBold(draft, cost, context.available) && (
        <Checkbox checked={ticked} onChange={(event) => onTick(event.target.checked)}>
          {t('contracts.bold')}
        </Checkbox>
      )}
    </>
  );
}

interface Props {
  open: boolean;
  onClose: () => void;
  pair: Pair;
  market: Market;
  side: Side;
}

/** Form, review and receipt of one order, in one sheet that changes in place. */
export default function OrderSheet({ open, onClose, pair, market, side }: Props) {
  const { stale } = usePriceAge(market.symbol);
  const [held, setHeld] = useState(false);
  const fields = useOrderForm(market, side, held);
  const { draft } = fields;
  const context = useOrderContext(pair, market, stale);
  const review = useReview<Opening>({ base: market.base.id, quote: market.quote.id, draft, rules: market.rules });
  const { state, busy, run, reset } = useCommit<Awaited<ReturnType<typeof openContract>>>('contract', open, onClose);
  const waiting = useOpen('contract') !== undefined;
  const [submitted, setSubmitted] = useState(false);
  const [sure, setSure] = useState<number>();
  const inputs = useInputs();
  if (held !== review.shown) setHeld(review.shown);
  const placed: Position | undefined = state.step === 'done' ? state.result.data.position : undefined;
  const done = ({ data: { position } }: Awaited<ReturnType<typeof openContract>>) => {
    settledPosition(position);
    usedMultiple(position.multiple);
    fields.clear();
    review.close();
  };

  const looked = review.shown ? review.value : undefined;
  const shown = looked?.draft ?? draft;
  const frozen = looked ? under(market, looked.rules) : market;
  const cost = estimate(shown, frozen);
  const { moved, just } = useMoved(open && review.shown && shown.kind === 'market' ? cost?.lose : undefined);
  const close = () => {
    review.close();
    onClose();
  };

  if (placed) {
    return (
      <Sheet open={open} onClose={close} title={t('contracts.receipt')} footer={<ReceiptButtons position={placed} onDone={close} />}>
        <Receipt position={placed} />
      </Sheet>
    );
  }
  if (state.step === 'unknown') return <Sheet open={open} onClose={close} {...unknownParts(t('trade.unknownText'), state.key, close)} />;
  const first = validate(shown, market, context)[0];
  const tone = shown.side === 'long' ? 'up' : 'down';
  // The obstacle is the person's status and not their input, so the button leads on.
  const wayOn =
    first?.name === 'guest' ? (
      <Button kind="commit" wide onClick={() => requireLogin()}>
        {t('trade.reason.guest')}
      </Button>
    ) : first?.name === 'unknown' ? (
      <ButtonLink kind="commit" wide href={href('verification/index')}>
        {t('errors.E_KYC_BASIC')}
      </ButtonLink>
    ) : undefined;
  if (review.shown && cost) {
    const ticked = sure === review.look;
    const untold = isBold(shown, cost, context.available) && !ticked ? t('contracts.tickFirst') : undefined;
    const reason = first ? reasonText(first, market) : (staleReason(review) ?? untold ?? (just ? t('trade.lookAgain') : undefined));
    return (
      <Sheet
        open={open}
        onClose={close}
        onBack={busy ? undefined : review.close}
        title={t('trade.check')}
        footer={
          wayOn ?? (
            <Button kind={tone} wide loading={busy} reason={busy ? undefined : reason} onClick={() => review.confirm((one) => run(() => openContract(one, toParams(one.draft)), { done }))}>
              {action(shown)}
            </Button>
          )
        }
      >
        <ReviewNote review={review} busy={busy} className={css.gap} />
        <RefusedNote state={state} className={css.gap} />
        <Check draft={shown} market={frozen} cost={cost} context={context} updated={moved} ticked={ticked} onTick={(on) => setSure(on ? review.look : undefined)} />
      </Sheet>
    );
  }
  const blocked = () => {
    setSubmitted(true);
    const field = validate(draft, market, context).find((one) => one.field)?.field;
    if (field && field !== 'multiple') inputs[`${field}Ref`].current?.focus();
  };
  return (
    <Sheet
      open={open}
      onClose={close}
      title={
        <>
          {market.symbol} <span className="lab t2 num">{priceAt(pair.index_price ?? undefined)}</span>
        </>
      }
      footer={
        wayOn ?? (
          <Button
            kind={tone}
            wide
            reason={waiting ? t('errors.E_OUTCOME_UNKNOWN') : first && reasonText(first, market)}
            onBlocked={blocked}
            onClick={() => {
              reset();
              review.open();
            }}
          >
            {t(draft.side === 'long' ? 'contracts.reviewLong' : 'contracts.reviewShort', { lots: lotsText(lotsOf(draft)) })}
          </Button>
        )
      }
    >
      <OrderForm fields={fields} market={market} context={context} submitted={submitted} inputs={inputs} />
    </Sheet>
  );
}
