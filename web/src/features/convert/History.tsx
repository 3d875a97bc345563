import { useState } from 'react';
import type { FlashRow } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { clock } from '../../lib/time';
import { EndlessDays } from '../../ui/Endless';
import { CoinDisc } from '../../ui/Figures';
import { Row, Section } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { Sheet } from '../../ui/Sheet';
import { useConversions } from './api';
import { Receipt } from './ReviewSheet';
import { balanceText, costText, doneLines } from './text';
import css from './Convert.module.css';

/** The member's conversions, newest first. */
export function History() {
  const locale = useLocale();
  const query = useConversions();
  const rows = query.data?.pages.flatMap(({ data }) => data);
  const [chosen, setChosen] = useState<{ row: FlashRow; open: boolean }>();
  return (
    <section className={css.history}>
      <Section title={t('convert.history')} />
      <ListState
        query={{ ...query, data: rows }}
        isEmpty={(data) => data.length === 0}
        empty={<EmptyState icon="refresh" title={t('convert.none')} text={t('convert.noneText')} />}
        errorTitle={t('convert.error')}
        errorText={t('convert.errorText')}
        rows={2}
      >
        {(data) => (
          <EndlessDays query={query} pages={query.data?.pages.length ?? 0} rows={data} at={(row) => row.created_at_ms} day={css.day}>
            {(row) => (
              <Row
                lead={<CoinDisc code={row.r_currency_name} />}
                title={t('convert.pair', { from: row.l_currency_name, to: row.r_currency_name })}
                sub={clock(row.created_at_ms, locale, true)}
                value={balanceText(row.net, row.r_currency_name)}
                valueSub={<span className="t2">{costText(row.num, row.l_currency_name)}</span>}
                onClick={() => setChosen({ row, open: true })}
              />
            )}
          </EndlessDays>
        )}
      </ListState>
      {chosen && (
        <Sheet open={chosen.open} onClose={() => setChosen({ ...chosen, open: false })} title={t('convert.receipt')}>
          <Receipt row={chosen.row} lines={doneLines(chosen.row)} />
        </Sheet>
      )}
    </section>
  );
}
