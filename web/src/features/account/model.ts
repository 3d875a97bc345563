import type { AccessRow } from '../../generated/api';
import type { Key } from '../../lib/i18n';
import { isEmail, isPhone, length } from '../../lib/input';
import { DAY } from '../../lib/time';

/** Why a form cannot be sent: the field to focus and the text of the button. */
export interface Reason<Field extends string> {
  field: Field;
  text: Key;
}

// ---- the authenticator's code

/** Six digits; undefined if the account has no authenticator. */
const otpReason = (otp: string | undefined) => (otp !== undefined && otp.length < 6 ? [{ field: 'otp' as const, text: 'auth.needOtp' as const }] : []);

/** Whether a field accepts this text: six digits, or a recovery code. */
export const isSecondFactor = (typed: string) => /^\d{6}$/.test(typed.trim()) || typed.replace(/[\s-]/g, '').length >= 8;

// ---- contact

export interface ContactForm {
  way: 'email' | 'phone';
  email: string;
  phone: string;
  dial: string | undefined;
  code: string;
  password: string;
  otp: string | undefined;
}
export type ContactField = 'contact' | 'code' | 'password' | 'otp';

/** What is wrong with the new address itself. */
export function addressReason({ way, email, phone, dial }: Pick<ContactForm, 'way' | 'email' | 'phone' | 'dial'>): Reason<'contact'> | undefined {
  if (way === 'email') {
    if (email.trim() === '') return { field: 'contact', text: 'auth.needEmail' };
    return isEmail(email) ? undefined : { field: 'contact', text: 'errors.E_EMAIL' };
  }
  if (dial === undefined) return { field: 'contact', text: 'auth.needCountry' };
  if (phone.trim() === '') return { field: 'contact', text: 'auth.needPhone' };
  return isPhone(dial, phone) ? undefined : { field: 'contact', text: 'errors.E_PHONE' };
}

/** Reasons against a change of e-mail or phone, in the order of the server's refusals. */
export function contactReasons(form: ContactForm): Reason<ContactField>[] {
  const address = addressReason(form);
  return [
    ...(address ? [address] : []),
    ...(form.code.length < 6 ? [{ field: 'code' as const, text: 'security.needCode' as const }] : []),
    ...(form.password === '' ? [{ field: 'password' as const, text: 'security.needLogin' as const }] : []),
    ...otpReason(form.otp),
  ];
}

export function contactFieldOf(code: string): ContactField | null {
  if (code === 'E_EMAIL' || code === 'E_PHONE') return 'contact';
  if (code === 'E_CODE' || code === 'E_CODE_LOCKED') return 'code';
  if (code === 'E_PASSWORD_OLD') return 'password';
  return code.startsWith('E_2FA_') ? 'otp' : null;
}

// ---- fund password

/** Login password and code prove the first setting and a forgotten one; the old fund password proves a change. */
export type FundMode = 'set' | 'change' | 'reset';
export interface FundPasswords {
  old: string;
  login: string;
  code: string;
  password: string;
  again: string;
  otp: string | undefined;
}
export type FundField = 'old' | 'login' | 'code' | 'password' | 'again' | 'otp';

export function fundReasons(mode: FundMode, form: FundPasswords): Reason<FundField>[] {
  const reasons: (Reason<FundField> | false)[] = [
    mode === 'change' && form.old.length < 6 && { field: 'old', text: 'security.needOldFund' },
    mode !== 'change' && form.login === '' && { field: 'login', text: 'security.needLogin' },
    mode !== 'change' && form.code.length < 6 && { field: 'code', text: 'security.needCode' },
    form.password.length < 6 && { field: 'password', text: 'security.needFund' },
    form.again.length < 6 && { field: 'again', text: 'security.needRepeat' },
    form.again.length === 6 && form.again !== form.password && { field: 'again', text: 'security.fundMismatch' },
    mode === 'change' && form.password.length === 6 && form.password === form.old && { field: 'password', text: 'security.fundSame' },
    ...otpReason(form.otp),
  ];
  return reasons.filter((reason) => reason !== false);
}

export function fundFieldOf(code: string): FundField | null {
  if (code === 'E_FUNDPW_WRONG' || code === 'E_FUNDPW_LOCKED') return 'old';
  if (code === 'E_FUNDPW_FORM' || code === 'E_FUNDPW_SAME') return 'password';
  if (code === 'E_PASSWORD_MATCH') return 'again';
  if (code === 'E_PASSWORD_OLD') return 'login';
  if (code === 'E_CODE' || code === 'E_CODE_LOCKED') return 'code';
  return code.startsWith('E_2FA_') ? 'otp' : null;
}

/** Six digits that are tried first: one digit, a run up or down, a repeated pair or triple. */
export function isWeak(digits: string): boolean {
  if (digits.length < 6) return false;
  const steps = new Set([...digits].slice(1).map((digit, n) => digit.charCodeAt(0) - digits.charCodeAt(n)));
  return /^(\d)\1{5}$|^(\d\d)\2\2$|^(\d{3})\3$/.test(digits) || (steps.size === 1 && (steps.has(1) || steps.has(-1)));
}

// ---- profile

export const nicknameFits = (text: string) => length(text.trim()) >= 2 && length(text.trim()) <= 32;

/** Ten codes as a file to keep. */
export const recoveryFile = (account: string, codes: readonly string[]) => [`Meridian ${account}`, '', ...codes, ''].join('\n');

const SPANS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** "3 months ago" in the reader's language, in whole units, at least a minute. */
export function ago(at: number, now: number, locale: string): string {
  const [unit, length] = SPANS.find(([, one]) => now - at >= one) ?? (['minute', 60_000] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.max(1, Math.floor((now - at) / length)), unit);
}

// ---- who looked

const ACTS: Record<string, Key> = {
  view: 'security.act.view',
  search: 'security.act.view',
  approve: 'security.act.approve',
  reject: 'security.act.reject',
  freeze: 'security.act.freeze',
  sent: 'security.act.sent',
  reply: 'security.act.reply',
  propose_unfreeze: 'security.act.proposeUnfreeze',
  propose_revoke: 'security.act.proposeRevoke',
  propose_return: 'security.act.proposeReturn',
  propose_reverse: 'security.act.proposeReverse',
  propose_role: 'security.act.proposeRole',
  enter: 'security.act.enter',
  confirm: 'security.act.confirm',
};
const KINDS: Record<string, Key> = {
  deposit: 'records.deposit',
  bank_deposit: 'deposit.bank',
  withdrawal: 'tickets.category.withdrawal',
  identity: 'menu.identity',
  loan: 'tickets.receipt.loan',
  fund_reset: 'security.fund',
  ticket: 'help.requests',
  chat: 'chat.title',
  file: 'identity.photos',
  observation: 'security.kind.observation',
  proposal: 'security.kind.proposal',
};
const ROLES: Record<string, Key> = {
  support: 'security.role.support',
  verifier: 'security.role.verifier',
  treasury: 'security.role.treasury',
  auditor: 'security.role.auditor',
};
/** The text of an act on the account. One without a text of its own is a change of the account by the operations team. */
export const accessAct = (action: string): Key => ACTS[action] ?? 'security.act.change';
export const accessKind = (kind: string): Key => KINDS[kind] ?? 'profile.account';
/** An operator's roles come as one text. */
export const accessRoles = (roles: string): Key[] => [...new Set(roles.split(', ').map((role): Key => ROLES[role] ?? 'security.role.other'))];
/** The ticket whose number is the reason for viewing it when answering. */
export const ticketOf = ({ kind, reason }: Pick<AccessRow, 'kind' | 'reason'>): string | undefined => (kind === 'ticket' ? /^#(\d+)$/.exec(reason)?.[1] : undefined);
