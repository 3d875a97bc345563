import { useState } from 'react';
import { toggleHidden, useHidden } from '../../data/appearance';
import { refreshWallet, useAccounts, useWallet } from '../../data/balances';
import { useCoins, useConfig, useReach } from '../../data/config';
import { useLoggedIn } from '../../data/session';
import { useTotal } from '../../data/total';
import { t, useLocale } from '../../lib/i18n';
import { amount, isZero } from '../../lib/money';
import { href } from '../../lib/nav';
import { lastTickAt } from '../../lib/socket';
import { clock, serverTime } from '../../lib/time';
import type { PriceOf } from '../../lib/total';
import { ButtonLink, IconButton, IconLink } from '../../ui/Button';
import { Checkbox } from '../../ui/Choice';
import { BigAmount } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Header, Screen, Section } from '../../ui/Layout';
import { GuestPlate, ListState, EmptyState } from '../../ui/ListState';
import { MenuButton } from '../../ui/menu';
import { QuickActions, type QuickAction } from '../../ui/QuickActions';
import type { WalletList } from '../../generated/api';
import { AccountRows, Split } from './Accounts';
import { CoinRow } from './CoinRow';
import { CoinSheet } from './CoinSheet';
import { accountLines, coinLines, hasStalePrice, type CoinLine } from './model';
import css from './Assets.module.css';

const actions = (transfers: boolean, convert: boolean): QuickAction[] => [
  { path: 'assets/deposit/index', icon: 'deposit', label: t('assets.deposit') },
  { path: 'assets/withdraw/index', icon: 'withdraw', label: t('assets.withdraw') },
  ...(transfers ? [{ path: 'assets/transfer/index', icon: 'transfer' as const, label: t('assets.transfer') }] : []),
  convert ? { path: 'assets/flashpair', icon: 'refresh', label: t('assets.convert') } : { path: 'index/orderlist', icon: icons.list, label: t('assets.orders') },
];

function Coins({ wallet, price, hidden }: { wallet: WalletList; price: PriceOf; hidden: boolean }) {
  const coins = useCoins();
  const [hideSmall, setHideSmall] = useState(false);
  const [chosen, setChosen] = useState<number>();
  const lines = coinLines(wallet.change_wallet.balance, coins, price, hideSmall);
  const open: CoinLine | undefined = coinLines(wallet.change_wallet.balance, coins, price, false).find((line) => line.row.currency === chosen);
  return (
    <>
      <Section
        title={t('assets.coins')}
        aside={
          <div className={css.small}>
            <Checkbox checked={hideSmall} onChange={(event) => setHideSmall(event.target.checked)}>
              {t('assets.hideSmall')}
            </Checkbox>
          </div>
        }
      />
      {lines.map((line) => (
        <CoinRow key={line.row.currency} line={line} hidden={hidden} onOpen={() => setChosen(line.row.currency)} />
      ))}
      {lines.length === 0 && <p className="pad lab t2">{t('assets.allSmall')}</p>}
      <CoinSheet line={open} hidden={hidden} onClose={() => setChosen(undefined)} />
    </>
  );
}

function Holdings({ wallet, at, sandbox }: { wallet: WalletList; at: number; sandbox: boolean }) {
  const locale = useLocale();
  const hidden = useHidden((state) => state.hidden);
  const accounts = useAccounts();
  const reach = useReach();
  const { shown, accounts: worths, price, committed, owed } = useTotal();
  const lines = accountLines(worths).filter(({ account, total }) => accounts.includes(account) || !isZero(total));
  const empty = isZero(amount(wallet.total_usdt)) && wallet.change_wallet.balance.every((row) => isZero(amount(row.total)));
  return (
    <>
      <section className="pad">
        <div className="lab t2 m">{t('assets.total')}</div>
        <BigAmount value={shown} code="USDT" hidden={hidden} />
        <p className="lab t3">{hasStalePrice(wallet) ? <span className="caution">{t('assets.stale')}</span> : t('assets.lastPrices', { time: clock(serverTime(lastTickAt() || at), locale, true) })}</p>
        <Split lines={lines} />
        <QuickActions label={t('assets.actions')} actions={actions(accounts.length > 1, reach('assets/flashpair'))} />
      </section>
      {empty && (
        <EmptyState icon="assets" title={t('assets.emptyTitle')} text={t(sandbox ? 'assets.emptyText' : 'assets.emptyLive')}>
          <ButtonLink kind="commit" small href={href(sandbox ? 'assets/deposit/paper' : 'assets/deposit/index')}>
            {t(sandbox ? 'assets.paper' : 'assets.deposit')}
          </ButtonLink>
        </EmptyState>
      )}
      <AccountRows lines={lines} committed={committed} owed={owed} hidden={hidden} />
      {!empty && <Coins wallet={wallet} price={price} hidden={hidden} />}
    </>
  );
}

/** What the member owns, where it is, and how to move it. */
export default function Assets() {
  useLocale();
  const loggedIn = useLoggedIn();
  const wallet = useWallet();
  const sandbox = useConfig()?.mode === 'sandbox';
  const hidden = useHidden((state) => state.hidden);
  const header = (
    <Header
      left
      title={t('assets.title')}
      start={<MenuButton />}
      end={
        loggedIn && (
          <>
            <IconButton label={t(hidden ? 'assets.show' : 'assets.hide')} onClick={toggleHidden}>
              <Icon name={hidden ? 'eyeOff' : 'eye'} />
            </IconButton>
            <IconLink label={t('assets.records')} href={href('assets/transfer/record')}>
              <Icon name={icons.history} />
            </IconLink>
          </>
        )
      }
    />
  );
  return (
    <Screen header={header} {...(loggedIn && { onRefresh: refreshWallet })}>
      <ListState
        query={wallet}
        guest={!loggedIn && <GuestPlate title={t('assets.guestTitle')} text={t('assets.guestText')} />}
        errorTitle={t('assets.error')}
        errorText={t('assets.errorText')}
        rows={6}
      >
        {(data) => <Holdings wallet={data} at={wallet.dataUpdatedAt} sandbox={sandbox} />}
      </ListState>
    </Screen>
  );
}
