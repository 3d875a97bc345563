import { useEffect } from 'react';
import { useLoggedIn } from '../../data/session';
import { t } from '../../lib/i18n';
import { fromLogin, href, usePlace } from '../../lib/nav';
import { TextLink } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { carried, setContact } from './contact';
import { within } from './links';
import { LoginFrame } from './Parts';
import css from './Auth.module.css';

/** Phone or e-mail, for registration and for recovery. */
export default function Choose() {
  const reset = usePlace().query.get('for') === 'reset';
  const loggedIn = useLoggedIn();
  useEffect(() => {
    if (loggedIn) fromLogin();
  }, [loggedIn]);
  const path = reset ? 'user/login/forgetPassword' : 'user/login/register';
  const ways = [
    { way: 'phone', icon: icons.phone, label: t('auth.byPhone'), text: t('auth.phoneText') },
    { way: 'email', icon: icons.mail, label: t('auth.byEmail'), text: t('auth.emailText') },
  ] as const;
  return (
    <LoginFrame title={t(reset ? 'auth.resetTitle' : 'auth.chooseTitle')} text={t('auth.chooseText')}>
      <div className={css.form}>
        {ways.map(({ way, icon, label, text }) => (
          <a
            key={way}
            className={css.way}
            href={href(path, carried())}
            onClick={(event) => {
              setContact({ way });
              within(path, carried())(event);
            }}
          >
            <Icon name={icon} />
            <span className="grow col">
              <span className="h3">{label}</span>
              <span className="lab t2">{text}</span>
            </span>
            <Icon name="forward" size={18} />
          </a>
        ))}
      </div>
      <p className={css.other}>
        {t('auth.haveAccount')}{' '}
        <TextLink href={href('user/login/login', carried())} onClick={within('user/login/login', carried())}>
          {t('ui.logIn')}
        </TextLink>
      </p>
    </LoginFrame>
  );
}
