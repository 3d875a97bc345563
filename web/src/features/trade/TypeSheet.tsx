import { t } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { RadioMark } from '../../ui/Choice';
import { Radios } from '../../ui/Radios';
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

const option = (on: boolean, title: string, note: string) => (
  <>
    <span className="grow col">
      <span className="m">{title}</span>
      <span className="lab t2">{note}</span>
    </span>
    <RadioMark on={on} />
  </>
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

/** Order type, and under "More" the time in force of a limit order. */
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
      <Radios
        label={t('trade.typeTitle')}
        row={css.option}
        options={KINDS.filter(({ value }) => stops || value !== 'stop_limit').map(({ value, note }) => ({ value, content: option(kind === value, kindText(value), t(note)) }))}
        value={kind}
        onValue={onKind}
      />
      {kind === 'limit' && (
        <details className={css.more} open={tif !== 'gtc'}>
          <summary>{t('trade.more', { tif: tifText(tif) })}</summary>
          <Radios label={t('trade.tifTitle')} row={css.option} options={TIFS.map(({ value, note }) => ({ value, content: option(tif === value, tifText(value), t(note)) }))} value={tif} onValue={onTif} />
        </details>
      )}
    </Sheet>
  );
}
