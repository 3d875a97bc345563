import type { Account } from '../../lib/wire';
import type { Coin } from '../../generated/api';
import { byDay, since } from '../../lib/days';
import { t, useLocale } from '../../lib/i18n';
import { amount, cmp, columnScale, format, type Amount, type FormatOptions } from '../../lib/money';
import { clock, date } from '../../lib/time';
import { Endless } from '../../ui/Endless';
import { decimals } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Row } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { useLog } from './api';
import { logEvents, logKey, type LogEvent } from './model';
import css from './Assets.module.css';

interface LineView {
  scale: number;
  hidden: boolean;
}

function Line({ main, value, last, step, scale, hidden, more = false }: Omit<LogEvent, 'rows'> & LineView & { more?: boolean }) {
  const locale = useLocale();
  const key = logKey(main.type);
  const text = (of: Amount, options: FormatOptions = {}) => (hidden ? '••••' : format(of, locale, { min: scale, max: scale, ...options }));
  const by = hidden || cmp(step, value) === 0 ? '' : `(${text(step, { kind: 'result', sign: 'plus' })})`;
  const after = hidden ? text(amount(last.after)) : `${text(amount(last.after))}\u00a0${last.currency_name}`;
  return (
    <Row
      title={
        <span className="m">
          {key ? t(key) : main.info}
          {more && <Icon name="forward" size={14} />}
        </span>
      }
      sub={clock(main.created_time_ms, locale, true)}
      value={text(value, { kind: 'result', sign: 'plus' })}
      valueSub={
        <span className={`${css.after} t2 cap`}>
          {t(last.part === 'frozen' ? 'assets.frozenAfter' : 'assets.balanceAfter', { amount: after })}
          {by && <br />}
          {by}
        </span>
      }
    />
  );
}

/** One line; the lines of an event with several open under it. */
function Event({ event, ...shown }: { event: LogEvent } & LineView) {
  if (event.rows.length === 1) return <Line {...event} {...shown} />;
  return (
    <details className={css.event}>
      <summary>
        <Line {...event} {...shown} more />
      </summary>
      {event.rows.map((row) => (
        <Line key={row.id} main={row} value={amount(row.value)} last={row} step={amount(row.value)} {...shown} />
      ))}
    </details>
  );
}

interface Props {
  account: Account;
  coin: Coin | undefined;
  kind: number;
  from: number;
  hidden: boolean;
}

/** Changes of one coin by day: what happened, how much, and the balance after it. */
export function Log({ account, coin, kind, from, hidden }: Props) {
  const locale = useLocale();
  const log = useLog(account, coin?.id, kind);
  const rows = log.data?.pages.flatMap((page) => page.list);
  const range = rows && since(rows, (row) => row.created_time_ms, from);
  // The amounts of a column are shown in full and with the same number of decimals.
  const figures = (range?.rows ?? []).flatMap(({ value, after }) => [amount(value), amount(after)]);
  const scale = columnScale(figures, decimals(coin?.code ?? '', coin?.scale ?? 0).min);
  return (
    <ListState
      query={{ ...log, data: range }}
      isEmpty={(data) => data.rows.length === 0 && (data.complete || !log.hasNextPage)}
      empty={<EmptyState icon={icons.history} title={t('assets.logEmpty')} text={t('assets.logEmptyText')} />}
      errorTitle={t('assets.logError')}
      errorText={t('assets.errorText')}
    >
      {(data) => (
        <>
          {byDay(data.rows, (row) => row.created_time_ms).map((day) => (
            <section key={day.key}>
              <h3 className={`${css.day} lab t2 m`}>{date(day.at, locale)}</h3>
              {logEvents(day.rows).map((event) => (
                <Event key={event.last.id} event={event} scale={scale} hidden={hidden} />
              ))}
            </section>
          ))}
          <Endless query={{ ...log, hasNextPage: log.hasNextPage && !data.complete }} pages={log.data?.pages.length ?? 0} end={t('assets.logEnd')} />
        </>
      )}
    </ListState>
  );
}
