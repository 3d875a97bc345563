import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Refusal } from '../lib/errors';
import { headersOf } from '../lib/http';

/** An own picture on the server. It is private, so it is read with the session and shown from memory. */
export function usePrivatePicture(address: string | null): { url: string | undefined; isError: boolean } {
  const { data, isError } = useQuery({
    queryKey: ['me', 'picture', address],
    enabled: address !== null,
    staleTime: Infinity,
    queryFn: async () => {
      const answer = await fetch(address ?? '', { headers: headersOf({}) });
      const picture = await answer.blob();
      if (!picture.type.startsWith('image/')) throw new Refusal('E_NOT_FOUND', '');
      return picture;
    },
  });
  const url = useMemo(() => data && URL.createObjectURL(data), [data]);
  useEffect(() => {
    if (url) return () => URL.revokeObjectURL(url);
  }, [url]);
  return { url, isError };
}
