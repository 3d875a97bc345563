import { useState } from 'react';
import { admits, isAccount, SPOT, type Account } from '../../lib/wire';
import { refreshWallet } from '../../data/balances';
import { useCommit } from '../../data/commit';
import { useCoins, useConfigQuery } from '../../data/config';
import { useOnline } from '../../lib/online';
import type { Coin } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { format, wire } from '../../lib/money';
import { usePlace } from '../../lib/nav';
import { AmountField, useAmountInput } from '../../ui/AmountField';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Choice';
import { CoinSelect } from '../../ui/CoinSelect';
import { CommitNote } from '../../ui/CommitNote';
import { amountText } from '../../ui/Figures';
import { Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { CostLines } from '../../ui/Status';
import { getPaperMoney } from './api';
import { paperAmounts, paperLimit, paperReason } from './model';
import { PaperReceipt } from './PaperReceipt';
import css from './Assets.module.css';

type Granted = Awaited<ReturnType<typeof getPaperMoney>>;

function Paper({ account, coins }: { account: Account; coins: readonly Coin[] }) {
  const locale = useLocale();
  const online = useOnline();
  const asked = usePlace().query.get('coin');
  const [picked, setPicked] = useState<number>();
  const coin = coins.find((one) => one.id === picked) ?? coins.find((one) => String(one.id) === asked) ?? coins.find((one) => one.code === 'USDT') ?? coins[0];
  const scale = coin?.scale ?? 0;
  const code = coin?.code ?? '';
  const { field, input, shown, touch, onBlocked, clear } = useAmountInput(scale);
  const { state, busy, run, reset } = useCommit<Granted>();
  const limit = amountText({ value: paperLimit(code), code }, locale);
  const reason = paperReason(field.parsed, code, scale);
  const words = reason ? (reason.text === 'assets.paperMax' ? t(reason.text, { limit }) : t(reason.text, reason.values)) : undefined;

  if (state.step === 'done') {
    const { message } = state.result;
    return (
      <Screen title={t('assets.paper')}>
        <PaperReceipt
          code={code}
          amount={message.amount}
          balance={message.balance}
          seq={message.seq}
          onAgain={() => {
            clear();
            reset();
          }}
        />
      </Screen>
    );
  }
  const send = async () => {
    const { value } = field;
    if (reason || !value || busy) return;
    await run(() => getPaperMoney(code, wire(value), account), { done: () => void refreshWallet() });
  };
  const footer = (
    <Button
      kind="commit"
      wide
      loading={busy}
      reason={words ?? (online ? undefined : t('assets.needsConnection'))}
      onBlocked={onBlocked}
      onClick={() => void send()}
    >
      {t('assets.getAmount', { amount: field.value ? amountText({ value: field.value, code }, locale) : code })}
    </Button>
  );
  return (
    <Screen title={t('assets.paper')} footer={footer}>
      <div className={css.form}>
        <p className="t2">{t('assets.paperText')}</p>
        <CoinSelect
          label={t('assets.coin')}
          coins={coins}
          value={coin?.id}
          onValue={(id) => {
            setPicked(id);
            field.setText('');
          }}
        />
        <AmountField ref={input} label={t('assets.amount')} field={field} unit={code} hint={t('assets.paperLimit', { limit })} error={shown(words)} onBlur={touch} />
        <div className={css.offers} role="group" aria-label={t('assets.offers')}>
          {paperAmounts(code).map((offer) => (
            <Chip key={wire(offer)} onClick={() => field.set(offer)}>
              {format(offer, locale)}
            </Chip>
          ))}
        </div>
        <CostLines
          lines={[
            { label: t('assets.goesTo'), value: t(`account.${account}`) },
            { label: t('assets.fee'), value: t('assets.feeFree') },
            { label: t('assets.arrives'), value: t('assets.atOnce') },
          ]}
        />
        <CommitNote state={state} unknown={(key) => t('assets.unknown', { key })} />
      </div>
    </Screen>
  );
}

/** Paper money of a sandbox; other servers have none. */
export default function PaperMoney() {
  useLocale();
  const config = useConfigQuery();
  // A product that is short of money names its own account.
  const asked = usePlace().query.get('account');
  const account = isAccount(asked) ? asked : SPOT;
  const coins = useCoins().filter((coin) => admits(account, coin));
  if (config.data?.mode === 'sandbox') return <Paper account={account} coins={coins} />;
  return (
    <Screen title={t('assets.deposit')}>
      <ListState query={config} errorTitle={t('assets.configError')} errorText={t('assets.errorText')}>
        {() => <EmptyState icon="deposit" title={t('assets.noDeposits')} text={t('assets.noDepositsText')} />}
      </ListState>
    </Screen>
  );
}
