import type { ComponentType } from 'react';
import { useScreen, type Load } from '../lib/code';
import { t } from '../lib/i18n';
import { Button } from './Button';
import { EmptyState, SkeletonRows } from './ListState';

/** A part of a screen whose code loads later; until then, placeholder rows have its height. */
export function later<P extends object>(load: Load<{ default: ComponentType<P> }>, rows: number) {
  return function Later(props: P) {
    const screen = useScreen(load);
    if (screen === 'loading') return <SkeletonRows rows={rows} />;
    if ('failed' in screen) {
      return (
        <EmptyState icon="warn" title={t('app.chunk')}>
          <Button small onClick={() => screen.retry()}>
            {t('ui.tryAgain')}
          </Button>
        </EmptyState>
      );
    }
    return <screen.Screen {...props} />;
  };
}
