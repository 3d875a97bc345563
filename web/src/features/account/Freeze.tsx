import { useState } from 'react';
import { useUser } from '../../data/session';
import { t, useLocale } from '../../lib/i18n';
import { dateTime } from '../../lib/time';
import { Button } from '../../ui/Button';
import { Group, Screen } from '../../ui/Layout';
import { Sheet } from '../../ui/Sheet';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { freeze } from './api';
import { DayChoice } from './DayChoice';
import { useForm } from './form';
import { OwnPassword, WhosePassword } from './Parts';
import css from './Account.module.css';

const DAYS = [1, 7, 30, 0] as const;
type Days = (typeof DAYS)[number];
const FORM = 'freeze-form';
const name = (days: Days) => (days === 0 ? t('security.untilSupport') : t('security.days', { days }));

/** The last question: the freeze cannot be ended early. */
function Confirm({ days, open, onClose }: { days: Days; open: boolean; onClose: () => void }) {
  const locale = useLocale();
  const [password, setPassword] = useState('');
  const reasons = password === '' ? [{ field: 'password' as const, text: 'security.needLogin' as const }] : [];
  const { form, button, changed, errorAt, general } = useForm<'password'>(
    reasons,
    (code) => (code === 'E_PASSWORD_OLD' ? 'password' : null),
    async () => {
      const until = await freeze(password, days);
      setPassword('');
      onClose();
      toast(until === null ? t('security.frozenSelf') : t('security.frozenUntil', { until: dateTime(until, locale) }));
    },
  );
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('security.freezeSure', { time: name(days) })}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button kind="commit" type="submit" form={FORM} {...button}>
            {t('security.freezeNow')}
          </Button>
        </>
      }
    >
      <form {...form} id={FORM}>
        <WhosePassword />
        <p className="t2">{t(days === 0 ? 'security.freezeFinalSupport' : 'security.freezeFinal')}</p>
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
    </Sheet>
  );
}

/** Stops everything that opens a risk or moves money out, for a chosen time. */
export default function Freeze() {
  useLocale();
  const status = useUser().data?.status ?? 0;
  const [days, setDays] = useState<Days>(1);
  const [asking, setAsking] = useState(false);
  const footer = (
    <Button kind="commit" wide onClick={() => setAsking(true)}>
      {t('security.freezeAsk')}
    </Button>
  );
  return (
    <Screen help title={t('security.freeze')} footer={footer}>
      <div className={css.form}>
        {status !== 0 && <Note tone="caution">{t(status === 2 ? 'security.frozenSelf' : 'security.frozenByUs')}</Note>}
        <p className="t2">{t('security.freezeText')}</p>
        <p className="t2">{t('security.freezeStill')}</p>
      </div>
      <div className={css.note} />
      <Group>
        <DayChoice days={DAYS} name={name} value={days} onValue={setDays} />
      </Group>
      <Confirm days={days} open={asking} onClose={() => setAsking(false)} />
    </Screen>
  );
}
