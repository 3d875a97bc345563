import { fetchCode } from './code';
import type { Catalogue, Messages } from './i18n';

/** Where the texts are that load after the first page; this table is not part of that page either. */
const refusals = import.meta.glob<Catalogue>('../locales/*.json', { query: '?refusals' });
const later = import.meta.glob<Catalogue>('../locales/*.json', { query: '?later' });
const products = import.meta.glob<Catalogue>('../locales/*.json', { query: '?products' });
const wealth = import.meta.glob<Catalogue>('../locales/*.json', { query: '?wealth' });
const money = import.meta.glob<Catalogue>('../locales/*.json', { query: '?money' });
const journal = import.meta.glob<Catalogue>('../locales/*.json', { query: '?journal' });
const parts = { refusals, later, products, wealth, money, journal };
/**
 * Texts of the server's refusals, of the less frequent screens, and of the products: the traded ones, plans and new coins, converting,
 * borrowing and inviting, and those of the public log and of charts.
 */
export type Part = keyof typeof parts;

export async function wordsOf(part: Part, code: string): Promise<Messages> {
  const load = parts[part][`../locales/${code}.json`];
  return load ? (await fetchCode(load)).default : {};
}
