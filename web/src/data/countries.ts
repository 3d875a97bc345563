import { useQuery } from '@tanstack/react-query';
import { api } from '../lib/http';
import { languageCode, locale } from '../lib/i18n';

/** Countries with their dial codes, named and sorted in the app's language. */
export async function countries() {
  const { compare } = new Intl.Collator(locale());
  return (await api.query('area_code')).message.toSorted((a, b) => compare(a.name, b.name));
}

export const useCountries = () => useQuery({ queryKey: ['countries', languageCode()], staleTime: Infinity, queryFn: countries });
