import { useEffect, useRef, useState } from 'react';
import type { CandleSource } from '../../lib/candles';
import { t } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { useLook } from '../../ui/chart/look';
import { play } from '../../ui/chart/tones';
import css from './Trade.module.css';

/** The line of the chart as sound. It ends when its sheet closes. */
export function Listen({ open, candles }: { open: boolean; candles: CandleSource }) {
  const period = useLook((look) => look.period);
  const [state, setState] = useState<'silent' | 'sounding' | 'failed'>('silent');
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), [open, candles, period]);
  if (typeof AudioContext === 'undefined') return null;
  const start = () => {
    setState('sounding');
    const closes = candles.of(period).newest().then((all) => all.map(({ close }) => close));
    stop.current = play(closes, (failed) => setState(failed ? 'failed' : 'silent'));
  };
  return (
    <div className={css.series}>
      <p className="lab t2">{t('trade.chart.listenNote')}</p>
      {state === 'failed' && (
        <p className="lab caution" role="alert">
          {t('trade.chart.failed')}
        </p>
      )}
      <Button wide onClick={state === 'sounding' ? () => stop.current?.() : start}>
        {t(state === 'sounding' ? 'trade.chart.silence' : 'trade.chart.listen')}
      </Button>
    </div>
  );
}
