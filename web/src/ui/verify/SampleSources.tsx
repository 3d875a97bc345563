import type { IndexSample } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { formatter } from '../../lib/time';
import { priceText } from '../Figures';
import { StatusChip } from '../Status';
import { EntryLink } from './EntryLink';
import css from './SampleSources.module.css';

/** To the millisecond, because that decides which sample counts. */
export const exactTime = (ms: number, locale: string) => formatter(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 }).format(ms);

/** A sample of an index with its entry, and the quotes that it was computed from. */
export function SampleSources({ title, sample, hashes }: { title: string; sample: IndexSample; hashes: readonly { seq: number; hash: string }[] }) {
  const locale = useLocale();
  const hash = hashes.find(({ seq }) => seq === sample.seq)?.hash;
  return (
    <section>
      <h3 className="m">{title}</h3>
      <p className="lab t2 num">
        <EntryLink seq={sample.seq} hash={hash}>
          {t('options.sample', { price: priceText(sample.price, undefined, locale), time: exactTime(sample.time_ms, locale), seq: String(sample.seq) })}
        </EntryLink>
      </p>
      <ul className={css.sources}>
        {sample.sources.map(({ name, price, age_ms: age, used }) => (
          <li key={name}>
            <span className="grow">{name}</span>
            <span className="num">{priceText(price, undefined, locale)}</span>
            <span className="cap t3 num">{t('options.aged', { ms: String(age) })}</span>
            <StatusChip tone={used === 1 ? 'done' : 'caution'}>{t(used === 1 ? 'options.used' : 'options.unused')}</StatusChip>
          </li>
        ))}
      </ul>
    </section>
  );
}
