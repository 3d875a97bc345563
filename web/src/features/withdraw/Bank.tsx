import { useProduct } from '../../data/config';
import { BANK, useCards } from '../../data/funding';
import type { AppConfig, UserCenter } from '../../generated/api';
import { t } from '../../lib/i18n';
import { usePlace } from '../../lib/nav';
import { Screen } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import { useInfo } from './api';
import { ofCard } from './Destination';
import { Form } from './Form';
import { Gate } from './Gate';
import { useChoice } from './useChoice';

function Cards({ user, config }: { user: UserCenter; config: AppConfig }) {
  const coinsOpen = useProduct('withdraw_coin');
  const info = useInfo(BANK);
  const cards = useCards();
  const chosen = useChoice(cards.data, usePlace().query.get('card'));
  const coin = config.currencies.find((one) => one.code === 'USDT');
  if (info.data && cards.data && coin) {
    return <Form coin={coin} bank bankOpen={coinsOpen} info={info.data} user={user} goal={chosen && ofCard(chosen)} />;
  }
  return (
    <Screen help title={t('withdraw.toBank')}>
      <ListState query={{ ...(info.data ? cards : info), data: undefined }} errorTitle={t('withdraw.error')} errorText={t('assets.errorText')} rows={6}>
        {() => null}
      </ListState>
    </Screen>
  );
}

/** US dollars to an own bank card, paid from USDT. */
export default function Bank() {
  return <Gate bank>{(user, config) => <Cards user={user} config={config} />}</Gate>;
}
