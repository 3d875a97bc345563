import { useState } from 'react';
import { useLoggedIn, useSession } from '../../data/session';
import { t, useLocale } from '../../lib/i18n';
import { back, usePlace } from '../../lib/nav';
import { Button } from '../../ui/Button';
import { Screen } from '../../ui/Layout';
import { LazySheet } from '../../ui/LazySheet';
import { GuestPlate, ListState } from '../../ui/ListState';
import { useReceipt } from './api';
import { Receipt } from './Receipt';
import css from './Contracts.module.css';

const howClosed = () => import('./HowClosed');
const loadCheck = () => import('../../ui/verify/ReceiptCheck');

/** One contract as a page of its own, with what decided it and the check of its receipt; `order` in the address is its number. */
export default function ContractPage() {
  useLocale();
  const order = usePlace().query.get('order') ?? '';
  // The page keeps its content while another one is in front of it.
  const [id, setId] = useState(0);
  const asked = /^\d{1,15}$/.test(order) ? parseInt(order, 10) : id;
  if (asked !== id) setId(asked);
  const loggedIn = useLoggedIn();
  const userId = useSession(({ user }) => user?.id);
  const query = useReceipt(id);
  const receipt = query.data;
  const closed = receipt?.position.status === 3;
  const [how, setHow] = useState(false);
  const [checking, setChecking] = useState(false);
  return (
    <Screen
      title={t('contracts.detail')}
      footer={
        <div className={css.buttons}>
          {closed && <Button onClick={() => setHow(true)}>{t('contracts.howClosed')}</Button>}
          <Button kind="commit" onClick={back}>
            {t('ui.done')}
          </Button>
        </div>
      }
    >
      {loggedIn ? (
        <div className="pad">
          <ListState query={query} errorTitle={t('contracts.receiptError')} errorText={t('contracts.errorText')}>
            {({ position }) => <Receipt position={position} />}
          </ListState>
          {receipt && (
            <Button wide onClick={() => setChecking(true)}>
              {t('proof.receipt.title')}
            </Button>
          )}
        </div>
      ) : (
        <GuestPlate title={t('contracts.guestOne')} />
      )}
      <LazySheet
        load={loadCheck}
        open={checking && receipt !== undefined}
        receipt={receipt}
        asked={{ userId, shown: { id } }}
        name={`meridian-contract-${id}.json`}
        onClose={() => setChecking(false)}
        onAgain={() => void query.refetch()}
      />
      {receipt && <LazySheet load={howClosed} open={how} onClose={() => setHow(false)} receipt={receipt} />}
    </Screen>
  );
}
