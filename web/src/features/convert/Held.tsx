import { useNow } from '../../lib/clock';
import { t } from '../../lib/i18n';
import { serverNow } from '../../lib/time';
import css from './Convert.module.css';

const R = 11;
const ROUND = 2 * Math.PI * R;
/** How long a rate is held; only the ring needs it. */
const LIFE = 10_000;

/** How long the rate is still held, by the server's clock. */
export function Held({ until }: { until: number }) {
  useNow(250);
  const left = Math.max(0, until - serverNow());
  const seconds = Math.ceil(left / 1000);
  return (
    <div className={css.held} role="timer" aria-live="off">
      <svg className={css.ring} width="28" height="28" viewBox="0 0 28 28" fill="none" strokeWidth="3" aria-hidden="true">
        <circle cx="14" cy="14" r={R} stroke="var(--surface-3)" />
        {left > 0 && <circle cx="14" cy="14" r={R} stroke={seconds <= 3 ? 'var(--caution)' : 'var(--accent)'} strokeLinecap="round" strokeDasharray={`${Math.min(1, left / LIFE) * ROUND} ${ROUND}`} transform="rotate(-90 14 14)" />}
      </svg>
      <span className="lab t2 num">{t('convert.held', { seconds })}</span>
    </div>
  );
}
