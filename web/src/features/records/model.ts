import type { DepositRow, WithdrawRow } from '../../generated/api';
import type { Key, Values } from '../../lib/i18n';

type Tone = 'info' | 'caution' | 'danger' | 'done';

export interface Status {
  text: Key;
  tone: Tone;
}

const DEPOSITS: Record<DepositRow['status'], Status> = {
  1: { text: 'funding.inReview', tone: 'info' },
  2: { text: 'records.credited', tone: 'done' },
  3: { text: 'funding.rejected', tone: 'danger' },
};
export const depositStatus = ({ status }: Pick<DepositRow, 'status'>): Status => DEPOSITS[status];

const WITHDRAWALS: Record<WithdrawRow['state'], Status> = {
  under_review: { text: 'funding.inReview', tone: 'info' },
  passed: { text: 'records.approved', tone: 'info' },
  sent: { text: 'records.sent', tone: 'done' },
  rejected: { text: 'funding.rejected', tone: 'danger' },
  cancelled: { text: 'records.cancelled', tone: 'caution' },
  returned: { text: 'records.returned', tone: 'caution' },
};
export const withdrawStatus = ({ state }: Pick<WithdrawRow, 'state'>): Status => WITHDRAWALS[state];

export interface Stage {
  title: Key;
  values?: Values;
  state: 'done' | 'now' | 'next' | 'failed';
}

/**
 * Notice sent, seen on the network, in review, credited. A bank transfer is not seen on a network, and a deposit without proof has no
 * notice.
 */
export function depositStages(row: Pick<DepositRow, 'status' | 'is_bank' | 'img' | 'confirmations' | 'confirmations_needed'>): Stage[] {
  const { status, is_bank, img, confirmations, confirmations_needed: needed } = row;
  const told: Stage[] = img ? [{ title: 'records.told', state: 'done' }] : [];
  const open = status === 1;
  const enough = confirmations !== null && needed !== null && confirmations >= needed;
  const seen: Stage[] = is_bank
    ? []
    : [
        confirmations === null || needed === null
          ? { title: 'records.unseen', state: open ? 'now' : 'next' }
          : { title: 'records.seen', values: { seen: confirmations, needed }, state: enough || !open ? 'done' : 'now' },
      ];
  if (status === 3) return [...told, ...seen.filter((stage) => stage.state === 'done'), { title: 'funding.rejected', state: 'failed' }];
  const review: Stage = { title: 'funding.inReview', state: open ? (is_bank || enough ? 'now' : 'next') : 'done' };
  return [...told, ...(open ? seen : seen.filter((stage) => stage.state === 'done')), review, { title: 'records.credited', state: open ? 'next' : 'done' }];
}
