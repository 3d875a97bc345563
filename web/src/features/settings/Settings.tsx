import { useState } from 'react';
import { useConfig } from '../../data/config';
import { signOut, useSession } from '../../data/session';
import { LANGUAGES, languageCode, t, useLocale } from '../../lib/i18n';
import { href, toLogin } from '../../lib/nav';
import { VERSION } from '../../lib/version';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Group, Row, Screen } from '../../ui/Layout';
import { Sheet } from '../../ui/Sheet';
import { CostLines } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { cacheSize, clearCache } from './api';
import { sizeText } from './model';
import css from './Settings.module.css';

function About({ open, onClose }: { open: boolean; onClose: () => void }) {
  const config = useConfig();
  const lines = [
    { label: t('settings.aboutApp'), value: VERSION },
    ...(config
      ? [
          { label: t('settings.aboutMode'), value: t(config.mode === 'sandbox' ? 'settings.modeSandbox' : 'settings.modeLive') },
          { label: t('settings.aboutContract'), value: config.contract },
          { label: t('settings.aboutBuild'), value: <span className="code">{config.build}</span> },
        ]
      : []),
    { label: t('settings.aboutLicence'), value: 'Apache-2.0' },
  ];
  return (
    <Sheet open={open} onClose={onClose} title={t('settings.about')}>
      <p className="t2">{t('settings.aboutText')}</p>
      <div className={css.lines}>
        <CostLines lines={lines} />
      </div>
    </Sheet>
  );
}

/** Clears what the app keeps in memory and can read again. */
function ClearCache() {
  const locale = useLocale();
  const [asking, setAsking] = useState(false);
  const [size, setSize] = useState(cacheSize);
  const open = () => {
    setSize(cacheSize());
    setAsking(true);
  };
  const clear = async () => {
    setAsking(false);
    await clearCache();
    toast(t('settings.cleared', { size: sizeText(size, locale) }));
    setSize(cacheSize());
  };
  return (
    <>
      <Row lead={<Icon name={icons.trash} size={20} />} title={t('settings.cache')} value={<span className="t2 m">{sizeText(size, locale)}</span>} onClick={open} />
      <Sheet
        open={asking}
        onClose={() => setAsking(false)}
        title={t('settings.cacheTitle')}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>{t('ui.cancel')}</Button>
            <Button kind="commit" onClick={() => void clear()}>
              {t('settings.cacheClear', { size: sizeText(size, locale) })}
            </Button>
          </>
        }
      >
        <p className="t2">{t('settings.cacheText')}</p>
      </Sheet>
    </>
  );
}

export default function Settings() {
  useLocale();
  const user = useSession((state) => (state.token ? state.user : null));
  const [about, setAbout] = useState(false);
  const leave = async () => {
    await signOut();
    toast(t('menu.loggedOut'));
  };
  return (
    <Screen title={t('settings.title')}>
      <div className={css.groups}>
        {user && (
          <Group>
            <Row lead={<Icon name={icons.person} size={20} />} title={t('settings.account')} value={<span className="t2 m">{user.nickname}</span>} href={href('settings/account/index')} chevron />
            <Row lead={<Icon name={icons.shield} size={20} />} title={t('settings.security')} href={href('settings/security/index')} chevron />
          </Group>
        )}
        <Group>
          <Row
            lead={<Icon name={icons.globe} size={20} />}
            title={t('settings.language')}
            value={<span className="t2 m">{LANGUAGES.find(({ code }) => code === languageCode())?.name}</span>}
            href={href('settings/language/language')}
            chevron
          />
          <Row lead={<Icon name={icons.palette} size={20} />} title={t('settings.appearance')} href={href('settings/appearance')} chevron />
        </Group>
        <Group>
          <Row lead={<Icon name={icons.shield} size={20} />} title={t('settings.checkUs')} href={href('settings/proof')} chevron />
          <Row lead={<Icon name="info" size={20} />} title={t('settings.about')} onClick={() => setAbout(true)} chevron />
          <ClearCache />
          <Row lead={<Icon name={icons.phone} size={20} />} title={t('settings.version')} value={<span className="t2 m">{VERSION}</span>} />
        </Group>
        <Button wide onClick={() => (user ? void leave() : toLogin())}>
          {t(user ? 'menu.logOut' : 'ui.logIn')}
        </Button>
      </div>
      <About open={about} onClose={() => setAbout(false)} />
    </Screen>
  );
}
