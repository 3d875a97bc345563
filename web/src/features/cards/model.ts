import type { Key, Values } from '../../lib/i18n';

export const LOCAL = ['bank_account', 'bank_name', 'bank_branch'] as const;
export const ABROAD = [...LOCAL, 'bank_address', 'swift_code', 'iban', 'residence_address', 'postal_code'] as const;
export type Field = (typeof ABROAD)[number];
export type CardForm = Record<Field, string>;
export const EMPTY: CardForm = { bank_account: '', bank_name: '', bank_branch: '', bank_address: '', swift_code: '', iban: '', residence_address: '', postal_code: '' };

export interface Reason {
  field: Field;
  text: Key;
  values?: Values;
}

/** Length of an IBAN by country. */
const LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 ' +
    'KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), parseInt(entry.slice(2), 10)]),
);

const compact = (text: string) => text.replace(/\s/g, '').toUpperCase();

/** What is wrong with an IBAN: its length for the country, or its check digits (ISO 13616, remainder 1 of 97). */
export function ibanProblem(text: string): Omit<Reason, 'field'> | undefined {
  const iban = compact(text);
  const length = LENGTHS[iban.slice(0, 2)];
  if (length !== undefined && iban.length !== length) return { text: 'cards.ibanLength', values: { length } };
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return { text: 'errors.E_IBAN' };
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((sign) => parseInt(sign, 36)).join('');
  return BigInt(digits) % 97n === 1n ? undefined : { text: 'errors.E_IBAN' };
}

/** SWIFT of 8 or 11 characters, or a Fedwire number of nine digits whose weighted sum ends in 0. */
export function isBankCode(text: string): boolean {
  const code = compact(text);
  if (/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(code)) return true;
  if (!/^\d{9}$/.test(code)) return false;
  const sum = [...code].reduce((total, digit, at) => total + parseInt(digit, 10) * ([3, 7, 1][at % 3] ?? 0), 0);
  return sum % 10 === 0;
}

/** Why a card cannot be added yet. */
export function reasonsOf(form: CardForm, abroad: boolean): Reason[] {
  const reasons: Reason[] = [];
  for (const field of abroad ? ABROAD : LOCAL) {
    const text = form[field].trim();
    if (text === '') reasons.push({ field, text: 'funding.needed' });
    else if (field === 'bank_account' && !/^\d{8,30}$/.test(compact(text))) reasons.push({ field, text: 'cards.numberForm' });
    else if (field === 'swift_code' && !isBankCode(text)) reasons.push({ field, text: 'errors.E_SWIFT' });
    else if (field === 'iban') {
      const problem = ibanProblem(text);
      if (problem) reasons.push({ field, ...problem });
    } else if ([...text].length > (field.endsWith('address') ? 300 : 100)) reasons.push({ field, text: 'funding.tooLong', values: { max: field.endsWith('address') ? 300 : 100 } });
  }
  return reasons;
}

/** The request: numbers without spaces, and only the fields of the variant. */
export function sent(form: CardForm, abroad: boolean): Partial<CardForm> & Pick<CardForm, (typeof LOCAL)[number]> {
  const clean = (field: Field) => (['bank_account', 'swift_code', 'iban'].includes(field) ? compact(form[field]) : form[field].trim());
  const local = { bank_account: clean('bank_account'), bank_name: clean('bank_name'), bank_branch: clean('bank_branch') };
  return abroad ? { ...local, ...Object.fromEntries(ABROAD.map((field) => [field, clean(field)])) } : local;
}

const FIELDS: Record<string, Field> = { E_IBAN: 'iban', E_SWIFT: 'swift_code', E_CARD_DUP: 'bank_account' };
/** The field a refusal belongs to, which the server may name. */
export function fieldOf(code: string, named: unknown): Field | undefined {
  if (Object.hasOwn(FIELDS, code)) return FIELDS[code];
  return ABROAD.find((field) => field === named);
}

/** The last four digits of a number of which only these are shown. */
export const lastFour = (hidden: string) => hidden.replace(/\s/g, '').slice(-4);
