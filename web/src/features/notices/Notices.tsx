import { ANNOUNCEMENTS, articleId, useArticle, useArticles } from '../../data/news';
import { t, useLocale } from '../../lib/i18n';
import { href, usePlace } from '../../lib/nav';
import { date } from '../../lib/time';
import { Article } from '../../ui/Article';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Row, Screen } from '../../ui/Layout';
import { ListState, Plate } from '../../ui/ListState';

function Detail({ id }: { id: number }) {
  const article = useArticle(id);
  return (
    <Screen title={t('notices.one')} onRefresh={article.refetch}>
      <Article query={article} />
    </Screen>
  );
}

function List() {
  const locale = useLocale();
  const notices = useArticles(ANNOUNCEMENTS);
  return (
    <Screen title={t('notices.title')} onRefresh={notices.refetch}>
      <ListState
        query={notices}
        isEmpty={(rows) => rows.length === 0}
        empty={<Plate icon="bell" title={t('notices.empty')} text={t('notices.emptyText')} />}
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
    </Screen>
  );
}

/** Announcements; with `id` in the address, one of them. */
export default function Notices() {
  useLocale();
  const id = usePlace().query.get('id');
  return id === null ? <List /> : <Detail id={articleId(id)} />;
}
