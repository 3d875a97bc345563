import { useEffect, useEffectEvent, useState } from 'react';
import { useCommit } from '../../data/commit';
import { settledPosition, useNewest } from '../../data/positions';
import { usePriceAge } from '../../data/tickers';
import type { Position } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { t, useLocale } from '../../lib/i18n';
import { amount, sub, type Amount } from '../../lib/money';
import { useMoved } from '../../lib/moved';
import { useOpenReview } from '../../lib/review';
import { Button } from '../../ui/Button';
import { amountText, Result } from '../../ui/Figures';
import { RefusedNote, unknownParts } from '../../ui/Outcome';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import { Sheet } from '../../ui/Sheet';
import { CostLines, Note } from '../../ui/Status';
import { lotsText, priceAt, quoteOf } from '../../ui/positionText';
import { closeContract } from './api';
import { closeResult, closingOf, type CloseNow } from './position';
import { PositionHead } from './PositionHead';
import { Receipt } from './Receipt';
import { priceOf, type Market } from './terms';
import { rate } from './text';
import css from './Contracts.module.css';

interface Props {
  open: boolean;
  onClose: () => void;
  position: Position;
  market: Market | undefined;
}

/**
 * If the price jumps by more than one part in so many, the person reviews again before the tap counts; smaller moves are normal for a
 * close.
 */
const JUMP = amount('100');

/** What closing would bring now; every decimal of what is added, so that the lines add up. */
export function Now({ code, market, position, found }: { code: string; market: Market; position: Position; found: CloseNow | undefined }) {
  const locale = useLocale();
  const exact = (value: Amount | undefined) => amountText({ value, code, full: true }, locale);
  return (
    <CostLines
      lines={[
        { label: t('contracts.closePrice', { spread: rate(position.spread) }), value: found ? priceAt(priceOf(found.price, market.tick)) : '—' },
        { label: t('contracts.resultBefore'), value: found ? <Result value={found.result} code={code} full /> : '—' },
        { label: t('contracts.closeFee', { rate: rate(position.fee_rate) }), value: exact(found?.fee) },
        { label: t('contracts.resultAfter'), value: found ? <Result value={sub(found.result, found.fee)} code={code} full /> : '—' },
        { label: t('contracts.back'), value: exact(found?.returned), total: true },
      ]}
    />
  );
}

/**
 * Closes a whole position after one confirmation: the reviewed one, with its lots and margin, at the present price. Without a live
 * price it waits for the next one.
 */
export default function CloseSheet({ open, onClose, position: given, market }: Props) {
  const newest = useNewest(given);
  const review = useOpenReview(closingOf(newest), open);
  const position: Position = { ...newest, ...review.value };
  const { stale } = usePriceAge(position.symbol);
  const { state, busy, run } = useCommit<Awaited<ReturnType<typeof closeContract>>>('contractClose', open, onClose);
  const found = market?.mark === undefined ? undefined : closeResult(position, market, market.mark);
  const { just } = useMoved(open && market && found ? priceOf(found.price, market.tick) : undefined, JUMP);
  // The version of the review that is sent at the next price.
  const [waitsFor, setWaitsFor] = useState<number>();
  const waits = waitsFor === review.look && !review.stale;
  const closed: Position | undefined = state.step === 'done' ? state.result.data.position : undefined;
  const send = () => {
    const wait = () => setWaitsFor(review.look);
    if (stale) return wait();
    setWaitsFor(undefined);
    review.confirm((one) => run(() => closeContract(one), { done: ({ data }) => settledPosition(data.position), refused: (error) => error instanceof Refusal && error.code === 'E_PRICE_STALE' && (wait(), true) }));
  };
  const next = useEffectEvent(() => send());
  useEffect(() => {
    if (!waits || stale || !open) return;
    const timer = setTimeout(() => next());
    return () => clearTimeout(timer);
  }, [waits, stale, open]);
  const leave = () => {
    setWaitsFor(undefined);
    onClose();
  };

  if (closed) {
    return (
      <Sheet open={open} onClose={leave} title={t('contracts.closedTitle')} footer={<Button kind="commit" wide onClick={leave}>{t('ui.done')}</Button>}>
        <Receipt position={closed} />
      </Sheet>
    );
  }
  if (state.step === 'unknown') return <Sheet open={open} onClose={leave} {...unknownParts(t('contracts.closeUnknown'), state.key, leave)} />;
  const lots = lotsText(position.share);
  return (
    <Sheet
      open={open}
      onClose={leave}
      title={t('contracts.closeTitle', { lots })}
      footer={
        <>
          <Button onClick={leave}>{t('ui.cancel')}</Button>
          {(busy || !review.gone) && (
            <Button kind="commit" loading={busy || waits} reason={busy || waits ? undefined : (staleReason(review) ?? (just ? t('trade.lookAgain') : undefined))} onClick={send}>
              {t(waits ? 'contracts.closesNext' : 'contracts.closeLots', { lots })}
            </Button>
          )}
        </>
      }
    >
      <PositionHead position={position} />
      <ReviewNote review={review} busy={busy} className={css.gap} />
      <RefusedNote state={state} className={css.gap} />
      {(stale || waits) && !review.gone && (
        <div className={css.gap} role="status">
          <Note tone="caution">{t('contracts.closesNext')}</Note>
        </div>
      )}
      {market ? <Now code={quoteOf(position)} market={market} position={position} found={found} /> : null}
      <p className="cap t2">{t('contracts.closeNote')}</p>
    </Sheet>
  );
}
