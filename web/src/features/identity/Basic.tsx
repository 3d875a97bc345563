import { useRef, useState } from 'react';
import { useCommit } from '../../data/commit';
import { useCountries } from '../../data/countries';
import { useOnline } from '../../lib/online';
import { useUser } from '../../data/session';
import { t, useLocale, type Key } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { Refusal, refusalText } from '../../lib/refusal';
import { Button, ButtonLink } from '../../ui/Button';
import { Checkbox } from '../../ui/Choice';
import { CommitNote } from '../../ui/CommitNote';
import { CountryPicker } from '../../ui/Country';
import { Field, useRefused } from '../../ui/Field';
import * as icons from '../../ui/icons';
import { Card, Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { CostLines, Note } from '../../ui/Status';
import shared from '../../ui/Form.module.css';
import { sendDetails, useDetails, useTypedBefore } from './api';
import { canSend, fieldOf, NO_DETAILS, reasonsOf, REVIEWS, sent, type Field as Name } from './model';
import { thenReview } from './sent';
import { Steps } from './Steps';

const LABELS: Record<Name, Key> = {
  country: 'identity.country',
  name: 'identity.name',
  card_id: 'identity.number',
  address: 'identity.contact',
  residence_address: 'identity.residence',
};
const NAMES = ['identity.stepDetails', 'identity.stepCheck', 'identity.stepReview'] as const;

function Form({ rejected, reason }: { rejected: boolean; reason: string }) {
  const online = useOnline();
  useTypedBefore(rejected);
  const details = useDetails();
  const countries = useCountries();
  const [checking, setChecking] = useState(false);
  const [left, setLeft] = useState<readonly Name[]>([]);
  const [refused, setRefused] = useState<{ field: Name; text: string }>();
  const box = useRef<HTMLDivElement>(null);
  const { state, busy, run, reset } = useCommit<unknown>();
  useRefused(box, refused);
  const reasons = reasonsOf(details);
  const first = reasons[0];
  const values = sent(details);
  const country = countries.data?.find((one) => one.iso === details.country)?.name ?? details.country;
  const at = (field: Name) => {
    if (refused?.field === field) return refused.text;
    const reason = reasons.find((one) => one.field === field);
    return reason && left.includes(field) ? t(reason.text, reason.values) : undefined;
  };
  const change = (part: Partial<typeof details>) => {
    useDetails.setState(part);
    setRefused(undefined);
    if (state.step === 'refused') reset();
  };
  const send = () => {
    const review = thenReview();
    return run(() => sendDetails(details), {
      done: () => review().then(() => useDetails.setState(NO_DETAILS)),
      refused: (error) => {
        if (!(error instanceof Refusal)) return false;
        const field = error.code === 'E_KYC_DUP' ? 'card_id' : fieldOf(error.data.field);
        if (!field) return false;
        // A number without a letter or digit is refused, and the field says what it expects.
        setRefused({ field, text: field === 'card_id' && error.code === 'E_FIELD' ? t('identity.nameText') : refusalText(error) });
        setChecking(false);
        return true;
      },
    });
  };
  const field = (name: Name, autoComplete: string, hint?: string) => (
    <Field label={t(LABELS[name])} hint={hint} autoComplete={autoComplete} value={details[name]} error={at(name)} onChange={(event) => change({ [name]: event.target.value })} onBlur={() => details[name] !== '' && setLeft([...left, name])} />
  );
  const footer = checking ? (
    <Button kind="commit" wide loading={busy} reason={online ? undefined : t('assets.needsConnection')} onClick={() => void send()}>
      {t('funding.sendForReview')}
    </Button>
  ) : (
    <Button
      kind="commit"
      wide
      reason={first && t('cards.fillIn')}
      onBlocked={() => {
        setLeft(Object.keys(LABELS) as Name[]);
        [...(box.current?.querySelectorAll('input') ?? [])].find((input) => input.value === '')?.focus();
      }}
      onClick={() => setChecking(true)}
    >
      {t('identity.review')}
    </Button>
  );
  return (
    <Screen help title={t('identity.title')} footer={footer}>
      <Steps names={NAMES} at={checking ? 1 : 0} />
      {checking ? (
        <div className={shared.form}>
          <h2 className="h2">{t('identity.checkTitle')}</h2>
          <Card>
            <CostLines lines={(Object.keys(LABELS) as Name[]).map((name) => ({ label: t(LABELS[name]), value: name === 'country' ? country : values[name] }))} />
          </Card>
          <Button kind="text" onClick={() => setChecking(false)}>
            {t('identity.edit')}
          </Button>
          <Note icon="lock">{t('identity.privacy')}</Note>
          <CommitNote state={state} />
        </div>
      ) : (
        <div ref={box} className={shared.form}>
          {rejected && reason && <Note tone="danger">{t('identity.rejectedText', { reason })}</Note>}
          <CountryPicker countries={countries.data ?? []} value={details.country || undefined} onValue={(iso) => change({ country: iso })} label={t('identity.country')} />
          {at('country') && <p className="lab danger" role="alert">{at('country')}</p>}
          {field('name', 'name', t('identity.nameText'))}
          {field('card_id', 'off')}
          {field('address', 'street-address')}
          <Checkbox checked={details.same} onChange={(event) => change({ same: event.target.checked })}>
            {t('identity.same')}
          </Checkbox>
          {!details.same && field('residence_address', 'street-address')}
          <CommitNote state={state} />
        </div>
      )}
    </Screen>
  );
}

/** Name, document and address. */
export default function Basic() {
  useLocale();
  const user = useUser();
  if (user.data && canSend(1, user.data)) return <Form rejected={user.data.review_status === 3} reason={user.data.reason} />;
  return (
    <Screen help title={t('identity.title')}>
      <ListState query={user} errorTitle={t('identity.error')} errorText={t('assets.errorText')}>
        {(data) => (
          <EmptyState icon={icons.shield} title={t(REVIEWS[data.review_status].text)} text={t('identity.nothingToSend')}>
            <ButtonLink kind="commit" small href={href('verification/index')}>
              {t('identity.title')}
            </ButtonLink>
          </EmptyState>
        )}
      </ListState>
    </Screen>
  );
}
