import { expect, test } from 'vitest';
import { matching } from './model';

const articles = [{ title: 'Where prices come from' }, { title: 'What trading costs' }, { title: 'İşlem ücretleri' }];

test.each([
  ['', 'en', [0, 1, 2]],
  ['   ', 'en', [0, 1, 2]],
  ['PRICES', 'en', [0]],
  ['from prices', 'en', [0]],
  ['wh', 'en', [0, 1]],
  ['prices costs', 'en', []],
  ['işlem', 'tr', [2]],
])('"%s" in %s finds %j', (text, locale, found) => {
  expect(matching(articles, text, locale)).toEqual(found.map((n) => articles[n]));
});
