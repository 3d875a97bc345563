import { useState } from 'react';
import { useUser } from '../../data/session';
import type { UserCenter } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { back, href, usePlace } from '../../lib/nav';
import { dateTime, serverNow } from '../../lib/time';
import { Button, TextLink } from '../../ui/Button';
import { CodeRequest } from '../../ui/CodeRequest';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { CodeField } from '../../ui/Secret';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { saveFundPassword, sendOwnCode } from './api';
import { useForm } from './form';
import { fundFieldOf, fundReasons, isWeak, type FundMode } from './model';
import { KeptCode, OtpField, OwnPassword, WhosePassword } from './Parts';
import css from './Account.module.css';

const FORM = 'fund-form';
const TITLES = { set: 'security.fundSet', change: 'security.fundChange', reset: 'security.fundReset' } as const;

function Form({ mode, me, onReview }: { mode: FundMode; me: UserCenter; onReview: () => void }) {
  const locale = useLocale();
  const [typed, setTyped] = useState({ old: '', login: '', code: '', password: '', again: '', otp: '' });
  const values = { ...typed, otp: me.totp ? typed.otp : undefined };
  const { form, button, changed, show, errorAt, general } = useForm(fundReasons(mode, values), fundFieldOf, async (leave) => {
    const { review } = await saveFundPassword({
      password: typed.password,
      re_password: typed.again,
      ...(mode === 'change' ? { oldpassword: typed.old } : { login_password: typed.login, code: typed.code }),
      ...(values.otp !== undefined && { otp: values.otp }),
    });
    if (review) return onReview();
    toast(t('security.fundSaved'));
    leave();
  });
  const change = (part: Partial<typeof typed>) => {
    setTyped((before) => ({ ...before, ...part }));
    changed();
  };
  const lockedUntil = me.fund_locked_until_ms ?? 0;
  const footer = (
    <Button kind="commit" wide type="submit" form={FORM} {...button}>
      {t('ui.save')}
    </Button>
  );
  return (
    <Screen help title={t(TITLES[mode])} footer={footer}>
      <form {...form} id={FORM} className={css.form}>
        <WhosePassword />
        {mode === 'set' && <p className="t2">{t('security.fundText')}</p>}
        {lockedUntil > serverNow() && <Note tone="caution">{t('security.fundLocked', { until: dateTime(lockedUntil, locale) })}</Note>}
        {mode === 'change' ? (
          <CodeField
            name="old"
            secret
            label={t('security.fundOld')}
            aside={<TextLink href={href('settings/security/changePayPassword', { mode: 'reset' })}>{t('security.forgotten')}</TextLink>}
            value={typed.old}
            onValue={(old) => change({ old })}
            error={errorAt('old')}
          />
        ) : (
          <>
            <OwnPassword name="login" value={typed.login} onValue={(login) => change({ login })} error={errorAt('login')} />
            <CodeRequest value={typed.code} onValue={(code) => change({ code })} error={errorAt('code')} send={() => sendOwnCode('fund')}>
              <KeptCode onCode={(code) => change({ code })} />
            </CodeRequest>
          </>
        )}
        <CodeField
          name="password"
          secret
          label={t('security.fundNew')}
          value={typed.password}
          onValue={(password) => change({ password })}
          error={errorAt('password')}
          hint={t(isWeak(typed.password) ? 'security.fundWeak' : 'security.fundHint')}
        />
        <CodeField
          name="again"
          secret
          label={t('auth.repeat')}
          value={typed.again}
          onValue={(again) => {
            change({ again });
            if (again.length === 6) show('again');
          }}
          error={errorAt('again')}
        />
        {values.otp !== undefined && <OtpField name="otp" value={typed.otp} onValue={(otp) => change({ otp })} error={errorAt('otp')} />}
        {general && <Note tone="danger">{general}</Note>}
        {mode !== 'set' && <Note icon={icons.clock}>{t('security.holdBefore')}</Note>}
      </form>
    </Screen>
  );
}

/** The six digits that protect money leaving the account: set, changed, or reset when forgotten. */
export default function FundPassword() {
  useLocale();
  const forgotten = usePlace().query.get('mode') === 'reset';
  const user = useUser();
  const [review, setReview] = useState(false);
  if (review) {
    return (
      <Screen help title={t('security.fundReset')}>
        <EmptyState icon={icons.clock} title={t('security.fundReview')} text={t('security.fundReviewText')}>
          <Button kind="commit" small onClick={back}>
            {t('ui.done')}
          </Button>
        </EmptyState>
      </Screen>
    );
  }
  const me = user.data;
  if (!me) {
    return (
      <Screen help title={t('security.fund')}>
        <ListState query={user} errorTitle={t('profile.error')} errorText={t('profile.errorText')}>
          {() => null}
        </ListState>
      </Screen>
    );
  }
  const mode = me.fund_password === 2 ? 'set' : forgotten ? 'reset' : 'change';
  return <Form key={mode} mode={mode} me={me} onReview={() => setReview(true)} />;
}
