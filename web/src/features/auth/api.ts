import { api } from '../../lib/http';
import { target, type Contact } from './model';

export type Purpose = 'register' | 'forget';
const quiet = { quiet: true };

/** Sends a code; the answer is the same for known and unknown addresses. */
export async function requestCode(contact: Contact, dial: string | undefined, purpose: Purpose) {
  const { user_string, area_code = '' } = target(contact, dial);
  if (contact.way === 'phone') return (await api.post('sms_send', { user_string, area_code, type: purpose }, quiet)).data;
  return (await api.post('sms_mail', { user_string, type: purpose }, quiet)).data;
}

/** Checks a code without using it up. */
export async function checkCode(contact: Contact, dial: string | undefined, purpose: Purpose, code: string) {
  const { user_string, area_code = '' } = target(contact, dial);
  if (contact.way === 'phone') await api.post('user/check_mobile', { user_string, area_code, mobile_code: code, type: purpose }, quiet);
  else await api.post('user/check_email', { user_string, email_code: code, type: purpose }, quiet);
}

export interface Registration {
  code: string;
  password: string;
  again: string;
  agreed: boolean;
  invite: string;
}
export function register(contact: Contact, dial: string | undefined, form: Registration) {
  return api.post(
    'user/register',
    {
      type: contact.way === 'phone' ? 'mobile' : 'email',
      ...target(contact, dial),
      code: form.code,
      password: form.password,
      re_password: form.again,
      agree: form.agreed ? 1 : 0,
      extension_code: form.invite.trim(),
      country: contact.iso,
    },
    quiet,
  );
}

const TYPES = { phone: 'mobile', email: 'email', username: 'username' } as const;

/** The token of a new session. */
export async function logIn(contact: Contact, dial: string | undefined, password: string): Promise<string> {
  return (await api.post('user/login', { ...target(contact, dial), user_type: TYPES[contact.way], password }, quiet)).message;
}

export function resetPassword(contact: Contact, dial: string | undefined, code: string, password: string, again: string) {
  const { user_string, area_code } = target(contact, dial);
  return api.post('user/forget', { account: user_string, ...(area_code && { area_code }), code, password, repassword: again }, quiet);
}

/** `code` was sent to the previous address. */
export const stopEmailChange = (code: string) => api.post('user/stop_email_change', { code }, quiet);

/** The second step of a login with an authenticator; returns the token of the new session. */
export async function verifyLogin(challenge: string, method: 'totp' | 'recovery', code: string): Promise<string> {
  return (await api.post('user/login/verify', { challenge, method, code }, quiet)).message;
}

/** `otp` is the authenticator's code, if the account has one. */
export const changePassword = (old: string, password: string, again: string, otp: string | undefined) =>
  api.post('user/e_pwd', { old_password: old, password, re_password: again, type: 1, ...(otp !== undefined && { otp }) }, quiet);
