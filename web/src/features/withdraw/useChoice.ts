import { useState } from 'react';
import type { Address, Card } from '../../generated/api';
import { serverNow } from '../../lib/time';
import { choice, type Chosen } from './model';

/** The destination of a form; once chosen, only the person changes it. */
export function useChoice<T extends Pick<Address | Card, 'id' | 'usable_at_ms'>>(rows: readonly T[] | undefined, query: string | null): T | undefined {
  const [before, keep] = useState<Chosen>();
  const asked = query ? parseInt(query, 10) : undefined;
  const chosen = rows && choice(rows, asked, before, serverNow());
  if (chosen && (before?.id !== chosen.id || before.asked !== asked)) keep({ asked, id: chosen.id });
  return chosen;
}
