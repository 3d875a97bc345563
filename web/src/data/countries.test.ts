import { expect, test, vi } from 'vitest';
import { countries } from './countries';

vi.mock('../lib/http', () => ({ api: { query: () => Promise.resolve({ message: ['Zambie', 'États-Unis', 'Espagne'].map((name) => ({ name })) }) } }));
vi.mock('../lib/i18n', () => ({ locale: () => 'fr', languageCode: () => 'fayu' }));

test('countries stand in the order of the alphabet, accents included', async () => {
  expect((await countries()).map(({ name }) => name)).toEqual(['Espagne', 'États-Unis', 'Zambie']);
});
