import type { AccessRow } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { stamp } from '../../lib/time';
import { Endless } from '../../ui/Endless';
import { Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { useAccessLog } from './api';
import { accessAct, accessKind, accessRoles, ticketOf } from './model';
import css from './Account.module.css';

function why(row: AccessRow): string {
  const id = ticketOf(row);
  return id ? t('tickets.one', { id }) : row.reason;
}

/** Which of our staff viewed the account's data, when and why. */
export default function AccessLog() {
  const locale = useLocale();
  const log = useAccessLog();
  const rows = log.data?.pages.flatMap((page) => page.data);
  return (
    <Screen help title={t('security.access')} onRefresh={log.refetch}>
      <ListState
        query={{ ...log, data: rows }}
        isEmpty={(data) => data.length === 0}
        empty={<EmptyState icon="eye" title={t('security.noAccess')} text={t('security.noAccessText')} />}
        errorTitle={t('security.accessError')}
        errorText={t('profile.errorText')}
      >
        {(data) => (
          <>
            <ul>
              {data.map((row) => (
                <li key={row.id} className={css.entry}>
                  <div className="b">
                    {t(accessAct(row.action))} · {t(accessKind(row.kind))}
                  </div>
                  <div className="lab t2">{t('security.accessBy', { role: accessRoles(row.role).map((role) => t(role)).join(', ') })}</div>
                  {row.reason && <div className="lab t2">{t('security.accessWhy', { reason: why(row) })}</div>}
                  <div className="cap t3 num">{stamp(row.created_at_ms, locale)}</div>
                </li>
              ))}
            </ul>
            <Endless query={log} pages={log.data?.pages.length ?? 0} end={t('security.thatsAll')} />
          </>
        )}
      </ListState>
    </Screen>
  );
}
