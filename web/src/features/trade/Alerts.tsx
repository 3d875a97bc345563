import { useState } from 'react';
import { addAlert, deleteAlert, useAlerts } from '../../data/alerts';
import { usePriceAge, useTicker } from '../../data/tickers';
import { useLoggedIn } from '../../data/session';
import type { Alert, Pair } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amount, cmp, sign, wire } from '../../lib/money';
import { useConnected } from '../../lib/online';
import { problem, Refusal } from '../../lib/refusal';
import { dateTime } from '../../lib/time';
import { AmountField, useAmountInput } from '../../ui/AmountField';
import { Button, IconButton } from '../../ui/Button';
import { priceText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { GuestPlate, ListState, EmptyState } from '../../ui/ListState';
import { Sheet } from '../../ui/Sheet';
import { Arrow, StatusChip } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import css from './Trade.module.css';

interface Props {
  open: boolean;
  onClose: () => void;
  symbol: string;
  /** The price at the finger's position on the chart. */
  level: string | undefined;
}

/** Most decimals of a level. */
const SCALE = 8;

/** A level of this pair. Whether the price has to rise or fall follows from the present price. */
function NewAlert({ pair, level }: { pair: Pair; level: string | undefined }) {
  const locale = useLocale();
  const connected = useConnected();
  const { stale } = usePriceAge(pair.symbol);
  const { field, input, shown, touch, onBlocked, clear } = useAmountInput(SCALE, level === undefined ? '' : priceText(level, pair.price_digits, locale));
  const [sending, setSending] = useState(false);
  const [refused, setRefused] = useState<string>();
  const { symbol, index_price: index } = pair;
  const value = field.value && sign(field.value) > 0 ? field.value : undefined;
  const side = value && index ? cmp(value, amount(index)) : undefined;
  const reason = !connected ? t('alerts.offline') : stale || !index ? t('alerts.waiting') : !value ? t('alerts.enter') : side === 0 ? t('alerts.same') : undefined;
  const send = async () => {
    if (!value || !side) return;
    setSending(true);
    setRefused(undefined);
    try {
      const { price } = await addAlert(pair.match_id, side > 0 ? 'above' : 'below', wire(value));
      toast(t('alerts.added', { price: priceText(price, undefined, locale) }), { icon: 'bell' });
      clear();
    } catch (error) {
      const max = error instanceof Refusal && error.code === 'E_OPEN_LIMIT' ? error.data.max : undefined;
      setRefused(typeof max === 'number' ? t('alerts.full', { max }) : problem(error));
    }
    setSending(false);
  };
  const hint = side === undefined || side === 0 ? undefined : t(side > 0 ? 'alerts.rises' : 'alerts.falls', { symbol });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === undefined) void send();
        else onBlocked();
      }}
    >
      <AmountField
        ref={input}
        label={t('alerts.level')}
        field={field}
        unit={symbol.split('/')[1] ?? ''}
        aside={index ? t('alerts.now', { price: priceText(index, undefined, locale) }) : undefined}
        error={refused ?? shown(field.parsed.ok ? undefined : t('alerts.enter'))}
        hint={hint}
        onBlur={touch}
      />
      <Button kind="commit" wide type="submit" loading={sending} reason={reason} onBlocked={onBlocked}>
        {t('alerts.add')}
      </Button>
    </form>
  );
}

function Row({ alert }: { alert: Alert }) {
  const locale = useLocale();
  const [going, setGoing] = useState(false);
  const price = priceText(alert.price, undefined, locale);
  const remove = async () => {
    setGoing(true);
    // The connection shows the refusal, and the row stays.
    await deleteAlert(alert.id).catch(() => setGoing(false));
  };
  return (
    <li className={css.alert} aria-busy={going || undefined}>
      <span>
        <span className="m">{alert.symbol}</span>
        <span className="lab t2 num">
          <Arrow direction={alert.direction === 'above' ? 'up' : 'down'} /> {t(alert.direction === 'above' ? 'alerts.above' : 'alerts.below', { price })}
        </span>
      </span>
      {alert.active ? <StatusChip tone="info">{t('alerts.active')}</StatusChip> : <StatusChip tone="done">{t('alerts.fired', { time: dateTime(alert.fired_at_ms ?? alert.created_at_ms, locale) })}</StatusChip>}
      <IconButton label={t('alerts.remove', { symbol: alert.symbol, price })} disabled={going} onClick={() => void remove()}>
        <Icon name={icons.trash} size={18} />
      </IconButton>
    </li>
  );
}

/** Sets, shows and deletes price alerts. */
export default function Alerts({ open, onClose, symbol, level }: Props) {
  const loggedIn = useLoggedIn();
  const pair = useTicker(symbol);
  const query = useAlerts();
  // Alerts of this pair first; both groups newest first.
  const ordered = (rows: readonly Alert[]) => [...rows.filter((row) => row.symbol === symbol), ...rows.filter((row) => row.symbol !== symbol)];
  return (
    <Sheet open={open} onClose={onClose} title={t('alerts.title')}>
      {!loggedIn ? (
        <GuestPlate title={t('alerts.guest')} />
      ) : (
        <>
          {open && pair && <NewAlert key={level ?? ''} pair={pair} level={level} />}
          <p className={`${css.alertNote} lab t2`}>{t('alerts.how')}</p>
          <ListState
            query={query}
            isEmpty={(rows) => !rows.length}
            empty={<EmptyState icon="bell" title={t('alerts.emptyTitle')} text={t('alerts.emptyText')} />}
            errorTitle={t('alerts.errorTitle')}
            errorText={t('alerts.errorText')}
            rows={2}
          >
            {(rows) => (
              <ul>
                {ordered(rows).map((alert) => (
                  <Row key={alert.id} alert={alert} />
                ))}
              </ul>
            )}
          </ListState>
        </>
      )}
    </Sheet>
  );
}
