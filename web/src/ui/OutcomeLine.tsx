import type { ReactNode } from 'react';
import { t } from '../lib/i18n';
import { cmp, max, share, type Amount } from '../lib/money';
import css from './OutcomeLine.module.css';

interface Side {
  label: string;
  /** The figure as shown, with its unit. */
  text: string;
  /** Length of the bar; absent for a gain without a fixed limit. */
  amount?: Amount;
}
interface Props {
  lose: Side;
  gain: Side;
  /** Loss at the stop: the solid part of the paler worst case. */
  atStop?: Amount;
  note?: ReactNode;
  /** The amount that fills a half if several lines are compared; otherwise the larger of the two sides. */
  full?: Amount;
  /** Text for screen readers if the usual sentence would be wrong. */
  spoken?: string;
  /** The gain is none: each side is read out with its label, as it is when there is no fixed limit. */
  apart?: boolean;
}

/** Worst case first and on the left, gain on the right, both on one scale around a centre mark. */
export function OutcomeLine({ lose, gain, atStop, note, full, spoken, apart = !gain.amount }: Props) {
  const worst = lose.amount;
  const scale = full ?? (worst && gain.amount ? max(worst, gain.amount) : (worst ?? gain.amount));
  const width = (amount: Amount | undefined) => `${(amount && scale ? share(amount, scale) : 0) * 100}%`;
  const stopped = worst && atStop && cmp(atStop, worst) < 0;
  return (
    <div className={css.outcome}>
      <p className="vh">{spoken ?? (apart ? `${lose.label}: ${lose.text}. ${gain.label}: ${gain.text}.` : t('ui.outcome', { lose: lose.text, gain: gain.text }))}</p>
      <div className={css.heads} aria-hidden="true">
        <div>
          <div className={css.label}>{lose.label}</div>
          <div className={`${css.figure} ${css.loss}`}>{lose.text}</div>
        </div>
        <div className={css.right}>
          <div className={css.label}>{gain.label}</div>
          <div className={css.figure}>{gain.text}</div>
        </div>
      </div>
      <div className={css.bar} aria-hidden="true">
        <i className={stopped ? `${css.low} ${css.pale}` : css.low} style={{ width: width(worst) }}>
          {stopped && <s style={{ width: `${share(atStop, worst) * 100}%` }} />}
        </i>
        <i className={gain.amount ? css.high : `${css.high} ${css.open}`} style={{ width: gain.amount ? width(gain.amount) : '100%' }} />
      </div>
      {note && <div className={css.note}>{note}</div>}
    </div>
  );
}
