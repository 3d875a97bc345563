import { t, useLocale } from '../../lib/i18n';
import { StatusChip } from '../../ui/Status';
import type { Count, Moves, Figures, Range } from './recount';
import css from './Proof.module.css';

const TONE = { checking: 'info', broken: 'caution', good: 'done', bad: 'danger' } as const;

interface Props<T> {
  /** Absent if it is shown under a heading of its own. */
  title?: string;
  count: Count<T> | undefined;
  good: (counted: T) => string;
  unshown: string;
}

/** One figure, the result of adding it up, and what that cannot show. */
export function Figure<T extends Range>({ title, count, good, unshown }: Props<T>) {
  const locale = useLocale();
  const number = new Intl.NumberFormat(locale);
  return (
    <div className={css.verdict}>
      {title && <h3 className="h3">{title}</h3>}
      {count && <StatusChip tone={TONE[count.state]}>{t(`proof.states.${count.state}`)}</StatusChip>}
      {count?.state === 'bad' && <p className="lab t2">{t(`proof.reasons.${count.reason}`)}</p>}
      {count?.state === 'broken' && <p className="lab t2">{t('proof.receipt.brokenText')}</p>}
      {count?.state === 'good' && (
        <>
          <p className="lab t2">{good(count.counted)}</p>
          <p className="cap t2">{unshown}</p>
          {count.counted.to > 0 && isFinite(count.counted.from) && <p className="cap t2 num">{t('proof.pools.from', { from: number.format(count.counted.from), to: number.format(count.counted.to) })}</p>}
        </>
      )}
    </div>
  );
}

export const figuresText = ({ figures, parts }: Figures) => (figures === 0 ? t('proof.stats.empty') : t('proof.recount.figuresGood', { count: figures, parts }));
export const movesText = (moves: Moves) => `${figuresText(moves)} ${t('proof.recount.lookedUp', { count: moves.lookedUp })}`;
