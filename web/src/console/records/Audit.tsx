import { useDeferredValue, useRef, useState } from 'react';
import { Field } from '../../ui/Field';
import type { AuditRow } from '../api';
import { Select } from '../kit/Fields';
import { useKeys } from '../kit/keys';
import { Screen, Table } from '../kit/Screen';
import { SearchBox } from '../kit/SearchBox';
import { Nothing, Pager, Ready, stamp } from '../kit/States';
import { ACTIONS, OBJECTS } from '../model/audit';
import { holding } from '../model/search';
import { label } from '../model/values';
import { useOperatorName, useRead } from '../reads';
import css from './records.module.css';

const choices = (all: string, words: readonly string[]) => [{ value: '', label: all }, ...words.map((value) => ({ value, label: label(value) }))];

const words = (row: AuditRow, name: string) => [name, row.action, row.kind, String(row.object_id), String(row.seq), row.reason, row.hash];

/** Everything that operators did and viewed; each line contains the hash of the one before. */
export default function Audit() {
  const [text, setText] = useState('');
  const [operator, setOperator] = useState('');
  const [action, setAction] = useState('');
  const [object, setObject] = useState('');
  const [number, setNumber] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [page, setPage] = useState(1);
  const box = useRef<HTMLInputElement>(null);
  const wanted = useDeferredValue(text);
  const operators = useRead('operators', {}).data ?? [];
  const nameOf = useOperatorName();
  const instant = (name: string, value: string) => (value ? { [name]: new Date(value).getTime() } : {});
  const about = { ...(operator && { operator_id: parseInt(operator, 10) }), ...(action && { action }), ...(object && { object }), ...(number && { object_id: parseInt(number, 10) }) };
  const query = useRead('audit', { ...about, ...instant('from_ms', from), ...instant('to_ms', to), page, limit: 100 });
  useKeys({ '/': () => box.current?.focus() });
  const set = (change: (value: string) => void) => (value: string) => {
    change(value);
    setPage(1);
  };
  return (
    <Screen title="Audit log" note="Append only. Views are in it too." at={query.dataUpdatedAt}>
      <div className={css.filters}>
        <Select label="Operator" value={operator} onValue={set(setOperator)} options={[{ value: '', label: 'Everybody' }, ...operators.map((one) => ({ value: String(one.id), label: one.name }))]} />
        <Select label="Did" value={action} onValue={set(setAction)} options={choices('Anything', ACTIONS)} />
        <Select label="To what" value={object} onValue={set(setObject)} options={choices('Anything', OBJECTS)} />
        <Field label="Its number" inputMode="numeric" value={number} onChange={(event) => set(setNumber)(event.target.value.replace(/\D/g, '').slice(0, 15))} />
        <Field label="From" type="datetime-local" value={from} onChange={(event) => set(setFrom)(event.target.value)} />
        <Field label="To" type="datetime-local" value={to} onChange={(event) => set(setTo)(event.target.value)} />
      </div>
      <SearchBox ref={box} label="Search this page: action, object, reason, hash" value={text} onValue={setText} />
      <Ready query={query} what="The audit log" isEmpty={({ data }) => data.length === 0} empty={<Nothing title="Nothing fits" />}>
        {({ data }) => {
          const rows = holding(data, wanted, (row) => words(row, nameOf(row.operator_id)));
          return rows.length ? (
            <Table label="Audit log" head={['Time', 'Who', 'Did', 'To', 'Reason', 'Entry', 'Hash']}>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td className="num">{stamp(row.created_at_ms)}</td>
                  <td>{nameOf(row.operator_id)}</td>
                  <td>{label(row.action)}</td>
                  <td>
                    {label(row.kind)} {row.object_id > 0 ? row.object_id : ''}
                  </td>
                  <td>{row.reason || '—'}</td>
                  <td className="num">{row.seq}</td>
                  <td className="code cap" title={row.hash}>
                    {row.hash.slice(0, 12)}…
                  </td>
                </tr>
              ))}
            </Table>
          ) : (
            <Nothing title={`Nothing for “${wanted.trim()}” on this page`} />
          );
        }}
      </Ready>
      {query.data && <Pager page={page} last={query.data.last_page} onPage={setPage} />}
    </Screen>
  );
}
