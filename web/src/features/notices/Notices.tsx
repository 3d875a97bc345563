import { useState } from 'react';
import { ANNOUNCEMENTS, useArticle, useArticles } from '../../data/news';
import { markRead } from '../../data/notices';
import { refresh } from '../../data/query';
import { useSession } from '../../data/session';
import { t, useLocale } from '../../lib/i18n';
import { href, idInAddress, usePlace } from '../../lib/nav';
import { problem } from '../../lib/refusal';
import { date } from '../../lib/time';
import { Article } from '../../ui/Article';
import { Button } from '../../ui/Button';
import { UnderlineTabs } from '../../ui/Choice';
import { Icon } from '../../ui/Icon';
import { Row, Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { toast } from '../../ui/Toast';
import { Messages } from './Messages';

function Detail({ id }: { id: number }) {
  const article = useArticle(id);
  return (
    <Screen title={t('notices.one')} onRefresh={article.refetch}>
      <Article query={article} />
    </Screen>
  );
}

function Announcements({ notices }: { notices: ReturnType<typeof useArticles> }) {
  const locale = useLocale();
  return (
    <>
      <ListState
        query={notices}
        isEmpty={(rows) => rows.length === 0}
        empty={<EmptyState icon="bell" title={t('notices.empty')} text={t('notices.emptyText')} />}
        errorTitle={t('notices.error')}
        errorText={t('notices.errorText')}
      >
        {(rows) =>
          rows.map((notice) => (
            <Row
              key={notice.id}
              lead={<Icon name="bell" size={20} />}
              title={notice.title}
              sub={date(notice.create_time_ms, locale)}
              href={href('notice/index', { id: notice.id })}
              chevron
            />
          ))
        }
      </ListState>
      {notices.hasNextPage && (
        <div className="pad">
          <Button wide loading={notices.isFetchingNextPage} onClick={() => void notices.fetchNextPage()}>
            {t('ui.showMore')}
          </Button>
        </div>
      )}
    </>
  );
}

function List() {
  const notices = useArticles(ANNOUNCEMENTS);
  const unread = useSession(({ user }) => user?.unread ?? 0);
  // A member with unread messages sees those first.
  const [tab, setTab] = useState<'all' | 'mine'>(() => (unread > 0 ? 'mine' : 'all'));
  const [marking, setMarking] = useState(false);
  const markAll = async () => {
    setMarking(true);
    await markRead({ all: 1 }).catch((error: unknown) => toast(problem(error), { icon: 'warn' }));
    setMarking(false);
  };
  const again = () => (tab === 'all' ? notices.refetch() : refresh(['me', 'notices']));
  return (
    <Screen title={t('notices.title')} onRefresh={again}>
      <UnderlineTabs
        label={t('notices.title')}
        value={tab}
        onValue={setTab}
        options={[
          { value: 'all', label: t('messages.announcements') },
          { value: 'mine', label: t('messages.title'), count: unread },
        ]}
      />
      {tab === 'all' ? (
        <Announcements notices={notices} />
      ) : (
        <>
          {unread > 0 && (
            <div className="right pad">
              <Button kind="text" small loading={marking} onClick={() => void markAll()}>
                {t('messages.markAll')}
              </Button>
            </div>
          )}
          <Messages />
        </>
      )}
    </Screen>
  );
}

/** Announcements and the member's messages; with `id` in the address, one announcement. */
export default function Notices() {
  useLocale();
  const id = usePlace().query.get('id');
  return id === null ? <List /> : <Detail id={idInAddress(id)} />;
}
