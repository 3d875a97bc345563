import { useReach } from '../../data/config';
import { signOut, useSession } from '../../data/session';
import type { UserCenter } from '../../generated/api';
import { LANGUAGES, languageCode, t, useLocale, type Key } from '../../lib/i18n';
import { go, href, toLogin } from '../../lib/nav';
import { Button } from '../../ui/Button';
import { todos } from '../../lib/todos';
import { VERSION } from '../../lib/version';
import { Icon, type IconName } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { closeMenu, useMenu } from '../../ui/menu';
import { Sheet } from '../../ui/Sheet';
import { toast } from '../../ui/Toast';
import css from './Menu.module.css';

interface Entry {
  path: string;
  icon: IconName;
  label: Key;
  aside?: string;
}

/** First letters of the first two words. */
const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();

function identity(user: UserCenter): string {
  if (user.review_status2 === 2) return t('menu.identityBoth');
  return t((['menu.identityNone', 'menu.identityReview', 'menu.identityDone', 'menu.identityRejected'] as const)[user.review_status] ?? 'menu.identityNone');
}

function groups(user: UserCenter | null, reach: (path: string) => boolean): Entry[][] {
  const personal: Entry[] = user
    ? [
        { path: 'verification/index', icon: icons.shield, label: 'menu.identity', aside: identity(user) },
        { path: 'bankbind/index', icon: icons.bank, label: 'menu.cards' },
        { path: 'user/address/address', icon: icons.book, label: 'menu.addresses' },
        { path: 'index/orderlist', icon: icons.list, label: 'menu.orders' },
        { path: 'index/jied', icon: 'plans', label: 'menu.loans' },
        { path: 'promotion/index', icon: icons.share, label: 'menu.invite' },
      ]
    : [];
  const count = user ? todos(user).length : 0;
  const settings: Entry[] = [
    ...(user ? [{ path: 'settings/security/index', icon: icons.key as IconName, label: 'menu.security' as const, ...(count > 0 && { aside: t('menu.securityTodo', { count }) }) }] : []),
    { path: 'settings/language/language', icon: icons.globe, label: 'menu.language', aside: LANGUAGES.find((l) => l.code === languageCode())?.name ?? '' },
    { path: 'settings/index', icon: icons.settings, label: 'menu.settings' },
  ];
  const help: Entry[] = [
    { path: 'help-center', icon: icons.help, label: 'menu.help' },
    { path: 'help/center/chat', icon: icons.chat, label: 'help.chat' },
  ];
  return [personal, settings, help].map((rows) => rows.filter(({ path }) => reach(path))).filter((rows) => rows.length);
}

function Person({ user }: { user: UserCenter }) {
  const body = (
    <>
      <span className={css.initials} aria-hidden="true">
        {initials(user.nickname)}
      </span>
      <span className="grow col">
        <span className="h3">{user.nickname}</span>
        <span className="lab t2 num">{t('menu.uid', { id: user.account_number })}</span>
      </span>
    </>
  );
  return (
    <a className={css.person} href={href('settings/account/index')}>
      {body}
      <Icon name="forward" size={18} />
    </a>
  );
}

/** The left menu. */
export default function Menu() {
  useLocale();
  const reach = useReach();
  const open = useMenu((state) => state.open);
  const user = useSession((state) => (state.token ? state.user : null));
  const leave = async () => {
    closeMenu();
    await signOut();
    toast(t('menu.loggedOut'));
  };
  return (
    <Sheet open={open} onClose={closeMenu} title={t('menu.title')} drawer>
      {user ? (
        <Person user={user} />
      ) : (
        <div className={css.guest}>
          <Button kind="commit" small onClick={() => toLogin()}>
            {t('ui.logIn')}
          </Button>
          <Button small onClick={() => toLogin('choose')}>
            {t('ui.createAccount')}
          </Button>
        </div>
      )}
      <nav aria-label={t('menu.title')}>
        {groups(user, reach).map((rows) => (
          <div key={rows[0]?.path} className={css.group}>
            {rows.map(({ path, icon, label, aside }) => (
              <a
                key={path}
                href={href(path)}
                onClick={(event) => {
                  event.preventDefault();
                  go(path);
                }}
              >
                <span className="t2 flex">
                  <Icon name={icon} size={20} />
                </span>
                <span className="grow">{t(label)}</span>
                {aside && <span className="lab t2">{aside}</span>}
              </a>
            ))}
          </div>
        ))}
      </nav>
      <div className={css.foot}>
        <span className="lab t3 num">{t('app.version', { version: VERSION })}</span>
        {user && (
          <Button kind="text" small onClick={() => void leave()}>
            {t('menu.logOut')}
          </Button>
        )}
      </div>
    </Sheet>
  );
}
