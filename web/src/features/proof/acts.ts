/**
 * All that operators can do, by how many must agree (`crates/engine/tests/operators.txt`). The rights and proposals in the engine's
 * `backoffice/` define who that is.
 */
export const ACTS = {
  one: ['reject', 'freeze', 'pause', 'markSent', 'record', 'propose', 'cancelProposal', 'releaseOperator'],
  some: ['deposit', 'identity', 'loan'],
  two: [
    ...(['withdrawal', 'enterDeposit', 'treasury', 'reverse', 'returned', 'unmark', 'unfreeze', 'revoke', 'referral', 'operator', 'launch', 'stop'] as const),
    ...(['fee', 'filters', 'network', 'country', 'riskText', 'coin', 'pair', 'option', 'contract', 'conversion', 'loanTerms', 'offering', 'whitePaper', 'plan'] as const),
  ],
  day: ['limits', 'index', 'key', 'bankAccount', 'retire'],
} as const;
