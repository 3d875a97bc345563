const END = 6;
const GROUP = 4;

/** First and last six characters, which people compare, and the part between them. */
export function ends(address: string): [head: string, middle: string, tail: string] {
  if (address.length <= 2 * END) return [address, '', ''];
  return [address.slice(0, END), address.slice(END, -END), address.slice(-END)];
}

/** For a row: `TQmer1…k7Vf9x`. */
export function shortAddress(address: string): string {
  const [head, middle, tail] = ends(address);
  return middle ? `${head}…${tail}` : head;
}

/** A card whose other digits the server hides: `•••• 9012`. */
export const shortCard = (hidden: string): string => hidden.replace(/\*+/, '•••• ');

/** In groups of four, for comparing and reading aloud. */
export const inFours = (address: string): string => address.match(new RegExp(`.{1,${GROUP}}`, 'gs'))?.join(' ') ?? '';

export type Family = 'BTC' | 'ERC20' | 'TRC20';
const FORMS: Record<Family, RegExp> = {
  BTC: /^(?:(?:bc1|BC1)[0-9a-zA-Z]{11,87}|[13][1-9A-HJ-NP-Za-km-z]{24,34})$/,
  ERC20: /^0x[0-9a-fA-F]{40}$/,
  TRC20: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
};

/** The network an address looks like, by its form alone. */
export const familyOf = (address: string): Family | undefined => (Object.keys(FORMS) as Family[]).find((family) => FORMS[family].test(address));
