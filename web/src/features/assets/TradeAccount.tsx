import { useState } from 'react';
import { useHidden } from '../../data/appearance';
import { ACCOUNTS, admits, type Account } from '../../lib/wire';
import { refreshWallet, useWallet } from '../../data/balances';
import { useCoins, useConfig } from '../../data/config';
import { useTotal } from '../../data/total';
import type { WalletList } from '../../generated/api';
import { RANGES, rangeStart, type Range } from '../../lib/days';
import { t, useLocale } from '../../lib/i18n';
import { isZero, sign, type Amount } from '../../lib/money';
import { href, usePlace } from '../../lib/nav';
import { serverNow } from '../../lib/time';
import { freeOf, frozenOf } from '../../lib/total';
import { ButtonLink, IconButton } from '../../ui/Button';
import { Chips } from '../../ui/Choice';
import { amountText, BigAmount, Result } from '../../ui/Figures';
import { FilterChip } from '../../ui/FilterChip';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card, Screen, Section } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import { CostLines } from '../../ui/Status';
import { useLog } from './api';
import { HoldLinks } from './HoldLinks';
import { Log } from './Log';
import { firstCoin, logKey, logKinds, otherKinds } from './model';
import { Statement } from './Statement';
import css from './Assets.module.css';

function Detail({ account, wallet }: { account: Account; wallet: WalletList }) {
  const locale = useLocale();
  const wanted = usePlace().query.get('coin');
  const coins = useCoins().filter((coin) => admits(account, coin));
  const hidden = useHidden((state) => state.hidden);
  const [picked, setPicked] = useState<number>();
  const [kind, setKind] = useState(0);
  const [range, setRange] = useState<Range>('all');
  const worth = useTotal().accounts.find((one) => one.account === account);
  const asked = coins.find((coin) => String(coin.id) === wanted)?.id;
  // Values change meanwhile; the coin that the log opened with stays.
  const [opened, setOpened] = useState<number>();
  const first = opened ?? firstCoin(account, wallet, coins);
  if (first !== opened) setOpened(first);
  const coin = coins.find((one) => one.id === (picked ?? asked ?? first));
  const row = wallet[`${account}_wallet`].balance.find((one) => one.currency === coin?.id);
  const text = (value: Amount) => (hidden ? '••••' : amountText({ value, code: coin?.code ?? '', full: true }, locale));
  const sandbox = useConfig()?.mode === 'sandbox';
  const kinds = logKinds(account, sandbox).flatMap((number) => {
    const key = logKey(number);
    return key ? [{ value: number, label: t(key) }] : [];
  });
  // Computed from lines of all kinds, so that choosing a kind does not remove the other choices.
  const rows = useLog(account, coin?.id, 0).data?.pages.flatMap(({ list }) => list) ?? [];
  // Another coin may have no lines of this kind.
  const pick = (id: number) => {
    setPicked(id);
    if (otherKinds(rows).some(({ value }) => value === kind)) setKind(0);
  };
  return (
    <>
      <section className={css.head}>
        <div className="lab t2 m">{t('assets.total')}</div>
        <BigAmount value={worth?.total} code="USDT" hidden={hidden} />
        <div className={css.pair}>
          <ButtonLink href={href('assets/transfer/index', { to: account, coin: coin?.id })}>{t('assets.transferIn')}</ButtonLink>
          <ButtonLink href={href('assets/transfer/index', { from: account, coin: coin?.id })}>{t('assets.transferOut')}</ButtonLink>
        </div>
      </section>
      <Section title={t('assets.changes')} />
      <div className={css.filters}>
        <Chips label={t('assets.filters')}>
          {coin && coins.length > 0 && (
            <FilterChip label={t('assets.coin')} value={coin.id} onValue={pick} options={coins.map(({ id, code }) => ({ value: id, label: code }))} />
          )}
          <FilterChip label={t('assets.kind')} value={kind} all={0} onValue={setKind} options={[{ value: 0, label: t('assets.allKinds') }, ...kinds, ...otherKinds(rows)]} />
          <FilterChip label={t('assets.time')} value={range} all="all" onValue={setRange} options={RANGES.map((value) => ({ value, label: t(`assets.range.${value}`) }))} />
        </Chips>
        {row && (
          <Card tight>
            <CostLines
              lines={[
                { label: t('assets.freeLabel'), value: text(freeOf(row, account)) },
                { label: t('assets.frozenLabel'), value: text(frozenOf(row, account)) },
                ...(worth && !isZero(worth.open) ? [{ label: t('assets.openProfit'), value: <Result value={worth.open} code="USDT" hidden={hidden} /> }] : []),
              ]}
            />
            {sign(frozenOf(row, account)) > 0 && <HoldLinks account={account} moves={(coin?.networks.length ?? 0) > 0} />}
          </Card>
        )}
      </div>
      <Log account={account} coin={coin} kind={kind} from={rangeStart(range, serverNow())} hidden={hidden} />
    </>
  );
}

/** One account and every change to it. */
export default function TradeAccount() {
  useLocale();
  const named = usePlace().query.get('account');
  const account = ACCOUNTS.find((name) => name === named) ?? 'change';
  const wallet = useWallet();
  const [saving, setSaving] = useState(false);
  return (
    <Screen
      help
      title={t(`account.${account}`)}
      onRefresh={refreshWallet}
      end={
        <IconButton label={t('assets.statement')} onClick={() => setSaving(true)}>
          <Icon name={icons.download} />
        </IconButton>
      }
    >
      <ListState query={wallet} errorTitle={t('assets.error')} errorText={t('assets.errorText')} rows={6}>
        {(data) => <Detail key={account} account={account} wallet={data} />}
      </ListState>
      <Statement open={saving} onClose={() => setSaving(false)} />
    </Screen>
  );
}
