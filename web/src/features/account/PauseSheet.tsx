import { useState } from 'react';
import type { SelfLimits } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { DAY, dateTime, serverNow } from '../../lib/time';
import { Button } from '../../ui/Button';
import { Sheet } from '../../ui/Sheet';
import { Note } from '../../ui/Status';
import { DayChoice } from './DayChoice';
import { direction, valueOf } from './limits';
import { useSaving } from './saving';
import css from './Account.module.css';

const DAYS = [1, 7, 30] as const;

/** No options and contracts for a chosen time. */
export function PauseSheet({ limits, open, onClose }: { limits: SelfLimits; open: boolean; onClose: () => void }) {
  const locale = useLocale();
  const [days, setDays] = useState<(typeof DAYS)[number]>(1);
  const [ending, setEnding] = useState(false);
  const { save, sending, refused } = useSaving('pause_until_ms', onClose);
  const before = valueOf(limits, 'pause_until_ms');
  const end = String(serverNow() + days * DAY);
  const send = (next: string | null) => {
    setEnding(next === null);
    void save(next);
  };
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('security.limitPause')}
      footer={
        <>
          {before !== null && (
            <Button loading={sending && ending} onClick={() => send(null)}>
              {t('security.pauseEnd')}
            </Button>
          )}
          <Button kind="commit" loading={sending && !ending} onClick={() => send(end)}>
            {t('security.pauseStart')}
          </Button>
        </>
      }
    >
      <div className={css.sheet}>
        {before !== null && <p className="b">{t('security.pauseUntil', { date: dateTime(parseInt(before, 10), locale) })}</p>}
        <p className="t2">{t('security.pauseText')}</p>
        <DayChoice days={DAYS} name={(option) => t('security.days', { days: option })} value={days} onValue={setDays} />
        <p className="lab t2" role="status">
          {t(direction('pause_until_ms', before, end) === 'looser' ? 'security.limitLater' : 'security.limitNow')}
        </p>
        {refused && (
          <div role="alert">
            <Note tone="danger">{refused}</Note>
          </div>
        )}
      </div>
    </Sheet>
  );
}
