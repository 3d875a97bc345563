import { refreshFunding } from '../../data/funding';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { stamp } from '../../lib/time';
import { ButtonLink } from '../../ui/Button';
import { Endless } from '../../ui/Endless';
import * as icons from '../../ui/icons';
import { Card, Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { CostLines, Note, StatusChip } from '../../ui/Status';
import { useAttempts } from './api';
import { newestFirst, REVIEWS } from './model';
import css from './Identity.module.css';

/** What was submitted when, and the answers. */
export default function History() {
  const locale = useLocale();
  const query = useAttempts();
  const rows = query.data && newestFirst(query.data.pages.flatMap((page) => page.data));
  return (
    <Screen help title={t('identity.history')} onRefresh={refreshFunding}>
      <ListState
        query={{ ...query, data: rows }}
        isEmpty={(data) => data.length === 0}
        empty={
          <EmptyState icon={icons.shield} title={t('identity.noAttempts')} text={t('identity.noAttemptsText')}>
            <ButtonLink kind="commit" small href={href('verification/index')}>
              {t('identity.title')}
            </ButtonLink>
          </EmptyState>
        }
        errorTitle={t('identity.historyError')}
        errorText={t('assets.errorText')}
      >
        {(data) => (
          <div className={css.levels}>
            {data.map((row) => (
              <Card key={row.id}>
                <div className={css.level}>
                  <div className="flex between gap2">
                    <h2 className="h3">{t(row.type === 1 ? 'identity.basic' : 'identity.advanced')}</h2>
                    <StatusChip tone={REVIEWS[row.review_status].tone}>{t(REVIEWS[row.review_status].text)}</StatusChip>
                  </div>
                  <CostLines
                    lines={[
                      { label: t('identity.name'), value: row.name },
                      { label: t('identity.number'), value: row.card_id },
                      { label: t('identity.sentAt'), value: stamp(row.create_time_ms, locale) },
                      ...(row.review_time_ms ? [{ label: t('records.decided'), value: stamp(row.review_time_ms, locale) }] : []),
                    ]}
                  />
                  {row.review_status === 3 && row.reason && <Note tone="danger">{t('withdraw.reason', { reason: row.reason })}</Note>}
                </div>
              </Card>
            ))}
            <Endless query={query} pages={query.data?.pages.length ?? 0} end={t('transfer.end')} />
          </div>
        )}
      </ListState>
    </Screen>
  );
}
