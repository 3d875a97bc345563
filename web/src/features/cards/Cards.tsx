import { useState } from 'react';
import { useCommit } from '../../data/commit';
import { useConfig } from '../../data/config';
import { refreshFunding, useCards } from '../../data/funding';
import { useReview } from '../../lib/review';
import { useUser } from '../../data/session';
import type { Card } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { href, replace, usePlace } from '../../lib/nav';
import { date, dateTime, serverNow } from '../../lib/time';
import { ButtonLink, IconButton } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Row, Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { RemovalSheet } from '../../ui/RemovalSheet';
import { toast } from '../../ui/Toast';
import { removeCard } from './api';
import { lastFour } from './model';

const nameOf = (card: Card) => t('cards.name', { bank: card.bank_name, last: lastFour(card.bank_account) });

function Removal({ card, onClose }: { card: Card | undefined; onClose: () => void }) {
  const { state, busy, run } = useCommit<unknown>('card', true, onClose);
  const review = useReview(card, true);
  const send = ({ id }: Card) =>
    run(() => removeCard(id), {
      done: async () => {
        await refreshFunding();
        toast(t('cards.removed'));
        onClose();
      },
    });
  return (
    <RemovalSheet title={t('cards.removeTitle')} review={review} busy={busy} state={state} onRemove={send} onClose={onClose}>
      {(reviewed) => (
        <>
          <p className="m">{nameOf(reviewed)}</p>
          <p className="t2">{reviewed.real_name}</p>
        </>
      )}
    </RemovalSheet>
  );
}

/** The member's bank cards. Opened with `pick=1`, the list returns one to the withdrawal. */
export default function Cards() {
  const locale = useLocale();
  const pick = usePlace().query.get('pick') === '1';
  const cards = useCards();
  const user = useUser().data;
  const most = useConfig()?.limits.cards;
  const [removing, setRemoving] = useState<number>();
  const now = serverNow();
  const verified = user?.review_status === 2;
  const full = most !== undefined && (cards.data?.length ?? 0) >= most;
  const footer = !verified ? undefined : full ? (
    <p className="lab t2 center">{t('errors.E_CARD_MAX', { max: most })}</p>
  ) : (
    <ButtonLink kind="commit" wide href={href('bankbind/addbank', { ...(pick && { pick: 1 }) })}>
      {t('cards.add')}
    </ButtonLink>
  );
  return (
    <Screen help title={t(pick ? 'cards.pick' : 'cards.title')} onRefresh={refreshFunding} footer={footer}>
      <ListState
        query={cards}
        isEmpty={(data) => data.length === 0}
        empty={
          <EmptyState icon={icons.bank} title={t('cards.empty')} text={t(verified ? 'cards.addFirstText' : 'cards.identityText')}>
            {!verified && (
              <ButtonLink kind="commit" small href={href('verification/index')}>
                {t('identity.title')}
              </ButtonLink>
            )}
          </EmptyState>
        }
        errorTitle={t('cards.error')}
        errorText={t('assets.errorText')}
      >
        {(data) =>
          data.map((card) => (
            <Row
              key={card.id}
              lead={<Icon name={icons.bank} />}
              title={nameOf(card)}
              sub={
                <>
                  {card.real_name}
                  {' · '}
                  {card.usable_at_ms > now ? <span className="caution">{t('withdraw.usableFrom', { time: dateTime(card.usable_at_ms, locale) })}</span> : t('funding.added', { date: date(card.create_time_ms, locale) })}
                </>
              }
              {...(pick && { onClick: () => replace('assets/withdraw/bank/bank', { card: card.id }) })}
              action={
                !pick && (
                  <IconButton label={t('cards.removeOne', { name: nameOf(card) })} onClick={() => setRemoving(card.id)}>
                    <Icon name={icons.trash} size={20} />
                  </IconButton>
                )
              }
            />
          ))
        }
      </ListState>
      {removing !== undefined && <Removal card={cards.data?.find(({ id }) => id === removing)} onClose={() => setRemoving(undefined)} />}
    </Screen>
  );
}
