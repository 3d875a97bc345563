import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Refusal } from '../lib/errors';
import { headersOf } from '../lib/http';

/** The member's own picture on the server. It is private, so it is read with the session, and shown and saved from memory. */
export function usePrivatePicture(address: string | null): { picture: Blob | undefined; url: string | undefined; isError: boolean } {
  const { data: picture, isError } = useQuery({
    queryKey: ['me', 'picture', address],
    enabled: address !== null,
    staleTime: Infinity,
    queryFn: async () => {
      const answer = await fetch(address ?? '', { headers: headersOf({}) });
      const file = await answer.blob();
      if (!file.type.startsWith('image/')) throw new Refusal('E_NOT_FOUND', '');
      return file;
    },
  });
  const url = useMemo(() => picture && URL.createObjectURL(picture), [picture]);
  useEffect(() => {
    if (url) return () => URL.revokeObjectURL(url);
  }, [url]);
  return { picture, url, isError };
}
