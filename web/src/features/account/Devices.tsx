import { useState } from 'react';
import { signOut } from '../../data/session';
import type { Session } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { replace } from '../../lib/nav';
import { problem } from '../../lib/refusal';
import { dateTime } from '../../lib/time';
import { Button } from '../../ui/Button';
import { UnderlineTabs } from '../../ui/Choice';
import { Endless } from '../../ui/Endless';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Row, Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { StatusChip } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { endSessions, useLogins, useSessions } from './api';
import css from './Account.module.css';

/** The browser's name as the server derived it; an unknown one is "Other". */
const deviceName = (device: string): string => (device === '' || device === 'Other, Other' ? t('security.unknownDevice') : device);

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => Promise<void> }) {
  const locale = useLocale();
  const [ending, setEnding] = useState(false);
  const end = async () => {
    setEnding(true);
    await onEnd();
    setEnding(false);
  };
  return (
    <Row
      lead={<Icon name={/android|ios|iphone|mobile/i.test(session.device) ? icons.phone : icons.globe} size={20} />}
      title={deviceName(session.device)}
      sub={session.current ? `${t('profile.thisDevice')} · ${session.address}` : `${t('security.lastUsed', { date: dateTime(session.last_at_ms, locale) })} · ${session.address}`}
      action={
        <Button kind="text" small loading={ending} aria-label={t('security.endOne', { device: deviceName(session.device) })} onClick={() => void end()}>
          {t('profile.logOut')}
        </Button>
      }
    />
  );
}

function Sessions() {
  const sessions = useSessions();
  const [ending, setEnding] = useState(false);
  const end = async (which: { id: number } | { others: 1 }) => {
    try {
      const ended = await endSessions(which);
      toast(t('security.ended', { count: ended }));
    } catch (error) {
      toast(problem(error), { icon: 'warn' });
    }
  };
  const leave = async () => {
    replace('index/index');
    await signOut();
    toast(t('profile.loggedOut'));
  };
  const others = async () => {
    setEnding(true);
    await end({ others: 1 });
    setEnding(false);
  };
  return (
    <ListState query={sessions} errorTitle={t('security.devicesError')} errorText={t('profile.errorText')}>
      {(rows) => (
        <>
          {rows.toSorted((a, b) => b.current - a.current).map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => (session.current ? leave() : end({ id: session.id }))} />
          ))}
          {rows.length > 1 && (
            <div className={css.note}>
              <Button wide loading={ending} onClick={() => void others()}>
                {t('security.endOthers')}
              </Button>
            </div>
          )}
          <p className={`${css.under} lab t3`}>{t('security.devicesHint')}</p>
        </>
      )}
    </ListState>
  );
}

function Logins() {
  const locale = useLocale();
  const logins = useLogins();
  const rows = logins.data?.pages.flatMap((page) => page.data);
  return (
    <ListState
      query={{ ...logins, data: rows }}
      isEmpty={(data) => data.length === 0}
      empty={<EmptyState icon={icons.history} title={t('security.noLogins')} />}
      errorTitle={t('security.devicesError')}
      errorText={t('profile.errorText')}
    >
      {(data) => (
        <>
          {data.map((login) => (
            <Row
              key={login.id}
              title={deviceName(login.device)}
              sub={`${dateTime(login.created_at_ms, locale)} · ${login.address} · ${t(`security.method.${login.method}`)}`}
              value={<StatusChip tone={login.ok ? 'done' : 'danger'}>{t(login.ok ? 'security.loginOk' : 'security.loginFailed')}</StatusChip>}
            />
          ))}
          <Endless query={logins} pages={logins.data?.pages.length ?? 0} end={t('security.thatsAll')} />
        </>
      )}
    </ListState>
  );
}

/** Where the account is open now, and every log-in attempt. */
export default function Devices() {
  useLocale();
  const [tab, setTab] = useState<'open' | 'history'>('open');
  return (
    <Screen help title={t('security.devices')}>
      <UnderlineTabs
        label={t('security.devices')}
        value={tab}
        onValue={setTab}
        options={[
          { value: 'open', label: t('security.open') },
          { value: 'history', label: t('security.history') },
        ]}
      />
      {tab === 'open' ? <Sessions /> : <Logins />}
    </Screen>
  );
}
