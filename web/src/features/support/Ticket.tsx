import { t, useLocale } from '../../lib/i18n';
import { idInAddress, usePlace } from '../../lib/nav';
import { Screen } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import { Note, StatusChip } from '../../ui/Status';
import { reply, useTicket } from './api';
import { Composer } from './Composer';
import { stateOf } from './model';
import { Talk } from './Talk';
import css from './Support.module.css';

/** One request with all its messages. */
export default function Ticket() {
  useLocale();
  const id = idInAddress(usePlace().query.get('id'));
  const ticket = useTicket(id);
  const closed = ticket.data?.ticket.status === 3;
  const footer = closed ? <Note>{t('tickets.closedText')}</Note> : ticket.data && <Composer onSend={(text, pictures) => reply(id, text, pictures)} />;
  return (
    <Screen title={t('tickets.one', { id })} onRefresh={ticket.refetch} footer={footer}>
      <ListState query={ticket} errorTitle={t('tickets.error')} errorText={t('help.errorText')}>
        {(data) => {
          const { text, tone } = stateOf(data.ticket.status);
          return (
            <>
              <div className={css.head}>
                <h2 className="h2">{data.ticket.title}</h2>
                <StatusChip tone={tone}>{t(text)}</StatusChip>
              </div>
              <Talk messages={data.messages.toSorted((a, b) => a.created_at_ms - b.created_at_ms || a.id - b.id)} />
            </>
          );
        }}
      </ListState>
    </Screen>
  );
}
