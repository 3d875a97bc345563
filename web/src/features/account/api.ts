import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { queryClient, refresh } from '../../data/query';
import { OWN_LIMITS, useSession } from '../../data/session';
import type { SelfLimits } from '../../generated/api';
import { api } from '../../lib/http';
import type { Limit } from './limits';

const quiet = { quiet: true };
const LIMIT = 20;

/** The data of the security centre has changed. */
const changed = () => refresh(['me', 'center']);

/** Saves a part of the profile and updates the stored user at once. */
export async function saveProfile(part: { nickname?: string; avatar?: string }): Promise<void> {
  await api.post('user/edit_profile', part, quiet);
  const { user } = useSession.getState();
  if (user) useSession.setState({ user: { ...user, ...part } });
  await changed();
}

/** Sends a code to the account's own address. */
export const sendOwnCode = async (type: 'fund' | 'contact' | 'operation') => (await api.post('set/sms_other_mail', { type }, quiet)).data;
/** Sends a code to an address that is to become the account's. */
export const sendMailCode = async (user_string: string) => (await api.post('sms_mail', { user_string, type: 'bind' }, quiet)).data;
export const sendPhoneCode = async (user_string: string, area_code: string) => (await api.post('sms_send', { user_string, area_code, type: 'bind' }, quiet)).data;

interface Proof {
  code: string;
  password: string;
  /** The authenticator's code, if the account has one. */
  otp?: string;
}
export async function changeMail(email: string, proof: Proof): Promise<void> {
  await api.post('user/edit_email', { email, ...proof }, quiet);
  await changed();
}
export async function changePhone(mobile: string, area_code: string, proof: Proof): Promise<void> {
  await api.post('user/edit_mobile', { mobile, area_code, ...proof }, quiet);
  await changed();
}

export interface FundForm {
  password: string;
  re_password: string;
  oldpassword?: string;
  login_password?: string;
  code?: string;
  otp?: string;
}
/** Sets, changes or resets the fund password; `review` is 1 if one of our staff reviews it first. */
export async function saveFundPassword(form: FundForm): Promise<{ review: number }> {
  const { data } = await api.post('safe/update_password', form, quiet);
  await changed();
  return data;
}

export const setUpTotp = async (password: string) => (await api.post('user/totp/setup', { password }, quiet)).message;
export async function enableTotp(setup_id: string, code: string): Promise<string[]> {
  const { message } = await api.post('user/totp/enable', { setup_id, code }, quiet);
  await changed();
  return message.recovery_codes;
}
export async function disableTotp(password: string, code: string): Promise<void> {
  await api.post('user/totp/disable', { password, code }, quiet);
  await changed();
}
export async function setWithdrawCode(on: boolean, password: string, proof: { code?: string; otp?: string } = {}): Promise<void> {
  await api.post('user/withdraw_code', { on: on ? 1 : 0, password, ...proof }, quiet);
  await changed();
}
export const renewRecovery = async (password: string, code: string) => (await api.post('user/totp/recovery', { password, code }, quiet)).message.recovery_codes;

export function useSessions() {
  return useQuery({ queryKey: ['me', 'sessions'], queryFn: async () => (await api.get('user/sessions')).message });
}
export async function endSessions(which: { id: number } | { others: 1 }): Promise<number> {
  const { data } = await api.post('user/sessions/revoke', which, quiet);
  await refresh(['me', 'sessions']);
  return data.revoked;
}

interface Page {
  current_page: number;
  last_page: number;
}
const nextPage = ({ current_page, last_page }: Page) => (current_page < last_page ? current_page + 1 : undefined);

export function useLogins() {
  return useInfiniteQuery({
    queryKey: ['me', 'logins'],
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => (await api.get('user/login_history', { page: pageParam, limit: LIMIT })).message,
    getNextPageParam: nextPage,
  });
}
export function useAccessLog() {
  return useInfiniteQuery({
    queryKey: ['me', 'access'],
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => (await api.get('user/access_log', { page: pageParam, limit: LIMIT })).message,
    getNextPageParam: nextPage,
  });
}

export async function freeze(password: string, days: 0 | 1 | 7 | 30): Promise<number | null> {
  const { data } = await api.post('user/freeze', { password, days }, quiet);
  await changed();
  return data.until_ms;
}

/** Sets one limit; null removes it. A tighter one applies at once, a looser one waits in `pending`. */
export async function saveLimit(field: Limit, value: string | null): Promise<SelfLimits> {
  const given = value ?? 'none';
  const counted = value === null ? 'none' : parseInt(value, 10);
  const params = {
    option_stake_day: { option_stake_day: given },
    loss_day: { loss_day: given },
    leverage_max: { leverage_max: counted },
    pause_until_ms: { pause_until_ms: counted },
  } as const;
  const { message } = await api.post('user/limits', params[field], quiet);
  queryClient.setQueryData(OWN_LIMITS, message);
  return message;
}
