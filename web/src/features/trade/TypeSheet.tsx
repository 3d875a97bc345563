import { t } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { RadioMark } from '../../ui/Choice';
import { Sheet } from '../../ui/Sheet';
import type { Kind, Tif } from './order';
import { kindText, tifText } from './text';
import css from './Trade.module.css';

const KINDS = [
  { value: 'limit', note: 'trade.kind.limitNote' },
  { value: 'market', note: 'trade.kind.marketNote' },
  { value: 'stop_limit', note: 'trade.kind.stopNote' },
] as const;
const TIFS = [
  { value: 'gtc', note: 'trade.tif.gtcNote' },
  { value: 'ioc', note: 'trade.tif.iocNote' },
  { value: 'fok', note: 'trade.tif.fokNote' },
  { value: 'post_only', note: 'trade.tif.postOnlyNote' },
] as const;

interface OptionProps {
  on: boolean;
  title: string;
  note: string;
  onClick: () => void;
}
const Option = ({ on, title, note, onClick }: OptionProps) => (
  <button type="button" role="radio" aria-checked={on} className={css.option} onClick={onClick}>
    <span className="grow col">
      <span className="m">{title}</span>
      <span className="lab t2">{note}</span>
    </span>
    <RadioMark on={on} />
  </button>
);

interface Props {
  open: boolean;
  onClose: () => void;
  kind: Kind;
  tif: Tif;
  /** Stop orders wait for samples of an index, which not every pair has. */
  stops: boolean;
  onKind: (kind: Kind) => void;
  onTif: (tif: Tif) => void;
}

/** Order type, and under "More" how long a limit order stays. */
export default function TypeSheet({ open, onClose, kind, tif, stops, onKind, onTif }: Props) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('trade.typeTitle')}
      footer={
        <Button kind="commit" onClick={onClose}>
          {t('ui.done')}
        </Button>
      }
    >
      <div role="radiogroup" aria-label={t('trade.typeTitle')}>
        {KINDS.filter(({ value }) => stops || value !== 'stop_limit').map(({ value, note }) => (
          <Option key={value} on={kind === value} title={kindText(value)} note={t(note)} onClick={() => onKind(value)} />
        ))}
      </div>
      {kind === 'limit' && (
        <details className={css.more} open={tif !== 'gtc'}>
          <summary>{t('trade.more', { tif: tifText(tif) })}</summary>
          <div role="radiogroup" aria-label={t('trade.tifTitle')}>
            {TIFS.map(({ value, note }) => (
              <Option key={value} on={tif === value} title={tifText(value)} note={t(note)} onClick={() => onTif(value)} />
            ))}
          </div>
        </details>
      )}
    </Sheet>
  );
}
