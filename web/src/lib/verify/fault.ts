/**
 * Which check of a receipt or of the log failed; `meridian verify` uses the same names (`crates/server/src/verify/fault.rs`). The last two
 * concern public figures.
 */
export type Reason =
  | 'format'
  | 'proof'
  | 'signature'
  | 'key'
  | 'genesis'
  | 'chain'
  | 'inclusion'
  | 'consistency'
  | 'purchase'
  | 'rule'
  | 'terms'
  | 'open_sample'
  | 'delivery_sample'
  | 'outcome'
  | 'payout'
  | 'stops'
  | 'cut'
  | 'leaf'
  | 'sum'
  | 'root'
  | 'part';

export class Fault extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, detail?: string) {
    super(detail);
    this.reason = reason;
  }
}

/** Ends the check with this reason unless the condition holds. */
export function must(so: boolean, reason: Reason, detail?: string): asserts so {
  if (!so) throw new Fault(reason, detail);
}
