import { useState } from 'react';
import { useOwnLimits } from '../../data/session';
import type { SelfLimits } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { dateTime } from '../../lib/time';
import { amountText } from '../../ui/Figures';
import { Group, Row, Screen } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import { StatusChip } from '../../ui/Status';
import { LimitSheet } from './LimitSheet';
import { pendingOf, valueOf, type Limit } from './limits';
import { PauseSheet } from './PauseSheet';
import css from './Account.module.css';

const NUMBERS = [
  { field: 'option_stake_day', title: 'security.limitStake' },
  { field: 'loss_day', title: 'security.limitLoss' },
  { field: 'leverage_max', title: 'security.limitLeverage' },
] as const;

function shown(field: Limit, value: string | null, locale: string): string {
  if (value === null) return t(field === 'pause_until_ms' ? 'security.pauseOff' : 'security.limitNone');
  if (field === 'pause_until_ms') return t('security.pauseUntil', { date: dateTime(parseInt(value, 10), locale) });
  return field === 'leverage_max' ? `${value}×` : amountText({ value, code: 'USDT' }, locale);
}

function List({ limits, onOpen }: { limits: SelfLimits; onOpen: (field: Limit) => void }) {
  const locale = useLocale();
  const row = (field: Limit, title: string, used?: string) => {
    const waiting = pendingOf(limits, field);
    return (
      <div key={field} className={css.limit}>
        <Row
          title={title}
          sub={used && t('security.limitUsed', { used: amountText({ value: used, code: 'USDT' }, locale) })}
          value={shown(field, valueOf(limits, field), locale)}
          onClick={() => onOpen(field)}
          chevron
        />
        {waiting && (
          <p className={css.waiting}>
            <StatusChip tone="info">{t('security.limitPending', { date: dateTime(waiting.effective_ms, locale), value: shown(field, waiting.value, locale) })}</StatusChip>
          </p>
        )}
      </div>
    );
  };
  return (
    <>
      <Group>{NUMBERS.map(({ field, title }) => row(field, t(title), field === 'leverage_max' || limits[field] === null ? undefined : limits.used[field]))}</Group>
      <div className={css.note} />
      <Group>{row('pause_until_ms', t('security.limitPause'))}</Group>
    </>
  );
}

/** The member's own limits: tighter at once, looser after 24 hours. */
export default function Limits() {
  useLocale();
  const query = useOwnLimits();
  const [open, setOpen] = useState<Limit | null>(null);
  const close = () => setOpen(null);
  return (
    <Screen help title={t('security.limits')} onRefresh={query.refetch}>
      <p className={`${css.intro} t2`}>{t('security.limitsText')}</p>
      <ListState query={query} errorTitle={t('security.limitsError')} errorText={t('profile.errorText')}>
        {(limits) => (
          <>
            <List limits={limits} onOpen={setOpen} />
            {NUMBERS.map(({ field, title }) => (
              <LimitSheet key={field} field={field} title={t(title)} limits={limits} open={open === field} onClose={close} />
            ))}
            <PauseSheet limits={limits} open={open === 'pause_until_ms'} onClose={close} />
          </>
        )}
      </ListState>
      <p className={`${css.under} lab t3`}>{t('security.limitsStill')}</p>
    </Screen>
  );
}
