import { usePrivatePicture } from '../../data/files';
import { useUser } from '../../data/session';
import type { UserCenter } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { date } from '../../lib/time';
import { IconButton } from '../../ui/Button';
import { copyText } from '../../ui/copy';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Group, Row, Screen } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import css from './Account.module.css';

function Photo({ me }: { me: UserCenter }) {
  const { url } = usePrivatePicture(me.avatar);
  return (
    <span className={css.photo} aria-hidden="true">
      {url ? <img src={url} alt="" /> : [...me.nickname].slice(0, 2).join('').toUpperCase()}
    </span>
  );
}

/** The member's profile: picture, name, account number, and contacts. */
export default function Account() {
  const locale = useLocale();
  const user = useUser();
  const none = <span className="t3">{t('profile.none')}</span>;
  return (
    <Screen title={t('profile.account')}>
      <ListState query={user} errorTitle={t('profile.error')} errorText={t('profile.errorText')}>
        {(me) => (
          <>
            <div className={css.person}>
              <Photo me={me} />
              <span className="h2">{me.nickname}</span>
              <span className="lab t2">{t('profile.since', { date: date(me.created_at_ms, locale) })}</span>
            </div>
            <Group>
              <Row title={t('security.photo')} href={href('settings/account/edit', { field: 'photo' })} chevron />
              <Row title={t('profile.nickname')} value={me.nickname} href={href('settings/account/edit')} chevron />
              <Row
                title={t('profile.number')}
                sub={t('profile.numberText')}
                value={me.account_number}
                action={
                  <IconButton label={t('profile.copyNumber')} onClick={() => void copyText(me.account_number)}>
                    <Icon name={icons.copy} size={20} />
                  </IconButton>
                }
              />
              <Row title={t('auth.byPhone')} value={me.phone ? `+${me.area_code} ${me.phone}` : none} href={href('settings/account/edit', { field: 'phone' })} chevron />
              <Row title={t('auth.byEmail')} value={me.email || none} href={href('settings/account/edit', { field: 'email' })} chevron />
            </Group>
            <p className={`${css.under} lab t3`}>{t('profile.masked')}</p>
          </>
        )}
      </ListState>
    </Screen>
  );
}
