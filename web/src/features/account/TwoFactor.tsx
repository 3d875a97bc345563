import { useState } from 'react';
import { useUser } from '../../data/session';
import { t, useLocale } from '../../lib/i18n';
import { back } from '../../lib/nav';
import { Button, IconButton } from '../../ui/Button';
import { copyText } from '../../ui/copy';
import { Segment } from '../../ui/Choice';
import { Field } from '../../ui/Field';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import { QrCode } from '../../ui/QrCode';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { disableTotp, enableTotp, renewRecovery, setUpTotp } from './api';
import { useForm } from './form';
import { isSecondFactor } from './model';
import { OtpField, OwnPassword, WhosePassword } from './Parts';
import { RecoveryCodes } from './RecoveryCodes';
import css from './Account.module.css';

const FORM = 'two-factor-form';
type Setup = Awaited<ReturnType<typeof setUpTotp>>;

const fieldOf = (code: string) => (code === 'E_PASSWORD_OLD' ? 'password' : code === 'E_2FA_WRONG' ? 'otp' : null);
const passwordReason = (password: string) => (password === '' ? [{ field: 'password' as const, text: 'security.needLogin' as const }] : []);
const codeReason = (fits: boolean) => (fits ? [] : [{ field: 'otp' as const, text: 'auth.needOtp' as const }]);

/** First step: only the owner may start. */
function Start({ onSetup }: { onSetup: (setup: Setup) => void }) {
  const [password, setPassword] = useState('');
  const { form, button, changed, errorAt, general } = useForm<'password' | 'otp'>(passwordReason(password), fieldOf, async () => onSetup(await setUpTotp(password)));
  const footer = (
    <Button kind="commit" wide type="submit" form={FORM} {...button}>
      {t('security.totpStart')}
    </Button>
  );
  return (
    <Screen help title={t('security.totp')} footer={footer}>
      <form {...form} id={FORM} className={css.form}>
        <WhosePassword />
        <p className="t2">{t('security.totpText')}</p>
        <OwnPassword
          name="password"
          value={password}
          onValue={(text) => {
            setPassword(text);
            changed();
          }}
          error={errorAt('password')}
        />
        {general && <Note tone="danger">{general}</Note>}
      </form>
    </Screen>
  );
}

/** Second step: the secret goes into the authenticator app, and the person enters its first code. */
function Scan({ setup, onCodes }: { setup: Setup; onCodes: (codes: string[]) => void }) {
  const [code, setCode] = useState('');
  const { form, button, changed, errorAt, general } = useForm<'password' | 'otp'>(codeReason(code.length === 6), fieldOf, async () => onCodes(await enableTotp(setup.setup_id, code)));
  const footer = (
    <Button kind="commit" wide type="submit" form={FORM} {...button}>
      {t('security.totpOn')}
    </Button>
  );
  return (
    <Screen help title={t('security.totp')} footer={footer}>
      <form {...form} id={FORM} className={css.form}>
        <p className="t2">{t('security.totpScan')}</p>
        <div className={css.setup}>
          <QrCode text={setup.uri} label={t('security.totpQr')} />
        </div>
        <p className="lab t2">{t('security.totpByHand')}</p>
        <div className={css.secret}>
          <span className="code grow">{setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}</span>
          <IconButton label={t('security.copySecret')} onClick={() => void copyText(setup.secret)}>
            <Icon name={icons.copy} size={20} />
          </IconButton>
        </div>
        <OtpField
          name="otp"
          value={code}
          onValue={(digits) => {
            setCode(digits);
            changed();
          }}
          error={errorAt('otp')}
        />
        {general && <Note tone="danger">{general}</Note>}
      </form>
    </Screen>
  );
}

/** Two-factor is on: new recovery codes, or switch it off. */
function Manage({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const [act, setAct] = useState<'renew' | 'off'>('renew');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const reasons = [...passwordReason(password), ...codeReason(act === 'renew' ? code.length === 6 : isSecondFactor(code))];
  const { form, button, changed, errorAt, general } = useForm<'password' | 'otp'>(reasons, fieldOf, async (leave) => {
    if (act === 'renew') return onCodes(await renewRecovery(password, code));
    await disableTotp(password, code.trim());
    toast(t('security.totpIsOff'));
    leave();
  });
  const enter = (typed: string) => {
    setCode(typed);
    changed();
  };
  const footer = (
    <Button kind={act === 'off' ? 'quiet' : 'commit'} wide type="submit" form={FORM} {...button}>
      {t(act === 'off' ? 'security.totpOff' : 'security.newCodes')}
    </Button>
  );
  return (
    <Screen help title={t('security.totp')} footer={footer}>
      <form {...form} id={FORM} className={css.form}>
        <WhosePassword />
        <Segment
          label={t('security.totp')}
          value={act}
          onValue={(next) => {
            setAct(next);
            enter('');
          }}
          options={[
            { value: 'renew', label: t('security.newCodes') },
            { value: 'off', label: t('security.totpOff') },
          ]}
        />
        <p className="t2">{t(act === 'off' ? 'security.totpOffText' : 'security.newCodesText')}</p>
        <OwnPassword
          name="password"
          value={password}
          onValue={(text) => {
            setPassword(text);
            changed();
          }}
          error={errorAt('password')}
        />
        {act === 'renew' ? (
          <OtpField name="otp" value={code} onValue={enter} error={errorAt('otp')} />
        ) : (
          <Field name="otp" label={t('security.otpOrRecovery')} autoComplete="one-time-code" autoCapitalize="off" spellCheck={false} value={code} onChange={(event) => enter(event.target.value)} error={errorAt('otp')} />
        )}
        {general && <Note tone="danger">{general}</Note>}
        {act === 'off' && <Note icon={icons.clock}>{t('security.holdBefore')}</Note>}
      </form>
    </Screen>
  );
}

/** The authenticator app as a second step at log-in. */
export default function TwoFactor() {
  useLocale();
  const user = useUser();
  const [setup, setSetup] = useState<Setup>();
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodes codes={codes} onDone={back} />;
  // The setup took effect although its answer was lost. New recovery codes can be made on the page that follows.
  if (setup && !user.data?.totp) return <Scan setup={setup} onCodes={setCodes} />;
  if (user.data) return user.data.totp ? <Manage onCodes={setCodes} /> : <Start onSetup={setSetup} />;
  return (
    <Screen help title={t('security.totp')}>
      <ListState query={user} errorTitle={t('profile.error')} errorText={t('profile.errorText')}>
        {() => null}
      </ListState>
    </Screen>
  );
}
