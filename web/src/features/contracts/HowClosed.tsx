import type { ContractReceipt, IndexSample } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { Sheet } from '../../ui/Sheet';
import { whyText } from '../../ui/positionText';
import { EntryList } from '../../ui/verify/EntryLink';
import { SampleSources } from '../../ui/verify/SampleSources';
import { rate, triggersText } from './text';
import css from './Contracts.module.css';

function Sample({ title, sample, hashes }: { title: string; sample: IndexSample | null; hashes: ContractReceipt['entry_hashes'] }) {
  if (sample) return <SampleSources title={title} sample={sample} hashes={hashes} />;
  return (
    <section>
      <h3 className="m">{title}</h3>
      <p className="lab t2">{t('contracts.noSample')}</p>
    </section>
  );
}

/** Take-profit and stop-loss at the end, and the entry that set them. */
function Stops({ receipt: { position, stop_seqs: set } }: { receipt: ContractReceipt }) {
  const seq = set?.at(-1);
  return (
    <section>
      <h3 className="m">{t('proof.contract.stops')}</h3>
      <p className="lab t2 num">{triggersText(position)}</p>
      <p className="lab t2">{!set ? t('proof.unshown.stops') : seq === undefined ? t('proof.contract.stopsOrder') : t('proof.contract.stopsSet', { seq })}</p>
    </section>
  );
}

/** How a position closed: the reason, both prices with their sources, the journal entries. */
export default function HowClosed({ open, onClose, receipt }: { open: boolean; onClose: () => void; receipt: ContractReceipt }) {
  useLocale();
  const { position, open_sample: first, close_sample: last, open_seq: asked, end_seq: end, stop_seqs: set, entry_hashes: hashes, rules } = receipt;
  const name = (seq: number) => {
    if (seq === asked) return t('contracts.entryOpen');
    if (set?.includes(seq)) return t('contracts.entryStops');
    return seq === end ? t('contracts.entryEnd') : t('options.entryPrice');
  };
  return (
    <Sheet open={open} onClose={onClose} title={t('contracts.howClosed')}>
      <div className={css.how}>
        <p className="t2">{whyText(position)}</p>
        <p className="cap t3 num">{t('contracts.spread', { rate: rate(rules.spread) })}</p>
        <Sample title={t('contracts.openMark')} sample={first} hashes={hashes} />
        <Sample title={t('contracts.closeMark')} sample={last} hashes={hashes} />
        <Stops receipt={receipt} />
        <EntryList entries={hashes} name={name} />
      </div>
    </Sheet>
  );
}
