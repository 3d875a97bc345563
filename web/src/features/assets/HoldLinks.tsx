import { Fragment } from 'react';
import { useReach } from '../../data/config';
import { t, type Key } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { CONTRACTS, OPTIONS, TRUST, type Account } from '../../lib/wire';
import { TextLink } from '../../ui/Button';

interface HoldLink {
  path: string;
  query?: Record<string, string>;
  label: Key;
}
const ORDERS: HoldLink = { path: 'index/orderlist', label: 'assets.seeOrders' };
const WITHDRAWALS: HoldLink = { path: 'assets/record', query: { tab: 'withdrawals' }, label: 'assets.seeWithdrawals' };
const LOANS: HoldLink = { path: 'index/jied', label: 'assets.seeLoans' };
const NEW_COINS: HoldLink = { path: 'publication/index', query: { tab: 'mine' }, label: 'assets.seeNewCoins' };
const POSITIONS: HoldLink = { path: 'lever/index', label: 'assets.seePositions' };
const PLANS: HoldLink = { path: 'finance/ordersPage', label: 'assets.seePlans' };

/** What may hold a coin in an account, with links. Nothing is held in Options, because stakes leave the account. */
function holders(account: Account, moves: boolean, lends: boolean): { why: Key; ways: readonly HoldLink[] } | undefined {
  if (account === OPTIONS) return undefined;
  if (account === CONTRACTS) return { why: 'assets.frozenMargin', ways: [POSITIONS] };
  if (account === TRUST) return { why: 'assets.frozenPlans', ways: [PLANS] };
  if (!moves) return { why: 'assets.frozenNewCoins', ways: [NEW_COINS, ORDERS] };
  return lends ? { why: 'assets.frozenLoans', ways: [ORDERS, WITHDRAWALS, LOANS] } : { why: 'assets.frozenWhy', ways: [ORDERS, WITHDRAWALS] };
}

/** What holds the frozen part, with links. `moves` is false for a coin without a network, which no withdrawal can hold. */
export function HoldLinks({ account, moves }: { account: Account; moves: boolean }) {
  const found = holders(account, moves, useReach()(LOANS.path));
  if (!found) return null;
  return (
    <p className="lab t2">
      {t(found.why)}{' '}
      {found.ways.map(({ path, query, label }, n) => (
        <Fragment key={path}>
          {n > 0 && ' · '}
          <TextLink href={href(path, query)}>{t(label)}</TextLink>
        </Fragment>
      ))}
    </p>
  );
}
