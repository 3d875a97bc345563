import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '../../ui/Button';
import { accountName, holdings, ops, type UserDetail } from '../api';
import { Reason } from '../kit/Fields';
import { Facts, Screen, Section, Table } from '../kit/Screen';
import { Failure, Loading, stamp } from '../kit/States';
import { userActs, type UserAct as Act } from '../model/areas';
import { reasonProblem } from '../model/queue';
import { go } from '../route';
import { useMe } from '../session';
import { level, UserStatus } from './Users';
import { UserAct } from './UserAct';
import css from './records.module.css';

const ACTS: Record<Act, string> = { freeze: 'Freeze', end_sessions: 'End all sessions', unfreeze: 'Propose to unfreeze', revoke: 'Propose to revoke identity' };
const OPENING = ['The user asked for help', 'Check for a case', 'Suspicious activity', 'Audit'];

/** One member: read-only, unmasked only with a reason, and the member can see who viewed it and why. */
export function User({ id, may }: { id: number; may: boolean }) {
  const [reason, setReason] = useState('');
  return (
    <Screen
      title={`User ${id}`}
      actions={
        <Button kind="line" small onClick={() => go('users')}>
          Back to the search
        </Button>
      }
    >
      {reason ? <Opened id={id} reason={reason} may={may} /> : <Ask id={id} onReason={setReason} />}
    </Screen>
  );
}

function Ask({ id, onReason }: { id: number; onReason: (reason: string) => void }) {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!reasonProblem(text)) onReason(text.trim());
  };
  return (
    <form className={css.ask} onSubmit={submit}>
      <p>E-mail, phone, balances and the account log are masked. State why you look: the user can see it.</p>
      <Reason label="Why you look" templates={OPENING} value={text} onValue={setText} tried={tried} />
      <Button kind="commit" small type="submit">
        Show user {id}
      </Button>
    </form>
  );
}

function Opened({ id, reason, may }: { id: number; reason: string; may: boolean }) {
  const query = useQuery({
    queryKey: ['ops', 'user/detail', id, reason],
    queryFn: ({ signal }) => ops.get('user/detail', { id, reason }, signal),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (!query.data) return query.error ? <Failure error={query.error} what="The user did not open." retry={query.refetch} /> : <Loading />;
  return <Detail detail={query.data} may={may} reload={() => void query.refetch()} />;
}

function Detail({ detail: { user, wallets, log }, may, reload }: { detail: UserDetail; may: boolean; reload: () => void }) {
  const me = useMe();
  const [act, setAct] = useState<Act | null>(null);
  const held = wallets.flatMap((row) =>
    holdings(row)
      .filter(([, free, frozen]) => /[1-9]/.test(free + frozen))
      .map((parts) => [row.currency_name, ...parts] as const),
  );
  return (
    <>
      {may && (
        <div className={css.actions}>
          {userActs(me.roles, user).map((one) => (
            <Button key={one} kind="line" small onClick={() => setAct(one)}>
              {ACTS[one]}
            </Button>
          ))}
        </div>
      )}
      <Facts
        facts={[
          ['State', <UserStatus key="state" status={user.status} />],
          ['Account number', user.account],
          ['E-mail', user.email || '—'],
          ['Phone', user.phone || '—'],
          ['Country', user.country || '—'],
          ['Identity, basic', level(user.review_status)],
          ['Identity, advanced', level(user.review_status2)],
          ['Joined', stamp(user.created_at_ms)],
        ]}
      />
      <Section title="Balances" aside="read only: no call can change them">
        {held.length ? (
          <Table label="Balances" head={['Coin', 'Account', 'Free', 'Frozen']}>
            {held.map(([coin, account, free, frozen]) => (
              <tr key={`${coin}-${account}`}>
                <td>{coin}</td>
                <td>{account}</td>
                <td className="num">{free}</td>
                <td className="num">{frozen}</td>
              </tr>
            ))}
          </Table>
        ) : (
          <p className="t2">Nothing in any account.</p>
        )}
      </Section>
      <Section title="Account log" aside={`last ${log.length} lines`}>
        {log.length ? (
          <Table label="Account log" head={['Time', 'What', 'Account', 'Change', 'Before', 'After', 'Entry']}>
            {log.map((line) => (
              <tr key={line.id}>
                <td className="num">{stamp(line.created_time_ms)}</td>
                <td>{line.info}</td>
                <td>
                  {accountName(line.account)}, {line.part === 'frozen' ? 'frozen' : 'free'}
                </td>
                <td className="num m">
                  {line.value} {line.currency_name}
                </td>
                <td className="num">{line.before}</td>
                <td className="num">{line.after}</td>
                <td className="num">{line.seq}</td>
              </tr>
            ))}
          </Table>
        ) : (
          <p className="t2">Nothing happened yet.</p>
        )}
      </Section>
      {act && (
        <UserAct
          kind={act}
          user={user}
          onClose={() => setAct(null)}
          onDone={() => {
            setAct(null);
            reload();
          }}
        />
      )}
    </>
  );
}
