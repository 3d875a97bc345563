import type { OptionReceipt } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { priceText } from '../../ui/Figures';
import { ListState } from '../../ui/ListState';
import { EntryList } from '../../ui/verify/EntryLink';
import { exactTime, SampleSources } from '../../ui/verify/SampleSources';
import { useAround } from './api';
import css from './Option.module.css';

/** Every sample within five seconds of the end; the one that counted is marked. */
function Around({ receipt }: { receipt: OptionReceipt }) {
  const locale = useLocale();
  const query = useAround(receipt.order);
  const { delivery_time_ms: end } = receipt.order;
  return (
    <section>
      <h3 className="m">{t('options.around')}</h3>
      <p className="lab t2 num">{t('options.endsAt', { time: exactTime(end, locale) })}</p>
      <ListState query={query} errorTitle={t('options.error')} errorText={t('options.errorText')} isEmpty={(rows) => rows.length === 0} empty={<p className="lab t2">{t('options.noLine')}</p>}>
        {(rows) => (
          <ul className={css.around}>
            {rows.map(({ seq, time_ms: at, price }) => (
              <li key={seq} aria-current={seq === receipt.delivery_sample?.seq ? 'true' : undefined}>
                <span className="num">{exactTime(at, locale)}</span>
                <span className="num b grow right">{priceText(price, undefined, locale)}</span>
                <span className="cap t3">{seq === receipt.delivery_sample?.seq ? t('options.counted') : at > end ? t('options.after') : ''}</span>
              </li>
            ))}
          </ul>
        )}
      </ListState>
    </section>
  );
}

/** Everything that decided the option: both prices with their sources, the samples around the end, the rule, the journal entries. */
export default function HowItSettled({ receipt }: { receipt: OptionReceipt }) {
  const { rule, entry_hashes: hashes, buy_seq: buy, settle_seq: settle } = receipt;
  const name = (seq: number) => (seq === buy ? t('options.entryBuy') : seq === settle ? t('options.entrySettle') : t('options.entryPrice'));
  return (
    <div className={css.how}>
      <SampleSources title={t('options.openPrice')} sample={receipt.open_sample} hashes={hashes} />
      {receipt.delivery_sample ? <SampleSources title={t('options.deliveryPrice')} sample={receipt.delivery_sample} hashes={hashes} /> : <p className="t2">{t('options.whyRefunded')}</p>}
      <Around receipt={receipt} />
      <section>
        <h3 className="m">{t('options.rule')}</h3>
        <details className={css.more}>
          <summary className="lab t2">{t('options.ruleText')}</summary>
          <pre className={`cap code ${css.rule}`}>{rule.text}</pre>
        </details>
        <p className="cap t3 code">SHA-256 {rule.hash}</p>
      </section>
      <EntryList entries={hashes} name={name} />
    </div>
  );
}
