import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { t } from '../lib/i18n';
import { Icon } from './Icon';
import css from './PullToRefresh.module.css';

const TRIGGER = 64;
const FURTHEST = 96;

interface Props {
  scroller: RefObject<HTMLElement | null>;
  onRefresh: () => Promise<unknown>;
}

/**
 * The line above a page's content that opens when it is pulled at the top. Every page has a visible alternative: the active tab, or Try
 * again.
 */
export default function PullToRefresh({ scroller, onRefresh }: Props) {
  const [pull, setPull] = useState(0);
  const [busy, setBusy] = useState(false);
  const refresh = useEffectEvent(onRefresh);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let start: number | null = null;
    let distance = 0;
    const down = (event: TouchEvent) => {
      start = element.scrollTop <= 0 ? (event.touches[0]?.clientY ?? null) : null;
      distance = 0;
    };
    const move = (event: TouchEvent) => {
      if (start === null) return;
      distance = Math.min(FURTHEST, Math.max(0, ((event.touches[0]?.clientY ?? start) - start) / 2));
      setPull(distance);
    };
    const up = () => {
      start = null;
      setPull(0);
      if (distance < TRIGGER) return;
      setBusy(true);
      void refresh().finally(() => setBusy(false));
    };
    element.addEventListener('touchstart', down, { passive: true });
    element.addEventListener('touchmove', move, { passive: true });
    element.addEventListener('touchend', up);
    element.addEventListener('touchcancel', up);
    return () => {
      element.removeEventListener('touchstart', down);
      element.removeEventListener('touchmove', move);
      element.removeEventListener('touchend', up);
      element.removeEventListener('touchcancel', up);
    };
  }, [scroller]);

  const height = busy ? 48 : pull;
  return (
    <div className={css.line} style={{ height }} role="status">
      {height > 0 && (
        <span className={busy ? css.turning : undefined} style={busy ? undefined : { transform: `rotate(${pull * 3}deg)` }}>
          <Icon name="refresh" size={20} />
        </span>
      )}
      {busy && <span className="vh">{t('ui.refreshing')}</span>}
    </div>
  );
}
