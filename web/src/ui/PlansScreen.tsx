import type { ComponentProps } from 'react';
import { t } from '../lib/i18n';
import { replace, usePlace } from '../lib/nav';
import { Segment } from './Choice';
import { Screen } from './Layout';
import { MenuButton } from './menu';
import css from './PlansScreen.module.css';

const LABELS = { 'finance/index': 'tab.plans', 'publication/index': 'explain.newCoins', 'index/jied': 'menu.loans' } as const;
type Half = keyof typeof LABELS;

interface Props extends Omit<ComponentProps<typeof Screen>, 'title' | 'start' | 'left'> {
  half: Half;
  /** The halves that are offered here. */
  halves: readonly Half[];
  title: string;
}

/** Plans, New coins or Loans: with a switch between them, or with a back button on their further pages. */
export function PlansScreen({ half, halves, title, children, ...rest }: Props) {
  if (usePlace().path !== half) {
    return (
      <Screen title={title} {...rest}>
        {children}
      </Screen>
    );
  }
  return (
    <Screen title={title} start={<MenuButton />} left {...rest}>
      {halves.length > 1 && (
        <div className={css.halves}>
          <Segment label={t('tab.plans')} value={half} onValue={(next) => next !== half && replace(next)} options={halves.map((value) => ({ value, label: t(LABELS[value]) }))} />
        </div>
      )}
      {children}
    </Screen>
  );
}
