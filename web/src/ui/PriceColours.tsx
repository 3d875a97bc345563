import { t, useLocale } from '../lib/i18n';
import { amount, formatPercent } from '../lib/money';
import type { Preset } from '../lib/storage';
import { Arrow } from './Status';
import css from './PriceColours.module.css';

/** Body and wick of the sample candles: open, close, low, high on a 40 px grid; the last three fall. */
const CANDLES = [
  [36, 33, 30, 38],
  [33, 25, 22, 34],
  [25, 21, 19, 28],
  [21, 15, 13, 22],
  [15, 12, 10, 18],
  [12, 8, 6, 14],
  [8, 4, 2, 9],
  [4, 9, 3, 11],
  [9, 6, 4, 10],
  [6, 12, 5, 14],
  [12, 17, 10, 19],
] as const;

interface Props {
  preset: Preset;
  /** Rising candles are drawn as an outline. */
  hollow: boolean;
}

/** A small chart in the colours of a preset; decoration beside its text. */
export function SampleCandles({ preset, hollow }: Props) {
  return (
    <svg className={css[preset]} width="98" height="40" viewBox="0 0 98 40" aria-hidden="true">
      {CANDLES.map(([open, close, high, low], n) => {
        const x = 4 + n * 8.6;
        const rising = close < open;
        const top = Math.min(open, close);
        const bottom = Math.max(open, close);
        return (
          <g key={n} className={rising ? css.rise : css.fall} stroke="currentColor" fill={rising && hollow ? 'none' : 'currentColor'}>
            <path d={`M${x} ${high}V${top}M${x} ${bottom}V${low}`} />
            <rect x={x - 2} y={top} width="4" height={bottom - top} />
          </g>
        );
      })}
    </svg>
  );
}

/** A rise and a fall as figures in the colours of a preset. */
export function SampleChanges({ preset }: { preset: Preset }) {
  const locale = useLocale();
  const percent = (text: string) => formatPercent(amount(text), locale, { kind: 'result', sign: 'plus' });
  return (
    <span className={`num cap m ${css[preset]} ${css.changes}`}>
      <span className={css.rise}>
        <Arrow direction="up" /> {percent('1.82')}
      </span>
      <span className={css.fall}>
        <Arrow direction="down" /> {percent('-0.64')}
      </span>
    </span>
  );
}

/** "Green up, red down" as text, so that the choice does not depend on colour. */
export const presetName = (preset: Preset) => t(`settings.preset.${preset}`);
