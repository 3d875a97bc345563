import { Note } from '../../ui/Status';
import type { Dispute } from '../api';
import { stamp } from '../kit/States';
import { caseNumber } from '../model/areas';
import { LIVE, useCoin, useRead } from '../reads';

/** Payouts whose chains hold something other than the operator's mark. The mark is reversed in the case. */
export function Disputes() {
  const coin = useCoin();
  const { data } = useRead('disputes', { page: 1, limit: 50 }, { every: LIVE });
  const held = ({ paid }: Dispute): string => {
    if (paid === null) return 'the chain holds no payment at the marked output';
    return `the marked output pays ${paid.amount} ${coin(paid.currency_id)} to ${paid.to_address === 1 ? 'the same' : 'another'} address`;
  };
  return data?.data.map((one) => (
    <Note key={one.withdrawal_id} tone="danger">
      <b>
        Payout <a href={`#/withdrawal/${one.withdrawal_id}`}>{caseNumber('withdrawal', one.withdrawal_id)}</a>:
      </b>{' '}
      {one.owed} {coin(one.currency_id)} were owed to user {one.user_id}, {held(one)}. The mark can be taken back until {stamp(one.until_ms)}.
    </Note>
  ));
}
