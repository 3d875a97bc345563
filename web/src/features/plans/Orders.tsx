import { useState, type ReactNode } from 'react';
import { useHidden } from '../../data/appearance';
import { hostingState, refreshPlans, useEndedHostings, useHostings } from '../../data/plans';
import { useLoggedIn } from '../../data/session';
import type { Hosting } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { afterAnAct, t, useLocale } from '../../lib/i18n';
import type { Amount } from '../../lib/money';
import { unname, useNamedId, useReadOn } from '../../lib/named';
import { href, replace, usePlace } from '../../lib/nav';
import { dateTime, nextUtcDay, serverNow } from '../../lib/time';
import { ButtonLink } from '../../ui/Button';
import { UnderlineTabs } from '../../ui/Choice';
import { EndlessDays } from '../../ui/Endless';
import { amountText, CoinDisc, HIDDEN } from '../../ui/Figures';
import { Card, Screen } from '../../ui/Layout';
import { LazySheet } from '../../ui/LazySheet';
import { GuestPlate, ListState, EmptyState } from '../../ui/ListState';
import { CostLines, StatusChip } from '../../ui/Status';
import { useTotals } from './totals';
import { dayOf } from './model';
import { exactly, planName, rate, utcDay } from './text';
import css from './Plans.module.css';

const hostingSheet = afterAnAct(() => import('./HostingSheet'));
const TABS = ['running', 'completed', 'redeemed'] as const;
type Tab = (typeof TABS)[number];

/**
 * Totals in USDT: the locked amount, the interest of all plans so far, how much of it was paid out, and the interest of the last full day.
 */
function Totals() {
  const locale = useLocale();
  const { hidden } = useHidden();
  const totals = useTotals();
  if (!totals) return null;
  const money = (value: Amount | undefined) => (hidden ? HIDDEN : amountText({ value, code: 'USDT' }, locale));
  return (
    <Card tight>
      <CostLines
        lines={[
          { label: t('plans.hosting'), value: money(totals.locked) },
          { label: t('plans.earned'), value: money(totals.earned) },
          { label: t('plans.received'), value: money(totals.paid) },
          { label: t('plans.lastDay'), value: money(totals.lastDay) },
        ]}
      />
    </Card>
  );
}

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={`flex between lab ${css.line}`}>
    <span className="t2">{label}</span>
    <span className="num m right">{children}</span>
  </div>
);

function HostingCard({ order, onOpen }: { order: Hosting; onOpen: () => void }) {
  const locale = useLocale();
  const { hidden } = useHidden();
  const code = order.currency_name;
  const state = hostingState(order);
  const money = (value: string) => (hidden ? HIDDEN : exactly(value, code));
  const day = dayOf(order, serverNow());
  const bought = dateTime(order.created_at_ms, locale);
  return (
    <button type="button" className={css.open} aria-haspopup="dialog" onClick={onOpen}>
      <Card tight>
        <div className={css.cardHead}>
          <CoinDisc code={code} />
          <div className="grow">
            <div className="b">{planName(order)}</div>
            <div className="lab t2 num">{t('plans.pays', { rate: rate(order.day_percent) })}</div>
          </div>
          {state === 'running' ? <span className="num b">{money(order.amount)}</span> : <StatusChip tone={state === 'completed' ? 'done' : 'info'}>{t(`plans.state.${state}`)}</StatusChip>}
        </div>
        {state === 'running' ? (
          <>
            <Line label={t('plans.current')}>{money(order.current_interest)}</Line>
            <Line label={t('plans.atEnd')}>{money(order.total_interest)}</Line>
            <Line label={t('plans.bought')}>{bought}</Line>
            <div className={css.bar} aria-hidden="true">
              <i style={{ width: `${(day / order.day) * 100}%` }} />
            </div>
            <div className={`cap t2 num ${css.ends}`}>
              <span>{t('plans.day', { day, days: order.day })}</span>
              <span>{order.end_at_ms <= nextUtcDay(serverNow()) ? t('plans.paysNext') : t('plans.next', { date: utcDay(order.end_at_ms) })}</span>
            </div>
          </>
        ) : (
          <>
            <Line label={t('plans.locked')}>{money(order.amount)}</Line>
            <Line label={t('plans.returned')}>{money(order.returned ?? order.amount)}</Line>
            <Line label={t('plans.bought')}>{bought}</Line>
          </>
        )}
      </Card>
    </button>
  );
}

const Empty = () => (
  <EmptyState icon="plans" title={t('assets.emptyTitle')} text={t('plans.mineText')}>
    <ButtonLink kind="commit" small href={href('finance/index')}>
      {t('plans.see')}
    </ButtonLink>
  </EmptyState>
);

function Running({ onOpen }: { onOpen: (order: Hosting) => void }) {
  useNow(60_000);
  return (
    <ListState query={useHostings()} rows={3} isEmpty={(rows) => rows.length === 0} empty={<Empty />} errorTitle={t('plans.error')} errorText={t('assets.errorText')}>
      {(rows) => (
        <div className={css.cards}>
          {rows.map((order) => (
            <HostingCard key={order.id} order={order} onOpen={() => onOpen(order)} />
          ))}
        </div>
      )}
    </ListState>
  );
}

function Ended({ early, onOpen }: { early: boolean; onOpen: (order: Hosting) => void }) {
  const query = useEndedHostings(early);
  return (
    <ListState query={{ ...query, data: query.data?.pages.flat() }} rows={3} isEmpty={(rows) => rows.length === 0} empty={<Empty />} errorTitle={t('plans.error')} errorText={t('assets.errorText')}>
      {(rows) => (
        <EndlessDays rows={rows} at={(order) => order.updated_at_ms} query={query} pages={query.data?.pages.length ?? 0} day={css.day}>
          {(order) => <HostingCard order={order} onOpen={() => onOpen(order)} />}
        </EndlessDays>
      )}
    </ListState>
  );
}

/** The plan order in the address: a running one, or an ended one of this tab. */
function useNamed(tab: Tab): Hosting | undefined {
  const id = useNamedId('finance/ordersPage');
  const running = useHostings().data;
  const ended = useEndedHostings(tab === 'redeemed', id !== undefined && tab !== 'running');
  const rows = tab === 'running' ? running : ended.data?.pages.flat();
  const named = id === undefined ? undefined : rows?.find((order) => order.id === id);
  useReadOn(id !== undefined && tab !== 'running' && ended.data !== undefined && !named, ended);
  return named;
}

/** The member's plan orders: running, matured, and redeemed early. */
export default function Orders() {
  useLocale();
  const loggedIn = useLoggedIn();
  const asked = usePlace().query.get('tab');
  const [tab, setTab] = useState<Tab>(TABS.find((one) => one === asked) ?? 'running');
  const [shown, setShown] = useState<Hosting>();
  const [open, setOpen] = useState(false);
  const running = useHostings().data;
  // While its sheet is open a plan earns and may end, so the sheet shows its present state.
  const order = shown?.status === 1 ? (running?.find(({ id }) => id === shown.id) ?? shown) : shown;
  const choose = (next: Hosting) => {
    setShown(next);
    setOpen(true);
  };
  const named = useNamed(tab);
  const [taken, setTaken] = useState(false);
  if (named && !taken) {
    setTaken(true);
    choose(named);
  }
  const close = () => {
    setOpen(false);
    unname('finance/ordersPage');
  };
  const select = (next: Tab) => {
    setTab(next);
    replace('finance/ordersPage', { tab: next });
  };
  return (
    <Screen title={t('plans.mine')} onRefresh={refreshPlans}>
      {loggedIn ? (
        <div className={css.page}>
          <Totals />
          <div className={css.tabs}>
            <UnderlineTabs label={t('plans.mine')} value={tab} onValue={select} options={TABS.map((value) => ({ value, label: t(`plans.state.${value}`), count: value === 'running' ? running?.length : undefined }))} />
          </div>
          {tab === 'running' ? <Running onOpen={choose} /> : <Ended key={tab} early={tab === 'redeemed'} onOpen={choose} />}
        </div>
      ) : (
        <GuestPlate title={t('plans.guest')} />
      )}
      <LazySheet load={hostingSheet} order={order} open={open} onClose={close} onEnd={setShown} />
    </Screen>
  );
}
