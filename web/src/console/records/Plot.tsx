import { Sparkline } from '../../ui/Sparkline';
import * as time from '../../lib/time';
import css from './records.module.css';

/** A figure over the time that this page was open, with its scale in words, also for a person who cannot see the line. */
export function Plot({ title, unit, points }: { title: string; unit: string; points: readonly { at: number; value: number }[] }) {
  const values = points.map(({ value }) => value);
  const last = values.at(-1);
  const shown = (value: number) => `${value}${unit && ` ${unit}`}`;
  const since = points[0] ? time.clock(points[0].at, 'en') : '';
  const most = Math.max(0, ...values);
  return (
    <figure className={css.plot}>
      <figcaption className="t2">{title}</figcaption>
      <b className="h2 num">{last === undefined ? '—' : shown(last)}</b>
      <Sparkline values={values} width={240} height={48} label={`${title} since ${since}: now ${shown(last ?? 0)}, at most ${shown(most)}`} />
      <span className="cap t2 num">{values.length < 2 ? 'The line begins with the next reading' : `Since ${since}, at most ${shown(most)}`}</span>
    </figure>
  );
}
