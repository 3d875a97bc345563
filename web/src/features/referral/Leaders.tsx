import { useSession } from '../../data/session';
import type { Invite, Rank } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { TextLink } from '../../ui/Button';
import { amountText } from '../../ui/Figures';
import { Section } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { useLeaders } from './api';
import { isOnBoard } from './model';
import css from './Referral.module.css';

function Line({ rank, name, invitees, total, me }: { rank: string; name: string; invitees: number; total: string; me: boolean }) {
  const locale = useLocale();
  return (
    <li className={me ? css.me : undefined}>
      <b className="num">{rank}</b>
      <span className="grow">{name}</span>
      <span className="num lab t2">{t('invite.joinedCount', { count: invitees })}</span>
      <span className="num b">{amountText({ value: total, code: 'USDT', bare: true }, locale)}</span>
    </li>
  );
}

/** The ten with the highest totals, and the source of the list; a member without rebates is never on it. */
export function Leaders({ invite }: { invite: Invite | undefined }) {
  const locale = useLocale();
  const count = new Intl.NumberFormat(locale);
  const me = useSession(({ user }) => user?.id);
  const query = useLeaders();
  const nameOf = (rank: Rank) => (me !== undefined && rank.user_id === me ? t('invite.you') : rank.account);
  return (
    <section>
      <Section title={t('invite.top')} aside={<span className="cap t3">{t('invite.byRebate')}</span>} />
      <div className="pad">
        <ListState
          query={query}
          rows={3}
          isEmpty={({ ranks }) => ranks.length === 0}
          empty={<EmptyState icon="star" title={t('invite.topEmpty')} text={t('invite.topEmptyText')} />}
          errorTitle={t('invite.topError')}
        >
          {({ ranks }) => (
            <ol className={css.ranks}>
              {ranks.map((rank) => (
                <Line key={rank.rank} rank={count.format(rank.rank)} name={nameOf(rank)} invitees={rank.invitees} total={rank.total} me={rank.user_id === me} />
              ))}
              {invite && !isOnBoard(ranks, me) && <Line rank="" name={t('invite.you')} invitees={invite.invite_num} total={invite.invite_return_total} me />}
            </ol>
          )}
        </ListState>
        {query.data && (
          <p className="cap t2">
            {t('invite.topFrom', { from: count.format(query.data.from), to: count.format(query.data.to) })} <TextLink href={href('settings/proof')}>{t('invite.topCheck')}</TextLink>
          </p>
        )}
      </div>
    </section>
  );
}
