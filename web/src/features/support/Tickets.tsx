import { t, useLocale } from '../../lib/i18n';
import { href, usePlace } from '../../lib/nav';
import { dateTime } from '../../lib/time';
import { ButtonLink } from '../../ui/Button';
import { Endless } from '../../ui/Endless';
import * as icons from '../../ui/icons';
import { Row, Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { StatusChip } from '../../ui/Status';
import { useTickets } from './api';
import { stateOf } from './model';

/** Every request to support. */
export default function Tickets() {
  const locale = useLocale();
  const tickets = useTickets();
  const { query } = usePlace();
  const [number, of] = [query.get('number') ?? undefined, query.get('of') ?? undefined];
  const rows = tickets.data?.pages.flatMap((page) => page.data);
  const footer = (
    <ButtonLink kind="commit" wide href={href('help/center/newTicket', { number, of })}>
      {t('tickets.new')}
    </ButtonLink>
  );
  return (
    <Screen title={t('tickets.title')} onRefresh={tickets.refetch} footer={footer}>
      <ListState
        query={{ ...tickets, data: rows }}
        isEmpty={(data) => data.length === 0}
        empty={<EmptyState icon={icons.mail} title={t('tickets.empty')} text={t('tickets.emptyText')} />}
        errorTitle={t('tickets.error')}
        errorText={t('help.errorText')}
      >
        {(data) => (
          <>
            {data.map((ticket) => {
              const { text, tone } = stateOf(ticket.status);
              return (
                <Row
                  key={ticket.id}
                  title={ticket.title}
                  sub={`${ticket.last} · ${dateTime(ticket.updated_at_ms, locale)}`}
                  value={<StatusChip tone={tone}>{t(text)}</StatusChip>}
                  href={href('help/center/ticket', { id: ticket.id })}
                  chevron
                />
              );
            })}
            <Endless query={tickets} pages={tickets.data?.pages.length ?? 0} end={t('tickets.end')} />
          </>
        )}
      </ListState>
    </Screen>
  );
}
