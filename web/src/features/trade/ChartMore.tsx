import { setAppearance, useAppearance } from '../../data/appearance';
import type { CandleSource, Series } from '../../lib/candles';
import { t } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { OVERLAYS, PANES, setLook, useLook, type Overlay, type Pane } from '../../ui/chart/look';
import { Chip, Chips, Segment, Switch } from '../../ui/Choice';
import { Sheet } from '../../ui/Sheet';
import { Listen } from './Listen';
import css from './Trade.module.css';

export interface MoreProps {
  open: boolean;
  onClose: () => void;
  candles: CandleSource;
  table: boolean;
  onTable: (on: boolean) => void;
  /** Absent for a pair without a price index. */
  series: Series | undefined;
  onSeries: (series: Series) => void;
  onDepth: () => void;
}

/** One of several indicators, or none. */
function Indicators<T extends string>({ label, all, value, onValue }: { label: string; all: readonly T[]; value: T; onValue: (value: T) => void }) {
  return (
    <div className={css.series}>
      <p className="lab t2">{label}</p>
      <Chips label={label}>
        {all.map((name) => (
          <Chip key={name} on={name === value} onClick={() => onValue(name)}>
            {name === 'none' ? t('trade.chart.none') : name}
          </Chip>
        ))}
      </Chips>
    </div>
  );
}

/** Chart settings, and a link to the book. */
export default function ChartMore({ open, onClose, candles, table, onTable, series, onSeries, onDepth }: MoreProps) {
  const hollow = useAppearance((state) => state.hollow);
  const { overlay, pane } = useLook();
  return (
    <Sheet open={open} onClose={onClose} title={t('trade.moreTitle')}>
      <p className="m">{t('trade.chart.indicators')}</p>
      <Indicators label={t('trade.chart.overlay')} all={Object.keys(OVERLAYS) as Overlay[]} value={overlay} onValue={(next) => setLook({ overlay: next })} />
      <Indicators label={t('trade.chart.pane')} all={Object.keys(PANES) as Pane[]} value={pane} onValue={(next) => setLook({ pane: next })} />
      <Switch label={t('trade.chart.asTable')} note={t('trade.chart.asTableNote')} on={table} onChange={onTable} />
      <Listen open={open} candles={candles} />
      <Switch label={t('trade.chart.hollow')} note={t('trade.chart.hollowNote')} on={hollow} onChange={(on) => setAppearance({ hollow: on })} />
      {series && (
        <div className={css.series}>
          <p className="m">{t('trade.chart.series')}</p>
          <p className="lab t2">{t(series === 'index' ? 'trade.chart.indexNote' : 'trade.chart.tradeNote')}</p>
          <Segment
            label={t('trade.chart.series')}
            value={series}
            onValue={onSeries}
            options={[
              { value: 'index', label: t('trade.chart.index') },
              { value: 'trade', label: t('trade.chart.trade') },
            ]}
          />
        </div>
      )}
      <Button wide onClick={onDepth}>
        {t('trade.showDepth')}
      </Button>
    </Sheet>
  );
}
