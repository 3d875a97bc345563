import { useDeferredValue, useState } from 'react';
import { HELP, useArticles } from '../../data/news';
import { t } from '../../lib/i18n';
import { href, usePlace } from '../../lib/nav';
import { Button, ButtonLink } from '../../ui/Button';
import { SearchField } from '../../ui/Field';
import { Icon, type IconName } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { Note } from '../../ui/Status';
import { isAbout, topicsOf, type Topic } from './model';
import css from './Help.module.css';

const ICONS: Record<Topic['name'], IconName> = { deposit: 'deposit', withdraw: 'withdraw', identity: icons.person, trade: 'trade', plans: 'plans', account: 'lock' };

/** Ways to reach our staff. */
function Contact() {
  // The receipt passes along what the request is about.
  const { query } = usePlace();
  const [number, of] = [query.get('number') ?? undefined, query.get('of') ?? undefined];
  return (
    <div className={css.contact}>
      <Note icon={icons.shield}>{t('help.never')}</Note>
      <div className={css.ways}>
        <ButtonLink href={href('help/center/tickets', { number, of })}>{t('help.requests')}</ButtonLink>
        <ButtonLink kind="commit" href={href('help/center/chat')}>
          {t('help.chat')}
        </ButtonLink>
      </div>
    </div>
  );
}

export default function Help() {
  const [text, setText] = useState('');
  const [picked, setPicked] = useState<string>();
  const wanted = useDeferredValue(text.trim()) || undefined;
  const articles = useArticles(HELP, wanted);
  const topics = topicsOf(useArticles(HELP).data ?? []);
  const topic = topics.find(({ name }) => name === picked);
  return (
    <Screen title={t('help.title')} onRefresh={articles.refetch} footer={<Contact />}>
      <div className="pad">
        <h2 className={`h1 ${css.question}`}>{t('help.question')}</h2>
        <SearchField label={t('help.search')} value={text} onValue={setText} />
        {topics.length > 0 && (
          <div className={css.topics} role="group" aria-label={t('help.title')}>
            {topics.map(({ name, text: title }) => (
              <button key={name} type="button" className={css.topic} aria-pressed={name === picked} onClick={() => setPicked(name === picked ? undefined : name)}>
                <Icon name={ICONS[name]} />
                <span>{t(title)}</span>
              </button>
            ))}
          </div>
        )}
      </div>
      <div className={css.list}>
        <ListState
          query={articles}
          isEmpty={(rows) => rows.length === 0 && !wanted}
          empty={<EmptyState icon={icons.help} title={t('help.empty')} />}
          errorTitle={t('help.error')}
          errorText={t('help.errorText')}
        >
          {(rows) => {
            const found = topic ? rows.filter((row) => isAbout(topic, row)) : rows;
            if (found.length === 0) {
              return (
                <EmptyState icon="search" title={t('help.nothing', { text: wanted ?? '' })}>
                  <Button
                    small
                    onClick={() => {
                      setText('');
                      setPicked(undefined);
                    }}
                  >
                    {t('help.showAll')}
                  </Button>
                </EmptyState>
              );
            }
            return (
              <>
                <h2 className={`h3 ${css.heading}`}>{t('help.questions')}</h2>
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
              </>
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
