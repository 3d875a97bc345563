import { useProduct } from '../../data/config';
import { chosenCoin, useAddresses } from '../../data/funding';
import type { AppConfig, UserCenter } from '../../generated/api';
import { t } from '../../lib/i18n';
import { replace, usePlace } from '../../lib/nav';
import { CoinSelect } from '../../ui/CoinSelect';
import { Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import shared from '../../ui/Form.module.css';
import { useInfo } from './api';
import { ofAddress } from './Destination';
import { Form } from './Form';
import { Gate } from './Gate';
import { useChoice } from './useChoice';

function Coins({ user, config }: { user: UserCenter; config: AppConfig }) {
  const { query } = usePlace();
  const bankOpen = useProduct('withdraw_bank');
  const coins = config.currencies.filter((coin) => coin.networks.length > 0);
  const wanted = query.get('coin');
  const coin = chosenCoin(coins, wanted);
  const info = useInfo(coin?.id);
  const book = useAddresses();
  const addresses = book.data?.filter((row) => row.currency === coin?.id);
  const chosen = useChoice(addresses, query.get('address'));
  if (!coin) {
    const code = config.currencies.find((one) => String(one.id) === wanted)?.code;
    return (
      <Screen help title={code ? t('withdraw.title', { code }) : t('withdraw.plain')}>
        <EmptyState icon="pause" title={t('withdraw.closed')} text={t('withdraw.closedText')} />
      </Screen>
    );
  }
  if (info.data && addresses) {
    return <Form key={coin.id} coin={coin} bank={false} bankOpen={bankOpen} info={info.data} user={user} goal={chosen && ofAddress(chosen)} picker={<CoinSelect label={t('assets.coin')} coins={coins} value={coin.id} onValue={(id) => replace('assets/withdraw/index', { coin: id })} />} />;
  }
  return (
    <Screen help title={t('withdraw.title', { code: coin.code })}>
      <div className={shared.form}>
        <ListState query={{ ...(info.data ? book : info), data: undefined }} errorTitle={t('withdraw.error')} errorText={t('assets.errorText')} rows={6}>
          {() => null}
        </ListState>
      </div>
    </Screen>
  );
}

/** Crypto to a stored address. */
export default function Withdraw() {
  return <Gate bank={false}>{(user, config) => <Coins user={user} config={config} />}</Gate>;
}
