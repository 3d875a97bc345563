import { useQuery } from '@tanstack/react-query';
import { api } from '../lib/http';
import { languageCode } from '../lib/i18n';

/** Countries with their dial codes, named in the app's language. */
export function useCountries() {
  return useQuery({
    queryKey: ['countries', languageCode()],
    staleTime: Infinity,
    queryFn: async () => (await api.query('area_code')).message,
  });
}
