import { useState } from 'react';
import { usePositionPages, usePositions } from '../../data/positions';
import type { Position } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { Chip, Chips } from '../../ui/Choice';
import { EndlessDays } from '../../ui/Endless';
import { CoinDisc } from '../../ui/Figures';
import * as icons from '../../ui/icons';
import { Row } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { PositionRow, PositionTitle } from '../../ui/PositionRow';
import { baseOf, positionSide, priceAt, sizeText } from '../../ui/positionText';
import { cancel } from './cancel';
import { triggersText } from './text';
import css from './Contracts.module.css';

function CancelButton({ position }: { position: Position }) {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      small
      loading={busy}
      aria-label={t('contracts.cancelThis', { what: `${position.symbol} ${positionSide(position)}` })}
      onClick={async () => {
        setBusy(true);
        await cancel(position);
        setBusy(false);
      }}
    >
      {t('ui.cancel')}
    </Button>
  );
}

/** Orders that wait for their limit. */
function Waiting({ onOpen }: { onOpen: (position: Position) => void }) {
  const query = usePositions(0);
  return (
    <ListState
      query={query}
      isEmpty={(rows) => rows.length === 0}
      empty={<EmptyState icon={icons.clock} title={t('contracts.noneWaiting')} text={t('contracts.noneWaitingText')} />}
      errorTitle={t('contracts.errorTitle')}
      errorText={t('contracts.errorText')}
    >
      {(rows) => (
        <ul className={css.row}>
          {rows.map((position) => (
            <li key={position.id}>
              <Row
                lead={<CoinDisc code={baseOf(position)} />}
                title={<PositionTitle position={position} />}
                sub={`${sizeText(position)}. ${triggersText(position)}`}
                value={priceAt(position.target_price ?? undefined)}
                valueSub={<span className="t2">{t('trade.kind.limit')}</span>}
                onClick={() => onOpen(position)}
                action={
                  <span className={css.beside}>
                    <CancelButton position={position} />
                  </span>
                }
              />
            </li>
          ))}
        </ul>
      )}
    </ListState>
  );
}

const STATES = [
  { value: undefined, label: 'orders.all' },
  { value: 3, label: 'contracts.state.closed' },
  { value: 4, label: 'contracts.state.cancelled' },
] as const;

/** Ended ones: closed positions and orders that never filled, with the reason. */
function History({ onOpen }: { onOpen: (position: Position) => void }) {
  useLocale();
  const [status, setStatus] = useState<3 | 4 | undefined>(undefined);
  const query = usePositionPages(status);
  const rows = query.data?.pages.flat().filter((position) => position.status === 3 || position.status === 4);
  return (
    <>
      <div className={css.filters}>
        <Chips label={t('orders.filter')}>
          {STATES.map(({ value, label }) => (
            <Chip key={label} on={status === value} onClick={() => setStatus(value)}>
              {t(label)}
            </Chip>
          ))}
        </Chips>
      </div>
      <ListState
        query={{ ...query, data: rows }}
        rows={6}
        isEmpty={(data) => data.length === 0 && !query.hasNextPage}
        empty={<EmptyState icon={icons.history} title={t('contracts.nonePast')} text={t(status === undefined ? 'contracts.nonePastText' : 'orders.noneFiltered')} />}
        errorTitle={t('contracts.errorTitle')}
        errorText={t('contracts.errorText')}
      >
        {(shown) => (
          <EndlessDays rows={shown} at={(position) => position.create_time_ms} query={query} pages={query.data?.pages.length ?? 0} day={css.day} heading="lab t2 m pad">
            {(position) => <PositionRow position={position} onOpen={() => onOpen(position)} />}
          </EndlessDays>
        )}
      </ListState>
    </>
  );
}

interface Props {
  of: 'waiting' | 'history';
  onOpen: (position: Position) => void;
}

/** Waiting orders, or ended positions and orders. */
export default function Lists({ of, onOpen }: Props) {
  return of === 'waiting' ? <Waiting onOpen={onOpen} /> : <History onOpen={onOpen} />;
}
