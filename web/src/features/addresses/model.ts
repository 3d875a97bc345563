import type { Address } from '../../generated/api';
import type { Key, Values } from '../../lib/i18n';
import { familyOf } from '../../lib/address';
import { sound } from './checksum';

export interface Reason {
  field: 'address' | 'label' | 'password' | 'code' | 'otp';
  text: Key;
  values?: Values;
}
interface Form {
  chain: string;
  address: string;
  label: string;
  password: string;
  code: string;
  otp: string | undefined;
  stored: readonly Pick<Address, 'currency' | 'nettype' | 'address'>[];
  coin: number;
}
const LABEL = 100;

/** What is wrong with the form of an address: another network, an unknown form, or a typing error. */
export function addressProblem(chain: string, address: string): Reason | undefined {
  const family = familyOf(address);
  if (family === chain) return sound(family, address) ? undefined : { field: 'address', text: 'addresses.checksum' };
  return family ? { field: 'address', text: 'addresses.otherNetwork', values: { family, chain } } : { field: 'address', text: 'errors.E_ADDRESS' };
}

/** Why an address cannot be saved yet. */
export function reasonsOf({ chain, address, label, password, code, otp, stored, coin }: Form): Reason[] {
  const reasons: Reason[] = [];
  const wrong = addressProblem(chain, address);
  if (address === '') reasons.push({ field: 'address', text: 'addresses.needAddress' });
  else if (wrong) reasons.push(wrong);
  else if (stored.some((row) => row.currency === coin && row.nettype === chain && row.address.toLowerCase() === address.toLowerCase())) reasons.push({ field: 'address', text: 'errors.E_ADDRESS_DUP' });
  if ([...label.trim()].length > LABEL) reasons.push({ field: 'label', text: 'funding.tooLong', values: { max: LABEL } });
  if (password.length < 6) reasons.push({ field: 'password', text: 'errors.E_FUNDPW_FORM' });
  if (code.length < 6) reasons.push({ field: 'code', text: 'funding.needCode' });
  if (otp !== undefined && otp.length < 6) reasons.push({ field: 'otp', text: 'errors.E_2FA_REQUIRED' });
  return reasons;
}

const FIELDS: Record<string, Reason['field']> = {
  E_ADDRESS: 'address',
  E_ADDRESS_DUP: 'address',
  E_CHAIN: 'address',
  E_FUNDPW_FORM: 'password',
  E_FUNDPW_WRONG: 'password',
  E_FUNDPW_LOCKED: 'password',
  E_CODE: 'code',
  E_CODE_LOCKED: 'code',
  E_2FA_WRONG: 'otp',
};
/** The field a refusal belongs to. */
export const fieldOf = (code: string): Reason['field'] | undefined => (Object.hasOwn(FIELDS, code) ? FIELDS[code] : undefined);
