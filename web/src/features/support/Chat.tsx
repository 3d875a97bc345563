import { useEffect, useRef } from 'react';
import { t, useLocale } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { Note } from '../../ui/Status';
import { say, useChat } from './api';
import { Composer } from './Composer';
import { Talk } from './Talk';

/** A chat with support; answers appear by themselves. */
export default function Chat() {
  useLocale();
  const chat = useChat();
  const end = useRef<HTMLDivElement>(null);
  const newest = chat.data?.[0]?.id;
  // In braces, because scrolling returns a promise in new browsers, and an effect must not return one.
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' });
  }, [newest]);
  return (
    <Screen title={t('chat.title')} footer={<Composer onSend={say} />}>
      <div className="pad">
        <Note icon={icons.shield}>{t('help.never')}</Note>
      </div>
      {chat.hasNextPage && (
        <div className="center">
          <Button kind="text" small loading={chat.isFetchingNextPage} onClick={() => void chat.fetchNextPage()}>
            {t('chat.older')}
          </Button>
        </div>
      )}
      <ListState
        query={chat}
        isEmpty={(messages) => messages.length === 0}
        empty={<EmptyState icon={icons.help} title={t('chat.empty')} text={t('chat.emptyText')} />}
        errorTitle={t('chat.error')}
        errorText={t('help.errorText')}
      >
        {(messages) => <Talk messages={messages.toReversed()} />}
      </ListState>
      <div ref={end} />
    </Screen>
  );
}
