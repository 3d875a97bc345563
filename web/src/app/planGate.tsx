import type { ComponentType } from 'react';
import { useHostings } from '../data/plans';
import { t } from '../lib/i18n';
import { ProductGate } from './ProductGate';

const explained = () => import('../features/explain/Plans');

/** A page of plans if this server offers them here. A member who holds one can see all of it. */
export const planGate = (Page: ComponentType, further = true) =>
  function PlanGate() {
    const held = (useHostings().data ?? []).length > 0;
    return (
      <ProductGate product="plan" title={t('tab.plans')} held={held} explained={explained} further={further}>
        <Page />
      </ProductGate>
    );
  };
