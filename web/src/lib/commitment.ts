import type { Commitment } from '../generated/api';

/** The state of a payment. */
export type CommitmentState = 'review' | 'passed' | 'refunded' | 'locked' | 'released';
export function commitmentState({ exam_status: exam, status }: Commitment): CommitmentState {
  if (exam === 3) return 'review';
  if (exam === 2) return 'refunded';
  return status === 1 ? 'passed' : status === 2 ? 'locked' : 'released';
}
