import * as money from '../../lib/money';
import { Icon } from '../../ui/Icon';
import type { QueueKind, QueueRow } from '../api';
import { caseNumber } from '../model/areas';
import { checkText, deadline, riskOf, span, stateText, waits, type Risk } from '../model/queue';
import { grouped, label } from '../model/values';
import css from './queue.module.css';

/** Rounded for reading; the case shows full figures. */
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
      {Array.from({ length: waits(row.status) ? Math.max(row.needs, filled) : filled }, (_, n) => (
        <i key={n} className={n < filled ? css.full : undefined} aria-hidden="true" />
      ))}
      {stateText(row, me)}
    </span>
  );
}

const RISKS: Record<Risk, string> = { low: 'Low', medium: 'Medium', high: 'High' };
const whatToRead = ({ failed_checks }: QueueRow) => failed_checks.map((name) => checkText({ name, ok: 0, known: 1 })).join(', ');

/** As many marks as checks need a person, with a word. */
function RiskCell({ row }: { row: QueueRow }) {
  const risk = riskOf(row);
  return (
    <span className={`${css.risk} ${css[risk]}`} title={whatToRead(row)}>
      <i aria-hidden="true" />
      {RISKS[risk]}
    </span>
  );
}

/** A row contains only the cheap checks. The others run when the case is opened, so here none of them counts as passed. */
function Checked({ row }: { row: QueueRow }) {
  const count = row.failed_checks.length;
  return (
    <span className={count ? `${css.dots} caution` : css.dots} title={whatToRead(row)}>
      {count > 0 && <Icon name="warn" size={14} />}
      {count ? `${count} to read` : 'Open to check'}
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
  const valued = kind === 'deposit' || kind === 'bank_deposit' || kind === 'loan';
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Case</th>
          <th scope="col">{kind === 'identity' ? 'Level' : kind === 'withdrawal' ? 'Amount' : 'About'}</th>
          {valued && <th scope="col" className="right">Value, USDT</th>}
          <th scope="col">Age</th>
          {kind === 'identity' && <th scope="col">Checks</th>}
          {kind === 'withdrawal' && <th scope="col">Risk</th>}
          {!talks && <th scope="col">Approvals</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          // The link in the first cell is the control; the row is a larger target for the pointer.
          <tr key={row.id} id={`row-${row.id}`} className={row.id === chosen ? css.chosen : undefined} onClick={() => onOpen(row.id)}>
            <td>
              <a href={`#/${kind}/${row.id}`} aria-current={row.id === opened ? 'true' : undefined}>
                {caseNumber(kind, row.id)}
              </a>
              <span>{row.user_mask}</span>
            </td>
            {kind === 'withdrawal' ? (
              <td className="num">
                <b className="m">{grouped(row.summary)}</b>
                <span>{row.value_usdt === null ? '' : `worth ${rough(row.value_usdt)} USDT`}</span>
              </td>
            ) : (
              <td>{kind === 'identity' ? label(row.summary.replace(' level', '')) : talks ? row.summary : grouped(row.summary)}</td>
            )}
            {valued && <td className="right num">{row.value_usdt === null ? '—' : rough(row.value_usdt)}</td>}
            <Age row={row} now={now} decided={decided} />
            {kind === 'identity' && <td>{decided ? '—' : <Checked row={row} />}</td>}
            {kind === 'withdrawal' && <td>{decided ? '—' : <RiskCell row={row} />}</td>}
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
