import { useState } from 'react';
import { useNewest } from '../../data/positions';
import type { Position } from '../../generated/api';
import { locale, t, useLocale } from '../../lib/i18n';
import { amount, isZero } from '../../lib/money';
import { liquidationOf, netOf } from '../../lib/position';
import { stamp } from '../../lib/time';
import { Button } from '../../ui/Button';
import { amountText, Result } from '../../ui/Figures';
import { ReceiptNumber } from '../../ui/ReceiptNumber';
import { CostLines, StatusChip, type CostLine } from '../../ui/Status';
import { priceAt, quoteOf, sizeText, stateOf, whyText } from '../../ui/positionText';
import { markOf } from './api';
import { cancel } from './cancel';
import { isWaiting, liveOf, stopOf, takeOf } from './position';
import { PositionHead } from './PositionHead';
import { balance, cost, rate, result } from './text';
import css from './Contracts.module.css';

function openLines(position: Position): CostLine[] {
  const code = quoteOf(position);
  const mark = markOf(position.symbol);
  const live = mark && liveOf(position, mark, amount(position.caution_money).scale);
  const liquidation = liquidationOf(position);
  return [
    { label: t('contracts.open'), value: priceAt(position.price) },
    { label: t('contracts.now'), value: priceAt(mark) },
    { label: t('contracts.valueNow'), value: balance(live?.value, code) },
    { label: t('contracts.marginTimes', { multiple: position.multiple }), value: cost(position.caution_money, code) },
    { label: t('contracts.feePaid'), value: cost(position.trade_fee, code) },
    ...(isZero(amount(position.overnight_money)) ? [] : [{ label: t('contracts.overnightPaid'), value: cost(position.overnight_money, code) }]),
    { label: t('contracts.liquidation'), value: liquidation ? priceAt(liquidation) : t('contracts.never') },
    { label: t('contracts.stopLoss'), value: stopOf(position) ? priceAt(stopOf(position)) : t('contracts.none') },
    { label: t('contracts.takeProfit'), value: takeOf(position) ? priceAt(takeOf(position)) : t('contracts.none') },
    { label: t('contracts.profit'), value: result(live?.profit, code), total: true },
  ];
}

function waitingLines(position: Position): CostLine[] {
  const code = quoteOf(position);
  return [
    { label: t('trade.kind.limit'), value: priceAt(position.target_price ?? undefined) },
    { label: t('contracts.held'), value: cost(position.caution_money, code) },
    { label: t('contracts.stopLoss'), value: stopOf(position) ? priceAt(stopOf(position)) : t('contracts.none') },
    { label: t('contracts.takeProfit'), value: takeOf(position) ? priceAt(takeOf(position)) : t('contracts.none') },
    ...(position.expires_ms ? [{ label: t('contracts.expires'), value: <Moment at={position.expires_ms} /> }] : []),
  ];
}

const cancelledLines = (position: Position): CostLine[] => [...waitingLines(position).slice(0, 1), { label: t('contracts.placedAt'), value: <Moment at={position.create_time_ms} /> }];

function Moment({ at }: { at: number }) {
  return <>{stamp(at, useLocale())}</>;
}

/** The result with every decimal, so that the lines add up exactly. */
function closedLines(position: Position): CostLine[] {
  const code = quoteOf(position);
  const exact = (value: string | null, signed = false) => amountText({ value: value ?? undefined, code, full: true, signed }, locale());
  const net = netOf(position);
  return [
    { label: t('contracts.openedAt'), value: <Moment at={position.transaction_time_ms ?? position.create_time_ms} /> },
    { label: t('contracts.open'), value: priceAt(position.price) },
    { label: t('contracts.closedAt'), value: priceAt(position.update_price) },
    { label: t('contracts.marginAtOpen'), value: exact(position.origin_caution_money) },
    { label: t('contracts.resultBefore'), value: exact(position.fact_profits, true) },
    { label: t('contracts.feePaid'), value: exact(position.trade_fee) },
    { label: t(position.reason === 'LIQUIDATION' ? 'contracts.liquidationFee' : 'contracts.closeFeePaid'), value: exact(position.close_fee) },
    ...(isZero(amount(position.overnight_money)) ? [] : [{ label: t('contracts.overnightPaid'), value: exact(position.overnight_money) }]),
    { label: t('contracts.returned'), value: exact(position.returned) },
    { label: t('contracts.net'), value: net ? <Result value={net} code={code} full /> : '—', total: true },
  ];
}

const linesOf = (position: Position) => (position.status === 0 ? waitingLines(position) : position.status === 1 ? openLines(position) : position.status === 3 ? closedLines(position) : cancelledLines(position));

/** One position or order as the server has it. */
export function Receipt({ position: given }: { position: Position }) {
  const language = useLocale();
  const position = useNewest(given);
  const state = stateOf(position);
  const why = whyText(position);
  return (
    <>
      <PositionHead position={position} />
      <div className={css.status}>
        <StatusChip tone={state.tone} {...(position.status === 4 && { icon: 'close' as const })}>
          {state.text}
        </StatusChip>
        <span className="lab t2 num">{stamp(position.complete_time_ms ?? position.create_time_ms, language)}</span>
      </div>
      {why && <p className="lab t2">{why}</p>}
      <CostLines lines={linesOf(position)} />
      <ReceiptNumber id={position.id} of="contract" label={t('trade.number')} copy={t('trade.copyNumber')} share={[`${position.symbol}, ${sizeText(position)}`, state.text]} />
      {position.status === 1 && <p className="cap t3">{t('contracts.nightNote', { rate: rate(position.overnight) })}</p>}
    </>
  );
}

/** Done; cancel while it waits. */
export function ReceiptButtons({ position: given, onDone }: { position: Position; onDone: () => void }) {
  const position = useNewest(given);
  const [busy, setBusy] = useState(false);
  return (
    <>
      {isWaiting(position) && (
        <Button
          loading={busy}
          onClick={async () => {
            setBusy(true);
            await cancel(position);
            setBusy(false);
            onDone();
          }}
        >
          {t('trade.cancelOrder')}
        </Button>
      )}
      <Button kind="commit" onClick={onDone}>
        {t('ui.done')}
      </Button>
    </>
  );
}
