import { useState } from 'react';
import { useLoggedIn, useSession } from '../../data/session';
import { t, useLocale } from '../../lib/i18n';
import { back } from '../../lib/nav';
import { Button, IconButton } from '../../ui/Button';
import { shareText } from '../../ui/copy';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { LazySheet } from '../../ui/LazySheet';
import { GuestPlate } from '../../ui/ListState';
import { useReceipt } from './api';
import { Receipt } from './Receipt';
import { resultText, sideText, stateOf } from './text';
import css from './Option.module.css';

const howSheet = () => import('./HowSheet');
const loadCheck = () => import('../../ui/verify/ReceiptCheck');

/** The receipt of an option as a page of its own. */
export default function ReceiptPage({ id }: { id: number }) {
  useLocale();
  const loggedIn = useLoggedIn();
  const userId = useSession(({ user }) => user?.id);
  const query = useReceipt(id);
  const receipt = query.data;
  const [how, setHow] = useState(false);
  const [checking, setChecking] = useState(false);
  const order = receipt?.order;
  const share = () =>
    order &&
    void shareText(t('options.share', { symbol: order.symbol_name, direction: sideText(order.type), state: stateOf(order).text, net: resultText(order.fact_profits ?? undefined, order.currency_name), number: String(order.id) }));
  return (
    <Screen
      title={t('options.receipt')}
      end={
        order?.status === 3 && (
          <IconButton label={t('trade.shareOrder')} onClick={share}>
            <Icon name={icons.share} />
          </IconButton>
        )
      }
      footer={
        <div className={css.buttons}>
          {order?.status === 3 && <Button onClick={() => setHow(true)}>{t('options.how')}</Button>}
          <Button kind="commit" onClick={back}>
            {t('ui.done')}
          </Button>
        </div>
      }
    >
      {loggedIn ? (
        <div className="pad">
          <Receipt id={id} />
          {order?.status === 3 && (
            <Button wide onClick={() => setChecking(true)}>
              {t('proof.receipt.title')}
            </Button>
          )}
        </div>
      ) : (
        <GuestPlate title={t('options.guest')} />
      )}
      <LazySheet
        load={loadCheck}
        open={checking && receipt !== undefined}
        receipt={receipt}
        asked={{ userId, shown: { id } }}
        name={`meridian-receipt-${id}.json`}
        onClose={() => setChecking(false)}
        onAgain={() => void query.refetch()}
      />
      {receipt && <LazySheet load={howSheet} open={how} onClose={() => setHow(false)} receipt={receipt} />}
    </Screen>
  );
}
