import { useDeferredValue, useRef, useState } from 'react';
import { StatusChip } from '../../ui/Status';
import { SearchBox } from '../kit/SearchBox';
import { useKeys } from '../kit/keys';
import { Screen, Table } from '../kit/Screen';
import { Nothing, Pager, Ready, stamp } from '../kit/States';
import type { AreaProps } from '../model/areas';
import type { UserRow } from '../api';
import { useRead } from '../reads';
import { go, href, number } from '../route';
import { User } from './User';
import css from './records.module.css';

const LEAST = 4;
const LEVELS = ['none', 'under review', 'verified', 'rejected'];
export const level = (status: number): string => LEVELS[status] ?? String(status);

export function UserStatus({ status }: { status: UserRow['status'] }) {
  if (status === 1) return <StatusChip tone="danger" icon="lock">Frozen by us</StatusChip>;
  if (status === 2) return <StatusChip tone="caution" icon="lock">Frozen by the user</StatusChip>;
  return <StatusChip tone="done">Normal</StatusChip>;
}

/** Found by the whole e-mail or phone, or the start of the number; masked until a reason is given. */
export default function Users({ id, may }: AreaProps) {
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const box = useRef<HTMLInputElement>(null);
  const q = useDeferredValue(text.trim());
  const enough = [...q].length >= LEAST;
  const query = useRead('user/search', { q, page, limit: 50 }, { enabled: enough });
  useKeys({ '/': () => box.current?.focus(), Escape: () => go('users') });
  const user = number(id);
  if (user !== null) return <User key={user} id={user} may={may} />;
  return (
    <Screen title="Users" note="Every search and every look is in the audit log. The user can see who looked.">
      <SearchBox
        ref={box}
        label="Whole e-mail or phone, or the beginning of the account number"
        value={text}
        onValue={(value) => {
          setText(value);
          setPage(1);
        }}
      />
      {enough ? (
        <Ready query={query} what="The search" isEmpty={({ data }) => data.length === 0} empty={<Nothing title={`No match for “${q}”`}>An e-mail or a phone must be whole, as the user typed it.</Nothing>}>
          {({ data }) => (
            <Table label="Users" head={['User', 'Account', 'E-mail', 'Phone', 'Country', 'Identity', 'State', 'Joined']}>
              {data.map((row) => (
                <tr key={row.id}>
                  <td>
                    <a className={css.link} href={href('users', row.id)}>
                      {row.id}
                    </a>
                  </td>
                  <td>{row.account}</td>
                  <td>{row.email || '—'}</td>
                  <td>{row.phone || '—'}</td>
                  <td>{row.country || '—'}</td>
                  <td>{row.review_status2 === 2 ? 'advanced' : row.review_status === 2 ? 'basic' : level(row.review_status)}</td>
                  <td>
                    <UserStatus status={row.status} />
                  </td>
                  <td className="num">{stamp(row.created_at_ms)}</td>
                </tr>
              ))}
            </Table>
          )}
        </Ready>
      ) : (
        <Nothing title="Search for a user">At least {LEAST} characters.</Nothing>
      )}
      {query.data && enough && <Pager page={page} last={query.data.last_page} onPage={setPage} />}
    </Screen>
  );
}
