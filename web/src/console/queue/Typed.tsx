import { useState } from 'react';
import { Icon } from '../../ui/Icon';
import type { QueueItem } from '../api';
import { Section } from '../kit/Screen';
import { country, readsCountry } from '../model/countries';
import { reads } from '../model/queue';
import { isMap, shown } from '../model/values';
import css from './queue.module.css';

const FIELDS = [
  { name: 'name', label: 'Name' },
  { name: 'country', label: 'Country' },
  { name: 'card_id', label: 'ID number' },
] as const;

/**
 * What the member typed, beside what this operator reads in the photos. It is only a reading aid: it stays on this screen and decides
 * nothing.
 */
export function Typed({ item: { fields } }: { item: QueueItem }) {
  const [read, setRead] = useState<Readonly<Record<string, string>>>({});
  const submitted = isMap(fields.submitted) ? fields.submitted : {};
  const rows = FIELDS.map(({ name, label }) => {
    const value = shown(submitted[name]);
    const text = read[name] ?? '';
    return name === 'country' ? { name, label, typed: country(value), text, same: readsCountry(value, text) } : { name, label, typed: value, text, same: reads(value, text) };
  });
  const differ = rows.filter(({ same }) => same === false).length;
  const agree = rows.filter(({ same }) => same === true).length;
  return (
    <Section title="Typed and read" aside={differ ? `${differ} differ` : `${agree} of ${rows.length} read`}>
      <table className={css.typed}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Typed by user</th>
            <th scope="col">You read on the ID</th>
            <th scope="col">
              <span className="vh">Result</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, label, typed, text, same }) => (
            <tr key={name} className={same === false ? css.differs : undefined}>
              <td>{label}</td>
              <td className="num">{typed}</td>
              <td>
                <input aria-label={`${label}, as you read it`} autoComplete="off" spellCheck={false} value={text} onChange={(event) => setRead({ ...read, [name]: event.target.value })} />
              </td>
              <td>
                {same !== undefined && (
                  <>
                    <Icon name={same ? 'check' : 'warn'} size={16} />
                    <span className="vh">{same ? 'the same' : 'differs'}</span>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
