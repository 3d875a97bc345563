import { useState } from 'react';
import { useAccounts } from '../../data/balances';
import { useCoins, useConfig, useReach } from '../../data/config';
import { useSymbols } from '../../data/tickers';
import { t, useLocale } from '../../lib/i18n';
import { amount, isZero, sign } from '../../lib/money';
import { admits, SPOT } from '../../lib/wire';
import { amountText } from '../../ui/Figures';
import * as icons from '../../ui/icons';
import { QuickActions, type QuickAction } from '../../ui/QuickActions';
import { Sheet } from '../../ui/Sheet';
import { CostLines } from '../../ui/Status';
import { CoinCost } from './CoinCost';
import { HoldLinks } from './HoldLinks';
import { hasIndex, type CoinLine } from './model';

/** One coin in full: free, frozen and why, cost and profit, and the available actions. */
export function CoinSheet({ line, hidden, onClose }: { line: CoinLine | undefined; hidden: boolean; onClose: () => void }) {
  const locale = useLocale();
  const config = useConfig();
  const sandbox = config?.mode === 'sandbox';
  const symbols = useSymbols();
  const others = useAccounts().filter((account) => account !== SPOT);
  const coins = useCoins();
  const reach = useReach();
  // The last coin stays in the sheet while it slides out.
  const [last, setLast] = useState(line);
  if (line && line !== last) setLast(line);
  const coin = line ?? last;
  if (!coin) return <Sheet open={false} onClose={onClose} title="">{null}</Sheet>;
  const { code } = coin;
  const text = (value: CoinLine['value'], unit = code, full = true) => (hidden ? '••••' : amountText({ value, code: unit, full }, locale));
  const symbol = symbols.find((name) => name === `${code}/USDT`) ?? symbols.find((name) => name.endsWith(`/${code}`));
  const listed = coins.find(({ id }) => id === coin.row.currency);
  // A coin without a network can neither be deposited nor withdrawn, one that no other account admits stays in Spot, and one without an
  // index price cannot be converted.
  const moves = listed !== undefined && listed.networks.length > 0;
  const transfers = listed !== undefined && others.some((account) => admits(account, listed));
  const converts = reach('assets/flashpair') && hasIndex(config?.markets ?? [], code) && !isZero(amount(coin.price));
  const actions: QuickAction[] = [
    ...(sandbox ? [{ path: 'assets/deposit/paper', query: { coin: coin.row.currency }, icon: 'deposit' as const, label: t('assets.paper') }] : []),
    ...(moves
      ? [
          { path: 'assets/deposit/charge', query: { coin: coin.row.currency }, icon: 'deposit' as const, label: t('assets.deposit') },
          { path: 'assets/withdraw/index', query: { coin: coin.row.currency }, icon: 'withdraw' as const, label: t('assets.withdraw') },
        ]
      : []),
    ...(transfers ? [{ path: 'assets/transfer/index', query: { coin: coin.row.currency, from: 'change' }, icon: 'transfer' as const, label: t('assets.transfer') }] : []),
    ...(converts ? [{ path: 'assets/flashpair', query: { from: coin.row.currency }, icon: 'refresh' as const, label: t('assets.convert') }] : []),
    ...(symbol ? [{ path: 'trade/kline', query: { symbol }, icon: 'trade' as const, label: t('assets.trade') }] : []),
    { path: 'assets/tradeAccount', query: { account: 'change', coin: coin.row.currency }, icon: icons.history, label: t('assets.changes') },
  ];
  return (
    <Sheet open={line !== undefined} onClose={onClose} title={coin.name === code ? code : t('assets.coinTitle', { code, name: coin.name })}>
      <CostLines
        lines={[
          { label: t('assets.freeLabel'), value: text(coin.free) },
          { label: t('assets.frozenLabel'), value: text(coin.frozen) },
          { label: t('assets.valueLabel'), value: text(coin.value, 'USDT', false) },
          { label: t('assets.totalLabel'), value: text(coin.total), total: true },
        ]}
      />
      {code !== 'USDT' && <CoinCost coin={coin} open={line !== undefined} hidden={hidden} />}
      {sign(coin.frozen) > 0 && <HoldLinks account={SPOT} moves={moves} />}
      <QuickActions label={t('assets.actions')} actions={actions} />
    </Sheet>
  );
}
