import { useState } from 'react';
import { useHidden } from '../../data/appearance';
import { useCommitments } from '../../data/coins';
import { useLoggedIn } from '../../data/session';
import type { Commitment } from '../../generated/api';
import { commitmentState } from '../../lib/commitment';
import { t, useLocale } from '../../lib/i18n';
import { amount, sign } from '../../lib/money';
import { unname, useNamedId, useReadOn } from '../../lib/named';
import { EndlessDays } from '../../ui/Endless';
import { amountText, CoinDisc, HIDDEN } from '../../ui/Figures';
import * as icons from '../../ui/icons';
import { Card } from '../../ui/Layout';
import { LazySheet } from '../../ui/LazySheet';
import { GuestPlate, ListState, EmptyState } from '../../ui/ListState';
import { CostLines, StatusChip } from '../../ui/Status';
import { coins, exactly, gain, TONES, utcDay } from './text';
import css from './Coins.module.css';

const commitmentSheet = () => import('./CommitmentSheet');

function Row({ row, onOpen }: { row: Commitment; onOpen: () => void }) {
  const { hidden } = useHidden();
  const state = commitmentState(row);
  const shown = (text: string) => (hidden ? HIDDEN : text);
  const got = sign(amount(row.new_currency_num)) > 0;
  return (
    <button type="button" className={css.card} aria-haspopup="dialog" onClick={onOpen}>
      <Card tight>
        <div className={css.head}>
          <CoinDisc code={row.new_currency_name} />
          <div className="grow">
            <div className="b">{row.new_currency_name}</div>
            <div className="lab t2 num">{shown(exactly(row.amount, row.currency_name))}</div>
          </div>
          <StatusChip tone={TONES[state]}>{t(`coins.mine.${state}`)}</StatusChip>
        </div>
        {got && (
          <div className={`lab ${css.got}`}>
            <div className="flex between">
              <span className="t2">{t('coins.return')}</span>
              <span className="num m">{shown(gain(row.interest, 'USDT'))}</span>
            </div>
            <div className="flex between">
              <span className="t2">{row.next_release_ms ? t('coins.next', { date: utcDay(row.next_release_ms) }) : t('coins.got')}</span>
              <span className="num m">{shown(coins(row.new_currency_num, row.new_currency_name))}</span>
            </div>
          </div>
        )}
      </Card>
    </button>
  );
}

/** The member's subscriptions, newest first. */
export default function Mine() {
  const locale = useLocale();
  const { hidden } = useHidden();
  const loggedIn = useLoggedIn();
  const query = useCommitments();
  const [shown, setShown] = useState(useNamedId('publication/index'));
  const rows = query.data?.pages.flatMap((page) => page.order_list);
  const row = rows?.find((one) => one.id === shown);
  useReadOn(shown !== undefined && rows !== undefined && !row, query);
  const total = query.data?.pages[0]?.total_interest;
  const close = () => {
    setShown(undefined);
    unname('publication/index');
  };
  if (!loggedIn) return <GuestPlate title={t('coins.guest')} />;
  return (
    <ListState query={{ ...query, data: rows }} rows={4} isEmpty={(all) => all.length === 0} empty={<EmptyState icon={icons.list} title={t('assets.emptyTitle')} text={t('coins.mineText')} />} errorTitle={t('coins.mineError')} errorText={t('assets.errorText')}>
      {(all) => (
        <>
          <Card tight>
            <CostLines lines={[{ label: t('coins.returns'), value: hidden ? HIDDEN : amountText({ value: total, code: 'USDT', kind: 'result', signed: true }, locale) }]} />
          </Card>
          <EndlessDays rows={all} at={(row) => row.created_at_ms} query={query} pages={query.data?.pages.length ?? 0} day={css.day}>
            {(one) => <Row row={one} onOpen={() => setShown(one.id)} />}
          </EndlessDays>
          <LazySheet load={commitmentSheet} row={row} open={row !== undefined} onClose={close} />
        </>
      )}
    </ListState>
  );
}
