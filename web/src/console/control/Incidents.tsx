import { Note } from '../../ui/Status';
import type { Incident } from '../api';
import { stamp } from '../kit/States';
import { LIVE, useCoin, useRead } from '../reads';

/** Credits that their chains contradict. A reversal is proposed at the observation and takes only the contradicted part. */
export function Incidents() {
  const coin = useCoin();
  const { data } = useRead('incidents', { state: 'open', page: 1, limit: 50 }, { every: LIVE });
  const seen = (one: Incident): string => {
    if (one.seen === null) return 'the chain dropped the transfer';
    const amount = `the chain holds ${one.seen.amount} ${coin(one.seen.currency_id)}`;
    return one.seen.user_id === one.user_id ? amount : `${amount} for user ${one.seen.user_id}`;
  };
  return data?.data.map((one) => (
    <Note key={one.id} tone="danger">
      <b>
        Incident {one.id}, observation {one.observation_id}:
      </b>{' '}
      {one.credited} {coin(one.currency_id)} were credited to user {one.user_id}, {seen(one)}. {one.contradicted} {coin(one.currency_id)} can be taken back until {stamp(one.until_ms)}.
    </Note>
  ));
}
