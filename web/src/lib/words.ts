import { fetchCode } from './code';
import type { Catalogue, Messages } from './i18n';

/** Where the words are that come after the first page; this table of them is not part of it either. */
const refusals = import.meta.glob<Catalogue>('../locales/*.json', { query: '?refusals' });
const later = import.meta.glob<Catalogue>('../locales/*.json', { query: '?later' });
const products = import.meta.glob<Catalogue>('../locales/*.json', { query: '?products' });
const wealth = import.meta.glob<Catalogue>('../locales/*.json', { query: '?wealth' });
const money = import.meta.glob<Catalogue>('../locales/*.json', { query: '?money' });
const journal = import.meta.glob<Catalogue>('../locales/*.json', { query: '?journal' });
const parts = { refusals, later, products, wealth, money, journal };
/** Words for the server's refusals, of the screens beside the daily ones, and of the products: those that are traded, plans and new coins, converting, borrowing and inviting, and what the public log is made of and charts are drawn from. */
export type Part = keyof typeof parts;

export async function wordsOf(part: Part, code: string): Promise<Messages> {
  const load = parts[part][`../locales/${code}.json`];
  return load ? (await fetchCode(load)).default : {};
}
