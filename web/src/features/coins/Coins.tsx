import { useState } from 'react';
import { refreshCoins, useOfferings } from '../../data/coins';
import { useHalves } from '../../data/config';
import type { Offering } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { t, useLocale } from '../../lib/i18n';
import { href, replace, usePlace } from '../../lib/nav';
import { UnderlineTabs } from '../../ui/Choice';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card } from '../../ui/Layout';
import { later } from '../../ui/Later';
import { ListState, EmptyState } from '../../ui/ListState';
import { PlansScreen } from '../../ui/PlansScreen';
import { Note } from '../../ui/Status';
import { Head, Subscribed } from './Card';
import { shelfOf } from './model';
import css from './Coins.module.css';

const Mine = later(() => import('./Mine'), 4);
const TABS = ['open', 'upcoming', 'launched', 'cancelled', 'mine'] as const;
type Tab = (typeof TABS)[number];

function OfferingCard({ offering }: { offering: Offering }) {
  return (
    <a className={css.card} href={href('publication/details', { id: offering.id })}>
      <Card tight>
        <Head offering={offering}>
          <span className="t3 flex">
            <Icon name="forward" size={20} />
          </span>
        </Head>
        <div className={css.chips} />
        <Subscribed offering={offering} />
      </Card>
    </a>
  );
}

function AssetGroup({ tab }: { tab: Exclude<Tab, 'mine'> }) {
  useNow(30_000);
  const query = useOfferings();
  const rows = query.data?.filter((offering) => shelfOf(offering) === tab);
  return (
    <ListState query={{ ...query, data: rows }} rows={3} isEmpty={(all) => all.length === 0} empty={<EmptyState icon={icons.clock} title={t('coins.none')} text={t('coins.noneText')} />} errorTitle={t('coins.error')} errorText={t('assets.errorText')}>
      {(all) => (
        <div className={css.cards}>
          {all.map((offering) => (
            <OfferingCard key={offering.id} offering={offering} />
          ))}
        </div>
      )}
    </ListState>
  );
}

/** New coins by stage, and the member's subscriptions. */
export default function Coins() {
  useLocale();
  const { path, query } = usePlace();
  const offerings = useOfferings().data;
  const [tab, setTab] = useState<Tab>(TABS.find((one) => path === 'publication/index' && one === query.get('tab')) ?? 'open');
  const select = (next: Tab) => {
    setTab(next);
    replace('publication/index', { tab: next });
  };
  // The tab for cancelled coins exists once there is one.
  const tabs = TABS.filter((one) => one !== 'cancelled' || tab === one || offerings?.some((offering) => shelfOf(offering) === one));
  return (
    <PlansScreen half="publication/index" halves={useHalves()} title={t('explain.newCoins')} onRefresh={refreshCoins}>
      <div className={css.page}>
        <Note tone="caution">
          <b>{t('coins.noteTitle')}</b> {t('coins.note')}
        </Note>
        <div className={css.tabs}>
          <UnderlineTabs label={t('explain.newCoins')} value={tab} onValue={select} options={tabs.map((value) => ({ value, label: t(`coins.tab.${value}`) }))} />
        </div>
        {tab === 'mine' ? <Mine /> : <AssetGroup tab={tab} />}
      </div>
    </PlansScreen>
  );
}
