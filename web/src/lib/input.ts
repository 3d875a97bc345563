/** What people type about themselves. */

export const digits = (text: string) => text.replace(/\D/g, '');

/** Length in letters as a person counts them. */
export const length = (text: string) => [...text.normalize('NFC')].length;

/** Dial code and number together have at most 15 digits. */
export const isPhone = (dial: string | undefined, phone: string) => {
  const number = digits(phone);
  return dial !== undefined && number.length >= 4 && dial.length + number.length <= 15;
};

const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const EMAIL = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?=[a-z])[a-z0-9-]+[a-z0-9]$`, 'i');
/** The addresses that the server accepts. */
export const isEmail = (text: string) => EMAIL.test(text.trim()) && text.trim().length <= 254;
