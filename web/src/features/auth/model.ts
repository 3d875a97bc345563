import type { Key, Values } from '../../lib/i18n';
import { digits, isEmail, isPhone, length } from '../../lib/input';

/** Why a form cannot be sent: the field to focus and the text of the button. */
export interface Reason {
  field: 'contact' | 'country' | 'code' | 'old' | 'password' | 'again' | 'terms' | 'otp';
  text: Key;
  values?: Values;
}

export type LoginMethod = 'phone' | 'email' | 'username';

export interface Contact {
  way: LoginMethod;
  /** Two letters: country of the phone, or of the person who joins. */
  iso: string;
  phone: string;
  email: string;
  username: string;
}

/** What is missing in the contact; `joining` asks for the country too, which a phone number includes. */
export function contactReason(contact: Contact, dial: string | undefined, joining = false): Reason | null {
  const { way } = contact;
  if (way === 'phone') {
    if (dial === undefined) return { field: 'contact', text: 'auth.needCountry' };
    if (contact.phone.trim() === '') return { field: 'contact', text: 'auth.needPhone' };
    return isPhone(dial, contact.phone) ? null : { field: 'contact', text: 'errors.E_PHONE' };
  }
  if (way === 'email') {
    if (contact.email.trim() === '') return { field: 'contact', text: 'auth.needEmail' };
    if (!isEmail(contact.email)) return { field: 'contact', text: 'errors.E_EMAIL' };
    return joining && dial === undefined ? { field: 'country', text: 'auth.needResidence' } : null;
  }
  return contact.username.trim() === '' ? { field: 'contact', text: 'auth.needUsername' } : null;
}

/** The address in the form that the server accepts. */
export function target(contact: Contact, dial: string | undefined): { user_string: string; area_code?: string } {
  if (contact.way === 'phone') return { user_string: digits(contact.phone), ...(dial !== undefined && { area_code: dial }) };
  return { user_string: (contact.way === 'email' ? contact.email : contact.username).trim() };
}

export interface PasswordRules {
  min: number;
  max: number;
}

/** Reasons against a new password entered twice, in the order of the server's refusals. */
export function passwordReasons(password: string, again: string, { min, max }: PasswordRules): Reason[] {
  const reasons: Reason[] = [];
  if (password === '') reasons.push({ field: 'password', text: 'auth.needPassword' });
  else if (length(password) < min) reasons.push({ field: 'password', text: 'auth.shortPassword', values: { min } });
  else if (length(password) > max) reasons.push({ field: 'password', text: 'auth.longPassword', values: { max } });
  if (again === '') reasons.push({ field: 'again', text: 'auth.needRepeat' });
  else if (again !== password) reasons.push({ field: 'again', text: 'auth.mismatch' });
  return reasons;
}

/** Reasons against the last step of registration. */
export function registerReasons(form: { password: string; again: string; agreed: boolean }, rules: PasswordRules): Reason[] {
  return [...passwordReasons(form.password, form.again, rules), ...(form.agreed ? [] : [{ field: 'terms', text: 'auth.needTerms' } as const])];
}

/** Reasons against a change of the login password; `otp` is the authenticator's code, if there is one. */
export function changeReasons(form: { old: string; password: string; again: string; otp?: string }, rules: PasswordRules): Reason[] {
  const reasons = passwordReasons(form.password, form.again, rules);
  if (form.otp !== undefined && form.otp.length < 6) reasons.push({ field: 'otp', text: 'auth.needOtp' });
  if (form.old === '') return [{ field: 'old', text: 'auth.needOld' }, ...reasons];
  if (form.password !== '' && form.old === form.password) reasons.unshift({ field: 'password', text: 'auth.samePassword' });
  return reasons;
}

/** Rows of keys and letters; passwords along them are guessed first. */
const ROWS = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'azertyuiop', 'qwertzuiop', '1qaz2wsx3edc4rfv5tgb', '1q2w3e4r5t6y7u8i9o0p'];
const WORDS = /^(passwor[dt]|letmein|welcome|iloveyou|admin|monkey|dragon|master|sunshine|princess|football|baseball|superman|batman|trustno1|qwerty|abc|bitcoin|crypto|meridian)$/;
/** Passwords on every list of guesses: a row, a repetition, or a common word, with digits and signs around it. */
function isGuessed(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  const along = (text: string) => ROWS.some((row) => row.includes(text) || [...row].toReversed().join('').includes(text));
  const word = plain.replace(/[\d\W_]+$/, '').replace(/^[\d\W_]+/, '');
  const spelt = plain.replace(/@/g, 'a').replace(/0/g, 'o').replace(/[1!](?=.)/g, 'i').replace(/3/g, 'e').replace(/\$|5/g, 's');
  return along(plain) || /^(.{1,4})\1+$/u.test(plain) || (word.length > 2 && along(word)) || [plain, word, spelt, spelt.replace(/[\W\d_]+$/, '')].some((text) => WORDS.test(text));
}

/** How hard a password is to guess, in words, by lists of guesses, its length, and the number of different characters. */
export function strength(password: string, min: number): Key | null {
  const count = length(password);
  if (count === 0) return null;
  if (count < min) return 'auth.strengthShort';
  if (isGuessed(password) || new Set(password).size < 5) return 'auth.strengthWeak';
  if (count < 8) return 'auth.strengthFew';
  return count < 12 ? 'auth.strengthFair' : 'auth.strengthGood';
}

/** Where a form shows a refusal; null for the form as a whole. */
export function fieldOf(code: string): Reason['field'] | null {
  if (code === 'E_EMAIL' || code === 'E_PHONE') return 'contact';
  if (code === 'E_CODE' || code === 'E_CODE_LOCKED') return 'code';
  if (code === 'E_PASSWORD_OLD') return 'old';
  if (code === 'E_2FA_REQUIRED' || code === 'E_2FA_WRONG') return 'otp';
  if (code === 'E_PASSWORD_MATCH') return 'again';
  return code.startsWith('E_PASSWORD_') ? 'password' : null;
}
