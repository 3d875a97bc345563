import type { ReactNode } from 'react';
import { PLANS, useReach } from '../../data/config';
import { t } from '../../lib/i18n';
import { replace, usePlace } from '../../lib/nav';
import { Segment } from '../../ui/Choice';
import { Screen } from '../../ui/Layout';
import { MenuButton } from '../../ui/menu';
import css from './Explain.module.css';

interface Props {
  half: (typeof PLANS)[number];
  title: string;
  children: ReactNode;
}

const LABELS = { 'finance/index': 'tab.plans', 'publication/index': 'explain.newCoins', 'index/jied': 'menu.loans' } as const;

/** Plans, New coins or Loans: with a switch between them, and with the way back on their further pages. */
export function PlansScreen({ half, title, children }: Props) {
  const reach = useReach();
  const halves = PLANS.filter(reach);
  if (usePlace().path !== half) return <Screen title={title}>{children}</Screen>;
  return (
    <Screen title={title} start={<MenuButton />} left>
      {halves.length > 1 && (
        <div className={css.halves}>
          <Segment label={t('tab.plans')} value={half} onValue={(next) => next !== half && replace(next)} options={halves.map((value) => ({ value, label: t(LABELS[value]) }))} />
        </div>
      )}
      {children}
    </Screen>
  );
}
