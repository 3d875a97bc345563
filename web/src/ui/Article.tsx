import type { NewsDetail } from '../generated/api';
import { t, useLocale } from '../lib/i18n';
import { date } from '../lib/time';
import { ListState } from './ListState';
import { RichText } from './RichText';
import css from './Article.module.css';

interface Props {
  /** A react-query result of one article. */
  query: { data: NewsDetail | undefined; isError: boolean; error: Error | null; isPending: boolean; refetch: () => unknown };
}

/** One announcement or help article with its title and time. */
export function Article({ query }: Props) {
  const locale = useLocale();
  return (
    <ListState query={query} errorTitle={t('notices.articleError')} errorText={t('help.errorText')}>
      {({ title, content, cover, create_time_ms }) => (
        <article className={css.article}>
          <h2 className="h1">{title}</h2>
          <p className="lab t3 num">{date(create_time_ms, locale)}</p>
          {cover && <img className={css.cover} src={cover} alt="" />}
          <RichText html={content} />
        </article>
      )}
    </ListState>
  );
}
