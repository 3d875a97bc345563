import { useArticle } from '../../data/news';
import { t, useLocale } from '../../lib/i18n';
import { idInAddress, usePlace } from '../../lib/nav';
import { Article } from '../../ui/Article';
import { Screen } from '../../ui/Layout';

export default function HelpArticle() {
  useLocale();
  const article = useArticle(idInAddress(usePlace().query.get('id')));
  return (
    <Screen title={t('help.title')} onRefresh={article.refetch}>
      <Article query={article} />
    </Screen>
  );
}
