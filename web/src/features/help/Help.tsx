import { useState } from 'react';
import { HELP, useArticles } from '../../data/news';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { Button, ButtonLink } from '../../ui/Button';
import { SearchField } from '../../ui/Field';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { ListState, Plate } from '../../ui/ListState';
import { Note } from '../../ui/Status';
import { matching } from './model';
import css from './Help.module.css';

/** Ways to a person of ours. */
function Contact() {
  return (
    <div className={css.contact}>
      <Note icon={icons.shield}>{t('help.never')}</Note>
      <div className={css.ways}>
        <ButtonLink href={href('help/center/tickets')}>{t('help.requests')}</ButtonLink>
        <ButtonLink kind="commit" href={href('help/center/chat')}>
          {t('help.chat')}
        </ButtonLink>
      </div>
    </div>
  );
}

export default function Help() {
  const locale = useLocale();
  const [text, setText] = useState('');
  const articles = useArticles(HELP);
  return (
    <Screen title={t('help.title')} onRefresh={articles.refetch} footer={<Contact />}>
      <div className="pad">
        <h2 className={`h1 ${css.question}`}>{t('help.question')}</h2>
        <SearchField label={t('help.search')} value={text} onValue={setText} />
      </div>
      <div className={css.list}>
        <ListState
          query={articles}
          isEmpty={(rows) => rows.length === 0}
          empty={<Plate icon={icons.help} title={t('help.empty')} />}
          errorTitle={t('help.error')}
          errorText={t('help.errorText')}
        >
          {(rows) => {
            const found = matching(rows, text, locale);
            if (found.length === 0) {
              return (
                <Plate icon="search" title={t('help.nothing', { text: text.trim() })}>
                  <Button small onClick={() => setText('')}>
                    {t('help.showAll')}
                  </Button>
                </Plate>
              );
            }
            return (
              <ul>
                {found.map(({ id, title }) => (
                  <li key={id}>
                    <a className={css.article} href={href('help/center/detail', { id })}>
                      <span className="grow">{title}</span>
                      <span className="t3 flex">
                        <Icon name="forward" size={18} />
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
            );
          }}
        </ListState>
        {articles.hasNextPage && (
          <Button wide loading={articles.isFetchingNextPage} onClick={() => void articles.fetchNextPage()}>
            {t('ui.showMore')}
          </Button>
        )}
      </div>
    </Screen>
  );
}
