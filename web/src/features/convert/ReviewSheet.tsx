import { useState } from 'react';
import type { useCommit } from '../../data/commit';
import type { FlashQuote, FlashRow } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { t, useLocale } from '../../lib/i18n';
import type { Amount } from '../../lib/money';
import { useOnline } from '../../lib/online';
import { stamp } from '../../lib/time';
import { Button } from '../../ui/Button';
import { amountText } from '../../ui/Figures';
import * as icons from '../../ui/icons';
import { ReceiptNumber } from '../../ui/ReceiptNumber';
import { RefusedNote, unknownParts } from '../../ui/Outcome';
import { Sheet } from '../../ui/Sheet';
import { CostLines, Note, StatusChip, type CostLine } from '../../ui/Status';
import { acceptQuote } from './api';
import { Held } from './Held';
import { costsOf, type Convertible } from './model';
import { balanceText, costLines, costText, leftText } from './text';
import css from './Convert.module.css';

export type Accepting = ReturnType<typeof useCommit<Awaited<ReturnType<typeof acceptQuote>>>>;

/** What an accepted quote brought, and what it cost. */
export function Receipt({ row, lines }: { row: FlashRow; lines: readonly CostLine[] }) {
  const locale = useLocale();
  return (
    <>
      <div className={css.head} role="status">
        <StatusChip tone="done">{t('convert.done')}</StatusChip>
        <p className="h2">{t('convert.got', { amount: balanceText(row.net, row.r_currency_name) })}</p>
      </div>
      <CostLines lines={[...lines, { label: t('convert.time'), value: stamp(row.created_at_ms, locale) }]} />
      <ReceiptNumber
        id={row.id}
        of="conversion"
        label={t('convert.number')}
        copy={t('convert.copyNumber')}
        share={[t('convert.pair', { from: row.l_currency_name, to: row.r_currency_name }), `${costText(row.num, row.l_currency_name)} → ${balanceText(row.net, row.r_currency_name)}`, t('convert.done')]}
      />
    </>
  );
}

/** The quote is firm, so the most that a conversion can lose is the value of what is given above that of what is returned. */
function Worst({ quote, from, to }: Pick<Props, 'quote' | 'from' | 'to'>) {
  const locale = useLocale();
  const { cost, net } = costsOf(quote, from, to);
  return (
    <>
      <CostLines lines={[{ label: t('convert.most'), value: amountText({ value: cost, code: 'USDT', kind: 'cost' }, locale) }]} />
      <p className="lab t2">{t('convert.mostText', { give: costText(quote.num, from.code), get: balanceText(net, to.code), coin: to.code })}</p>
    </>
  );
}

/** Refusals of a quote that can no longer be accepted: a fresh one is requested and reviewed first. */
const OVER = { E_QUOTE_EXPIRED: 'convert.expired', E_NOT_FOUND: 'convert.expired', E_PRICE_MOVED: 'convert.moved', E_STATE: 'convert.used' } as const;
const overOf = (error: unknown) => (error instanceof Refusal && error.code in OVER ? OVER[error.code as keyof typeof OVER] : undefined);

interface Props {
  open: boolean;
  onClose: () => void;
  /** The quote on the screen, the only one that can be accepted. */
  quote: FlashQuote;
  expired: boolean;
  from: Convertible;
  to: Convertible;
  available: Amount | undefined;
  commit: Accepting;
  /** Requests a fresh rate and shows it here. */
  onFresh: () => Promise<unknown>;
  onDone: () => void;
}

/** The review before the conversion: the displayed quote is the one that is accepted. */
export function ReviewSheet({ open, onClose, quote, expired, from, to, available, commit, onFresh, onDone }: Props) {
  const { state, busy, run, reset } = commit;
  const online = useOnline();
  const [asking, setAsking] = useState(false);
  const done = state.step === 'done' ? state.result.data : undefined;
  if (done) {
    return (
      <Sheet open={open} onClose={onClose} title={t('convert.receipt')} footer={<Button kind="commit" wide onClick={onClose}>{t('ui.done')}</Button>}>
        <Receipt row={done} lines={costLines(quote, from, to)} />
      </Sheet>
    );
  }
  if (state.step === 'unknown') return <Sheet open={open} onClose={onClose} {...unknownParts(t('convert.unknown'), state.key, onClose)} />;
  const over = (state.step === 'refused' ? overOf(state.error) : undefined) ?? (expired && !busy ? 'convert.expired' : undefined);
  const left = leftText(available, quote.num, from.code);
  const fresh = async () => {
    setAsking(true);
    await onFresh();
    reset();
    setAsking(false);
  };
  const footer = !online && !busy ? (
    <Button kind="commit" wide reason={t('convert.offline')}>
      {t('convert.ask')}
    </Button>
  ) : over || asking ? (
      <Button kind="commit" wide loading={asking} onClick={() => void fresh()}>
        {t('convert.ask')}
      </Button>
    ) : (
      <Button kind="commit" wide loading={busy} onClick={() => void run(() => acceptQuote(quote), { done: onDone })}>
        {t('convert.submit', { amount: costText(quote.num, from.code) })}
      </Button>
    );
  return (
    <Sheet open={open} onClose={onClose} title={t('convert.check')} footer={footer}>
      <div className={css.stack}>
        {over ? (
          <div role="alert">
            <Note tone="caution" icon={icons.clock}>
              {t(over)}
            </Note>
          </div>
        ) : state.step === 'refused' ? (
          <RefusedNote state={state} />
        ) : (
          <Held until={quote.expires_ms} />
        )}
        <Worst quote={quote} from={from} to={to} />
        <CostLines lines={[...costLines(quote, from, to), ...(left ? [{ label: t('convert.left'), value: left }] : [])]} />
        <p className="lab t2">{t('convert.firm')}</p>
      </div>
    </Sheet>
  );
}
