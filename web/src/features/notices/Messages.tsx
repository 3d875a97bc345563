import { useState } from 'react';
import { markRead, useNotices } from '../../data/notices';
import { useLoggedIn } from '../../data/session';
import type { Notification, NoticeKind } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { dateTime, stamp } from '../../lib/time';
import { ButtonLink } from '../../ui/Button';
import { Endless } from '../../ui/Endless';
import { Icon, type IconName } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Row } from '../../ui/Layout';
import { GuestPlate, ListState, EmptyState } from '../../ui/ListState';
import { Sheet } from '../../ui/Sheet';
import { pageOf } from './model';
import css from './Notices.module.css';

const ICONS: Partial<Record<NoticeKind, IconName>> = {
  deposit: 'deposit',
  withdrawal: 'withdraw',
  order: 'trade',
  loan: 'plans',
  contract: 'trade',
  option: 'option',
  identity: icons.person,
  security: icons.shield,
  ticket: icons.mail,
  chat: icons.help,
};

function Reader({ notice, open, onClose }: { notice: Notification; open: boolean; onClose: () => void }) {
  const locale = useLocale();
  const page = pageOf(notice.kind, notice.object_id);
  const footer = page && (
    <ButtonLink kind="commit" href={href(page.path, page.query)}>
      {t('messages.open')}
    </ButtonLink>
  );
  return (
    <Sheet open={open} onClose={onClose} title={notice.title} footer={footer || undefined}>
      <p className={css.text}>{notice.content}</p>
      <p className="cap t3 num">{stamp(notice.created_at_ms, locale)}</p>
    </Sheet>
  );
}

/** The member's messages, with a dot on unread ones. */
export function Messages() {
  const locale = useLocale();
  const loggedIn = useLoggedIn();
  const notices = useNotices(loggedIn);
  const [opened, setOpened] = useState<{ notice: Notification; open: boolean }>();
  const rows = notices.data?.pages.flatMap((page) => page.data);
  const read = (notice: Notification) => {
    setOpened({ notice, open: true });
    // If this fails it is unread again at the next visit, which loses nothing.
    if (!notice.read) void markRead({ id: notice.id }).catch(() => {});
  };
  return (
    <>
      <ListState
        query={{ ...notices, data: rows }}
        guest={!loggedIn && <GuestPlate title={t('messages.guest')} />}
        isEmpty={(data) => data.length === 0}
        empty={<EmptyState icon="bell" title={t('notices.empty')} text={t('messages.emptyText')} />}
        errorTitle={t('messages.error')}
        errorText={t('notices.errorText')}
      >
        {(data) => (
          <>
            {data.map((notice) => (
              <Row
                key={notice.id}
                lead={<Icon name={ICONS[notice.kind] ?? 'bell'} size={20} />}
                title={
                  <>
                    {!notice.read && (
                      <span className={css.dot}>
                        <span className="vh">{t('messages.unread')}</span>
                      </span>
                    )}
                    {notice.title}
                  </>
                }
                sub={
                  <>
                    <span className={css.first}>{notice.content}</span>
                    {dateTime(notice.created_at_ms, locale)}
                  </>
                }
                onClick={() => read(notice)}
              />
            ))}
            <Endless query={notices} pages={notices.data?.pages.length ?? 0} end={t('messages.end')} />
          </>
        )}
      </ListState>
      {opened && <Reader notice={opened.notice} open={opened.open} onClose={() => setOpened({ ...opened, open: false })} />}
    </>
  );
}
