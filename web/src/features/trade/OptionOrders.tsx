import { useEndedOptions, useOpenOptions } from '../../data/options';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { ButtonLink } from '../../ui/Button';
import { EndlessDays } from '../../ui/Endless';
import * as icons from '../../ui/icons';
import { ListState, EmptyState } from '../../ui/ListState';
import { OptionRow } from '../../ui/OptionRow';

/** Options among the orders: the running ones, then the settled ones. */
export default function OptionOrders() {
  useLocale();
  const running = useOpenOptions();
  const ended = useEndedOptions();
  const settled = ended.data?.pages.flat();
  const open = running.data?.filter((option) => !settled?.some(({ id }) => id === option.id));
  const all = open && settled && [...open, ...settled];
  const refetch = () => Promise.all([running.refetch(), ended.refetch()]);
  return (
    <ListState
      query={{ ...ended, data: all, isError: running.isError || ended.isError, refetch }}
      rows={6}
      isEmpty={(rows) => rows.length === 0}
      empty={
        <EmptyState icon={icons.list} title={t('options.none')} text={t('options.noneSettledText')}>
          <ButtonLink kind="commit" small href={href('option/detail')}>
            {t('tab.option')}
          </ButtonLink>
        </EmptyState>
      }
      errorTitle={t('options.error')}
      errorText={t('options.errorText')}
    >
      {(rows) => (
        <EndlessDays rows={rows} at={(option) => option.created_at_ms} query={ended} pages={ended.data?.pages.length ?? 0} heading="lab t2 m pad">
          {(option) => <OptionRow option={option} />}
        </EndlessDays>
      )}
    </ListState>
  );
}
