import { useState } from 'react';
import { ACCOUNTS, CONTRACTS, type Account } from '../../lib/wire';
import { accountsOf, refreshWallet, useAccounts, useBalance, useWallet } from '../../data/balances';
import { useCommit } from '../../data/commit';
import { config, useCoins, useConfigQuery } from '../../data/config';
import { draft } from '../../data/draft';
import { useOnline } from '../../lib/online';
import { useFrozen } from '../../data/session';
import { t, useLocale } from '../../lib/i18n';
import { amount, sign, wire } from '../../lib/money';
import { href, usePlace } from '../../lib/nav';
import { serverNow } from '../../lib/time';
import { AmountField, type Typed } from '../../ui/AmountField';
import { Button, ButtonLink, IconButton, IconLink, TextLink } from '../../ui/Button';
import { CoinSelect } from '../../ui/CoinSelect';
import { CommitNote } from '../../ui/CommitNote';
import { amountText, UNKNOWN } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { useKeptAmount } from '../../ui/keptAmount';
import { Screen } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import { Select } from '../../ui/Picker';
import { Note } from '../../ui/Status';
import { transfer } from './api';
import { begin, choose, movable, validate, type Reason, type TransferRoute } from './model';
import { Receipt } from './Receipt';
import css from './Transfer.module.css';

interface Sent {
  from: Account;
  to: Account;
  code: string;
  amount: string;
  at: number;
}
type Booked = Awaited<ReturnType<typeof transfer>>;
const kept = draft<Typed>();

function Form() {
  const locale = useLocale();
  const online = useOnline();
  const frozen = useFrozen();
  const { query } = usePlace();
  const all = useCoins();
  const open = useAccounts();
  // Set once from what is offered; the wallet that loads later does not change the choice.
  const [accounts, setAccounts] = useState(() => begin({ from: query.get('from'), to: query.get('to') }, accountsOf(config(), undefined)));
  const [picked, setPicked] = useState<number | string | null>(query.get('coin'));
  const [sent, setSent] = useState<Sent>();
  const { from, to } = accounts;
  const coins = movable(accounts, all);
  const coin = coins.find((one) => String(one.id) === String(picked)) ?? coins.find((one) => one.code === 'USDT') ?? coins[0];
  // Once a coin is shown, only the person's choice replaces it.
  if (coin && picked === null) setPicked(coin.id);
  const code = coin?.code ?? '';
  const { field, input, shown, touch, onBlocked, clear } = useKeptAmount(kept, coin, sent !== undefined);
  const anew = () => {
    if (sent) clear();
    setSent(undefined);
  };
  const { state, busy, run, reset } = useCommit<Booked>('transfer', true, anew);
  const wallet = useWallet();
  const balance = useBalance(from, coin?.id);
  const available = balance && amount(balance.avail);
  const reasons = validate({ from, to, coin, amount: field.parsed, frozen, available });
  const words = (reason: Reason) => t(reason.text, reason.over ? { more: amountText({ value: reason.over, code, kind: 'cost' }, locale) } : reason.values);
  const first = busy ? undefined : reasons[0];
  // If only spot belongs to an offered product, all accounts can be chosen, and none is preselected.
  const choices = open.length > 1 ? ACCOUNTS.filter((account) => [...open, from, to].includes(account)) : ACCOUNTS;
  const names = choices.map((account) => ({ value: account, label: t(`account.${account}`) }));

  const swap = (next: TransferRoute) => {
    setAccounts(next);
    if (state.step === 'refused') reset();
  };
  if (state.step === 'done' && sent) {
    const { data } = state.result;
    return (
      <Screen help title={t('transfer.title')}>
        <Receipt
          {...sent}
          id={data.id}
          fromBalance={data.from_balance}
          toBalance={data.to_balance}
          onAgain={() => {
            anew();
            reset();
          }}
        />
      </Screen>
    );
  }
  const send = async () => {
    const { value } = field;
    if (first || !value || !coin || !to || busy) return;
    setSent({ from, to, code, amount: wire(value), at: serverNow() });
    await run(() => transfer(coin.id, from, to, wire(value)), {
      done: () => void refreshWallet(),
      refused: () => {
        setSent(undefined);
        return false;
      },
    });
  };
  const footer = (
    <Button
      kind="commit"
      wide
      loading={busy}
      reason={online ? first && words(first) : t('transfer.needsConnection')}
      onBlocked={onBlocked}
      onClick={() => void send()}
    >
      {t('transfer.submit', { amount: amountText({ value: field.value, code, full: true }, locale) })}
    </Button>
  );
  return (
    <Screen
      help
      title={t('transfer.title')}
      footer={footer}
      end={
        <IconLink label={t('transfer.record')} href={href('assets/transfer/record')}>
          <Icon name={icons.history} />
        </IconLink>
      }
    >
      <div className={css.form}>
        <div className={css.accounts}>
          <Select label={t('transfer.from')} value={from} onValue={(account) => swap(choose('from', account, accounts))} options={names} />
          <Select label={t('transfer.to')} value={to} placeholder={UNKNOWN} onValue={(account) => swap(choose('to', account, accounts))} options={names} />
          <div className={css.swap}>
            <IconButton label={t('transfer.swap')} onClick={() => to && swap({ from: to, to: from })}>
              <Icon name="transfer" />
            </IconButton>
          </div>
        </div>
        <CoinSelect label={t('transfer.coin')} coins={coins} value={coin?.id} onValue={setPicked} />
        <AmountField
          ref={input}
          label={t('transfer.amount')}
          field={field}
          unit={code}
          available={available}
          aside={t('transfer.available', { amount: available ? amountText({ value: available, code }, locale) : UNKNOWN })}
          error={frozen ? undefined : shown(first && words(first))}
          onBlur={touch}
        />
        {wallet.isError && (
          <Note tone="caution">
            {t('transfer.balanceError')}{' '}
            <Button kind="text" small onClick={() => void wallet.refetch()}>
              {t('ui.tryAgain')}
            </Button>
          </Note>
        )}
        {first?.over && available && (
          <div className={css.fix}>
            {sign(available) > 0 && (
              <Button small onClick={() => field.set(available)}>
                {t('transfer.use', { amount: amountText({ value: available, code, full: true }, locale) })}
              </Button>
            )}
            {from === 'change' && config()?.mode === 'sandbox' && (
              <ButtonLink small href={href('assets/deposit/paper', { coin: coin?.id })}>
                {t('transfer.getMore')}
              </ButtonLink>
            )}
          </div>
        )}
        {frozen ? (
          <Note tone="caution" icon="lock">
            {t('errors.E_ACCOUNT_FROZEN')} <TextLink href={href('settings/security/index')}>{t('settings.security')}</TextLink>
          </Note>
        ) : (
          <Note>{t(from === CONTRACTS ? 'transfer.freeMargin' : 'transfer.free')}</Note>
        )}
        <CommitNote state={state} />
      </div>
    </Screen>
  );
}

/** Money between own accounts: free, at once. */
export default function Transfer() {
  useLocale();
  const query = useConfigQuery();
  if (query.data) return <Form />;
  return (
    <Screen help title={t('transfer.title')}>
      <ListState query={query} errorTitle={t('transfer.error')} errorText={t('transfer.errorText')}>
        {() => null}
      </ListState>
    </Screen>
  );
}
