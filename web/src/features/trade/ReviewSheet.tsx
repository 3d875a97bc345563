import { useEffect, useEffectEvent, useState } from 'react';
import { t } from '../../lib/i18n';
import { abs, amount, cmp, mul, sub, wire, type Amount } from '../../lib/money';
import { Refusal, refusalText } from '../../lib/refusal';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Choice';
import { CoinDisc } from '../../ui/Figures';
import { Sheet } from '../../ui/Sheet';
import { CostLines, Note, SideTag } from '../../ui/Status';
import { placedLater, placeOrder, type Placed } from './api';
import { reviewLines } from './lines';
import { validate, type Standing } from './model';
import { byFunds, crosses, distance, estimate, toParams, type Distance, type Draft, type Estimate, type Market } from './order';
import { Receipt, ReceiptButtons } from './Receipt';
import { costText, kindText, quantityText, rawText, reasonText } from './text';
import css from './Trade.module.css';

const POLL = 5_000;
const SETTLE = 1_000;

/** Whether the figure has moved by more than 0.1 % since it was last looked at, and whether that was just now. */
function useMoved(figure: Amount | undefined): { moved: boolean; just: boolean } {
  const [seen, setSeen] = useState<{ figure: Amount | undefined; moves: number }>({ figure: undefined, moves: 0 });
  const [calm, setCalm] = useState(0);
  const far = seen.figure && figure && cmp(mul(abs(sub(figure, seen.figure)), amount('1000')), abs(seen.figure)) > 0;
  if (!figure && seen.figure) setSeen({ figure: undefined, moves: 0 });
  else if (figure && (far || !seen.figure)) setSeen({ figure, moves: far ? seen.moves + 1 : 0 });
  useEffect(() => {
    const timer = setTimeout(() => setCalm(seen.moves), SETTLE);
    return () => clearTimeout(timer);
  }, [seen.moves]);
  return { moved: seen.moves > 0, just: seen.moves > 0 && calm !== seen.moves };
}

/** While the outcome is not known: asks again with the same key until it is. */
function useResend(refusal: Refusal | undefined, onAnswer: (answer: unknown) => void, onRefusal: (error: unknown) => void) {
  const answered = useEffectEvent(onAnswer);
  const refused = useEffectEvent(onRefusal);
  useEffect(() => {
    const resend = refusal?.resend;
    if (!resend) return;
    let over = false;
    const ask = async () => {
      try {
        const answer = await resend();
        if (!over) answered(answer);
      } catch (error) {
        if (error instanceof Refusal && error.resend) timer = setTimeout(ask, POLL);
        else if (!over) refused(error);
      }
    };
    let timer = setTimeout(ask, POLL);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [refusal]);
}

/** "Buy 0.0100 BTC", "Buy BTC for 100.00 USDT". */
function actionText(draft: Draft, market: Market): string {
  const size = draft.size.ok ? draft.size.value : undefined;
  if (byFunds(draft)) return t('trade.order.buyFor', { base: market.base.code, amount: costText(size, market.quote.code) });
  return t(draft.side === 'buy' ? 'trade.order.buy' : 'trade.order.sell', { amount: quantityText(size, market.base.code) });
}

/** What may surprise: a price that moves, an order that waits. */
function caution(draft: Draft, market: Market, cost: Estimate, gap: Distance | undefined): string | undefined {
  if (draft.kind === 'market') return t(cost.partial ? 'trade.partial' : 'trade.mayMove');
  if (draft.kind === 'stop_limit') return t('trade.stopCaution');
  if (crosses(draft, market)) return undefined;
  if (draft.tif === 'ioc' || draft.tif === 'fok') return t('trade.noMatchNow');
  if (!gap || gap.by.units === 0n) return t('trade.waits');
  return t(gap.below ? 'trade.waitsBelow' : 'trade.waitsAbove', { distance: rawText(wire(gap.by)) });
}

interface CheckProps {
  draft: Draft;
  market: Market;
  cost: Estimate;
  available: Amount | undefined;
  updated: boolean;
  ticked: boolean;
  onTick: (on: boolean) => void;
}

function Check({ draft, market, cost, available, updated, ticked, onTick }: CheckProps) {
  const gap = distance(draft, market);
  const price = draft.price.ok ? `${rawText(wire(draft.price.value))}\u00a0${market.quote.code}` : '';
  const note = caution(draft, market, cost, gap);
  return (
    <>
      <div className={css.what}>
        <CoinDisc code={market.base.code} />
        <div className="grow">
          <div className="b">{actionText(draft, market)}</div>
          <div className="lab t2 num">{draft.kind === 'market' ? kindText(draft.kind) : t('trade.order.at', { kind: kindText(draft.kind), price })}</div>
        </div>
        <SideTag direction={draft.side === 'buy' ? 'up' : 'down'}>{t(draft.side === 'buy' ? 'trade.buy' : 'trade.sell')}</SideTag>
      </div>
      {note && <Note tone="caution">{note}</Note>}
      <CostLines lines={reviewLines(draft, market, cost, available, updated ? t('trade.updated') : undefined)} />
      {gap?.fat && (
        <Checkbox checked={ticked} onChange={(event) => onTick(event.target.checked)}>
          {t('trade.fat', { price })}
        </Checkbox>
      )}
    </>
  );
}

type Step = { name: 'check'; error?: string } | { name: 'sending' } | { name: 'unknown'; refusal: Refusal } | { name: 'receipt'; placed: Placed };

interface Props {
  open: boolean;
  onClose: () => void;
  onPlaced: () => void;
  draft: Draft;
  market: Market;
  standing: Standing;
}

/** Check, place, receipt: one sheet that changes in place. */
export function ReviewSheet({ open, onClose, onPlaced, draft, market, standing }: Props) {
  const [step, setStep] = useState<Step>({ name: 'check' });
  const [ticked, setTicked] = useState(false);
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    // An unknown outcome stays on the sheet until it is known.
    if (open && step.name !== 'unknown') {
      setStep({ name: 'check' });
      setTicked(false);
    }
  }
  const cost = estimate(draft, market);
  const { moved, just } = useMoved(open && draft.kind === 'market' ? (cost?.receive ?? undefined) : undefined);

  const placed = (result: Placed) => {
    setStep({ name: 'receipt', placed: result });
    onPlaced();
  };
  const refused = (error: unknown) =>
    setStep(error instanceof Refusal && error.resend ? { name: 'unknown', refusal: error } : { name: 'check', error: refusalText(error) });
  useResend(step.name === 'unknown' ? step.refusal : undefined, (answer) => placed(placedLater(answer)), refused);
  const place = async () => {
    setStep({ name: 'sending' });
    try {
      placed(await placeOrder(toParams(draft, market)));
    } catch (error) {
      refused(error);
    }
  };

  if (step.name === 'receipt') {
    return (
      <Sheet open={open} onClose={onClose} title={t('trade.receipt')} footer={<ReceiptButtons id={step.placed.order.id} onDone={onClose} />}>
        <Receipt id={step.placed.order.id} initial={step.placed} />
      </Sheet>
    );
  }
  if (step.name === 'unknown') {
    return (
      <Sheet
        open={open}
        onClose={onClose}
        title={t('trade.unknownTitle')}
        footer={
          <Button kind="quiet" onClick={onClose}>
            {t('ui.close')}
          </Button>
        }
      >
        <div className={css.refused}>
          <Note tone="caution" icon="clock">
            {t('trade.unknownText')}
          </Note>
        </div>
        <p className="lab t2 code">{t('trade.request', { key: String(step.refusal.data.key ?? '') })}</p>
      </Sheet>
    );
  }
  const first = validate(draft, market, standing)[0];
  const untold = distance(draft, market)?.fat && !ticked ? t('trade.tickFirst') : undefined;
  const reason = first ? reasonText(first, draft, market) : (untold ?? (just ? t('trade.lookAgain') : undefined));
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('trade.check')}
      footer={
        <>
          <Button onClick={onClose}>{t('trade.edit')}</Button>
          <Button kind={draft.side === 'buy' ? 'up' : 'down'} loading={step.name === 'sending'} reason={reason} onClick={() => void place()}>
            {actionText(draft, market)}
          </Button>
        </>
      }
    >
      {step.name === 'check' && step.error && (
        <div role="alert" className={css.refused}>
          <Note tone="danger">{step.error}</Note>
        </div>
      )}
      {cost && <Check draft={draft} market={market} cost={cost} available={standing.available} updated={moved} ticked={ticked} onTick={setTicked} />}
    </Sheet>
  );
}
