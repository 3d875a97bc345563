import type { ReactNode } from 'react';
import { t } from '../../lib/i18n';
import { replace, usePlace } from '../../lib/nav';
import { Segment } from '../../ui/Choice';
import { Screen } from '../../ui/Layout';
import { MenuButton } from '../../ui/menu';
import css from './Explain.module.css';

interface Props {
  half: 'finance/index' | 'publication/index' | 'index/jied';
  title: string;
  children: ReactNode;
}

/** Plans, New coins or Loans: with a switch between them, and with the way back on their further pages. */
export function PlansScreen({ half, title, children }: Props) {
  if (usePlace().path !== half) return <Screen title={title}>{children}</Screen>;
  return (
    <Screen title={title} start={<MenuButton />} left>
      <div className={css.halves}>
        <Segment
          label={t('tab.plans')}
          value={half}
          onValue={(next) => next !== half && replace(next)}
          options={[
            { value: 'finance/index', label: t('tab.plans') },
            { value: 'publication/index', label: t('explain.newCoins') },
            { value: 'index/jied', label: t('menu.loans') },
          ]}
        />
      </div>
      {children}
    </Screen>
  );
}
