import type { ComponentType } from 'react';
import { useCommitments } from '../data/coins';
import { t, withWords } from '../lib/i18n';
import { ProductGate } from './ProductGate';

/** Its texts load apart from the main ones. */
const explained = withWords(() => import('../features/explain/NewCoins'));

/** A page of new coins if this server offers them here. A member with subscriptions can see all of it. */
export const coinGate = (Page: ComponentType, further = true) =>
  function CoinGate() {
    const held = (useCommitments().data?.pages[0]?.order_list ?? []).length > 0;
    return (
      <ProductGate product="subscription" title={t('explain.newCoins')} held={held} explained={explained} further={further}>
        <Page />
      </ProductGate>
    );
  };
