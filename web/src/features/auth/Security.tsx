import { signOut } from '../../data/session';
import { t, useLocale } from '../../lib/i18n';
import { href, replace } from '../../lib/nav';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Group, Row, Screen } from '../../ui/Layout';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import css from './Auth.module.css';

/** What protects the account on this server. */
export default function Security() {
  useLocale();
  const leave = async () => {
    replace('index/index');
    await signOut();
    toast(t('profile.loggedOut'));
  };
  return (
    <Screen title={t('profile.security')}>
      <h2 className={`${css.heading} lab t2 m`}>{t('profile.passwords')}</h2>
      <Group>
        <Row lead={<Icon name="key" size={20} />} title={t('profile.loginPassword')} sub={t('profile.loginPasswordText')} href={href('settings/security/changePassword')} chevron />
      </Group>
      <h2 className={`${css.heading} lab t2 m`}>{t('profile.here')}</h2>
      <Group>
        <Row
          lead={<Icon name="phone" size={20} />}
          title={t('profile.thisDevice')}
          sub={t('profile.thisDeviceText')}
          action={
            <Button kind="text" small onClick={() => void leave()}>
              {t('profile.logOut')}
            </Button>
          }
        />
      </Group>
      <div className={css.note}>
        <Note icon="shield">{t('auth.phishing')}</Note>
      </div>
    </Screen>
  );
}
