import { useUser } from '../../data/session';
import type { UserCenter } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { dateTime, serverNow } from '../../lib/time';
import { ButtonLink } from '../../ui/Button';
import { Icon, type IconName } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Group, Row, Screen } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import { Note, StatusChip } from '../../ui/Status';
import { ago } from './model';
import { todos, type Todo } from '../../lib/todos';
import css from './Account.module.css';

const STEPS = {
  fund: { text: 'security.todoFund', action: 'security.fundSet', path: 'settings/security/changePayPassword' },
  totp: { text: 'security.todoTotp', action: 'security.totpStart', path: 'settings/security/twofactor' },
} as const;

function Todos({ list }: { list: readonly Todo[] }) {
  const [first] = list;
  if (!first) return null;
  const { text, action, path } = STEPS[first];
  return (
    <section className={css.todo}>
      <div>
        <span className="caution flex">
          <Icon name="warn" />
        </span>
        <div>
          <h2 className="h3">{t('security.todo', { count: list.length })}</h2>
          <p className="t2 lab">{t(text)}</p>
        </div>
      </div>
      <ButtonLink kind="commit" wide href={href(path)}>
        {t(action)}
      </ButtonLink>
    </section>
  );
}

const On = ({ on }: { on: boolean }) =>
  on ? <StatusChip tone="done">{t('security.on')}</StatusChip> : <StatusChip tone="caution">{t('security.off')}</StatusChip>;

/** What is blocked, by whom, and until when. */
function frozenText(me: UserCenter, locale: string): string {
  if (me.freeze_scope === 'withdraw') return t('security.frozenExits');
  if (me.frozen_until_ms !== null) return t('security.frozenUntil', { until: dateTime(me.frozen_until_ms, locale) });
  return t(me.status === 2 ? 'security.frozenSelf' : 'security.frozenByUs');
}

interface EntryProps {
  icon: IconName;
  title: string;
  sub: string;
  on?: boolean;
  path: string;
  query?: Record<string, string>;
}
const Entry = ({ icon, title, sub, on, path, query }: EntryProps) => (
  <Row lead={<Icon name={icon} size={20} />} title={title} sub={sub} {...(on !== undefined && { value: <On on={on} /> })} href={href(path, query)} chevron />
);

function Centre({ me }: { me: UserCenter }) {
  const locale = useLocale();
  const hold = me.withdraw_hold_until_ms ?? 0;
  return (
    <>
      <Todos list={todos(me)} />
      {(me.status !== 0 || hold > serverNow()) && (
        <div className={css.note}>
          <Note tone="caution">
            {me.status !== 0 ? frozenText(me, locale) : t('security.hold', { until: dateTime(hold, locale) })}
          </Note>
        </div>
      )}
      <h2 className={`${css.heading} lab t2 m`}>{t('profile.passwords')}</h2>
      <Group>
        <Entry icon={icons.key} title={t('profile.loginPassword')} sub={me.password_changed_at_ms === null ? t('profile.loginPasswordText') : t('security.changed', { ago: ago(me.password_changed_at_ms, serverNow(), locale) })} path="settings/security/changePassword" />
        <Entry icon="lock" title={t('security.fund')} sub={t('security.fundFor')} on={me.fund_password === 1} path="settings/security/changePayPassword" />
        <Entry icon={icons.shield} title={t('security.totp')} sub={t('security.totpFor')} on={me.totp === 1} path="settings/security/twofactor" />
        {me.withdraw_code !== 'none' && <Entry icon={icons.shield} title={t('security.withdrawCode')} sub={t('security.withdrawCodeFor')} on={me.withdraw_code === 'on'} path="settings/security/withdrawCode" />}
      </Group>
      <h2 className={`${css.heading} lab t2 m`}>{t('security.reach')}</h2>
      <Group>
        <Entry icon={icons.phone} title={t('auth.byPhone')} sub={me.phone ? `+${me.area_code} ${me.phone}` : t('profile.none')} {...(me.phone && { on: true })} path="settings/account/edit" query={{ field: 'phone' }} />
        <Entry icon={icons.mail} title={t('auth.byEmail')} sub={me.email || t('profile.none')} {...(me.email && { on: true })} path="settings/account/edit" query={{ field: 'email' }} />
      </Group>
      <h2 className={`${css.heading} lab t2 m`}>{t('security.watch')}</h2>
      <Group>
        <Entry icon={icons.globe} title={t('security.devices')} sub={t('security.devicesText')} path="settings/security/devices" />
        <Entry icon="eye" title={t('security.access')} sub={t('security.accessText')} path="settings/security/access" />
        <Entry icon={icons.settings} title={t('security.limits')} sub={t('security.limitsFor')} path="settings/security/limits" />
        <Entry icon="pause" title={t('security.freeze')} sub={t('security.freezeFor')} path="settings/security/freeze" />
      </Group>
      <p className={`${css.under} lab t3`}>{t('security.holdBefore')}</p>
    </>
  );
}

/** What protects the account, what is missing, and who viewed it. */
export default function Security() {
  useLocale();
  const user = useUser();
  return (
    <Screen help title={t('profile.security')} onRefresh={user.refetch}>
      <ListState query={user} errorTitle={t('profile.error')} errorText={t('profile.errorText')}>
        {(me) => <Centre me={me} />}
      </ListState>
    </Screen>
  );
}
