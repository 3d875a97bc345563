import * as money from '../../lib/money';
import { Icon } from '../../ui/Icon';
import type { QueueKind, QueueRow } from '../api';
import { caseNumber } from '../model/areas';
import { deadline, span, turn, TURN_TEXT } from '../model/queue';
import css from './queue.module.css';

/** Figures for eyes; the case shows them in full. */
export const rough = (text: string): string => (/^-?\d+(\.\d+)?$/.test(text) ? money.format(money.amount(text), 'en', { min: 2, max: 2 }) : text);

function Age({ row, now, decided }: { row: QueueRow; now: number; decided: boolean }) {
  const { text, tone } = deadline(row, now);
  return (
    <td className="num">
      <b className="m">{span(now - row.created_at_ms)}</b>
      {decided ? (
        <span>{row.status.replaceAll('_', ' ')}</span>
      ) : (
        <span className={tone === 'plain' ? undefined : tone === 'late' ? css.late : 'caution'}>
          {tone === 'late' && <Icon name="warn" size={14} />}
          {text}
        </span>
      )}
    </td>
  );
}

export function Approvals({ row, me }: { row: QueueRow; me: number }) {
  const filled = row.approvals.length;
  return (
    <span className={css.dots}>
      {Array.from({ length: Math.max(row.needs, filled) }, (_, n) => (
        <i key={n} className={n < filled ? css.full : undefined} aria-hidden="true" />
      ))}
      {row.kind === 'withdrawal' && row.status === 'passed' ? 'Approved, to pay' : TURN_TEXT[turn(row, me)]}
    </span>
  );
}

interface Props {
  rows: readonly QueueRow[];
  kind: QueueKind;
  chosen: number | null;
  opened: number | null;
  me: number;
  now: number;
  decided: boolean;
  onOpen: (id: number) => void;
}

export function Rows({ rows, kind, chosen, opened, me, now, decided, onOpen }: Props) {
  const talks = kind === 'ticket' || kind === 'chat';
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Case</th>
          <th scope="col">About</th>
          {!talks && <th scope="col" className="right">Value, USDT</th>}
          <th scope="col">Age</th>
          {!talks && <th scope="col">Approvals</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          // The link in the first cell is the control; the row around it is a larger target for the pointer.
          <tr key={row.id} id={`row-${row.id}`} className={row.id === chosen ? css.chosen : undefined} onClick={() => onOpen(row.id)}>
            <td>
              <a href={`#/${kind}/${row.id}`} aria-current={row.id === opened ? 'true' : undefined}>
                {caseNumber(kind, row.id)}
              </a>
              <span>{row.user_mask}</span>
            </td>
            <td>{row.summary}</td>
            {!talks && <td className="right num">{row.value_usdt === null ? '—' : rough(row.value_usdt)}</td>}
            <Age row={row} now={now} decided={decided} />
            {!talks && (
              <td>
                <Approvals row={row} me={me} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
