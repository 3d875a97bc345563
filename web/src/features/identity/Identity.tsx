import { useUser } from '../../data/session';
import type { UserCenter } from '../../generated/api';
import { t, useLocale, type Key } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { ButtonLink, IconLink } from '../../ui/Button';
import { Icon, type IconName } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card, Screen } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import { Note, StatusChip } from '../../ui/Status';
import { refreshFunding } from '../../data/funding';
import { canSend, REVIEWS, type Review } from './model';
import css from './Identity.module.css';

interface LevelProps {
  level: 1 | 2;
  user: UserCenter;
}
const NEEDS: Record<1 | 2, readonly [IconName, Key][]> = {
  1: [
    [icons.person, 'identity.basicNeeds'],
    [icons.clock, 'identity.basicTime'],
    ['check', 'identity.basicUnlocks'],
  ],
  2: [
    [icons.camera, 'identity.advancedNeeds'],
    [icons.clock, 'identity.advancedTime'],
    ['check', 'identity.advancedUnlocks'],
  ],
};

function Level({ level, user }: LevelProps) {
  const basic = level === 1;
  const status: Review = basic ? user.review_status : user.review_status2;
  const reason = basic ? user.reason : user.reason2;
  const locked = !basic && user.review_status !== 2;
  const { text, tone } = REVIEWS[status];
  return (
    <Card>
      <div className={css.level}>
        <div className="flex between gap2">
          <h2 className="h3">{t(basic ? 'identity.basic' : 'identity.advanced')}</h2>
          {status !== 0 && <StatusChip tone={tone}>{t(text)}</StatusChip>}
        </div>
        <ul className={css.needs}>
          {NEEDS[level].map(([icon, need]) => (
            <li key={need}>
              <Icon name={icon} size={18} />
              {t(need)}
            </li>
          ))}
        </ul>
        {status === 1 && <p className="lab t2">{t('identity.reviewText')}</p>}
        {status === 3 && reason && <Note tone="danger">{t('identity.rejectedText', { reason })}</Note>}
        {canSend(level, user) ? (
          <ButtonLink kind="commit" wide href={href(basic ? 'verification/basic' : 'verification/advanced')}>
            {t(status === 3 ? 'identity.fix' : basic ? 'identity.startBasic' : 'identity.startAdvanced')}
          </ButtonLink>
        ) : (
          locked && (
            <p className="lab t2 flex gap2">
              <Icon name="lock" size={18} />
              {t('identity.basicFirst')}
            </p>
          )
        )}
      </div>
    </Card>
  );
}

/** The two levels of identity: what each needs, how long it takes, what it unlocks, and its state. */
export default function Identity() {
  useLocale();
  const user = useUser();
  return (
    <Screen
      help
      title={t('identity.title')}
      onRefresh={refreshFunding}
      end={
        <IconLink label={t('identity.history')} href={href('verification/history')}>
          <Icon name={icons.history} />
        </IconLink>
      }
    >
      <ListState query={user} errorTitle={t('identity.error')} errorText={t('assets.errorText')} rows={6}>
        {(data) => (
          <div className={css.levels}>
            <Level level={1} user={data} />
            <Level level={2} user={data} />
            <Note icon="lock">{t('identity.privacy')}</Note>
          </div>
        )}
      </ListState>
    </Screen>
  );
}
