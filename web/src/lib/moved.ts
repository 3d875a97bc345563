import { useEffect, useState } from 'react';
import { abs, amount, cmp, mul, sub, type Amount } from './money';

const SETTLE = 1_000;
const THOUSAND = amount('1000');

/** Whether the figure has moved by more than one part in so many since the person last looked at it, and whether it did just now. */
export function useMoved(figure: Amount | undefined, parts: Amount = THOUSAND): { moved: boolean; just: boolean } {
  const [seen, setSeen] = useState<{ figure: Amount | undefined; moves: number }>({ figure: undefined, moves: 0 });
  const [calm, setCalm] = useState(0);
  const far = seen.figure && figure && cmp(mul(abs(sub(figure, seen.figure)), parts), abs(seen.figure)) > 0;
  if (!figure && seen.figure) setSeen({ figure: undefined, moves: 0 });
  else if (figure && (far || !seen.figure)) setSeen({ figure, moves: far ? seen.moves + 1 : 0 });
  useEffect(() => {
    const timer = setTimeout(() => setCalm(seen.moves), SETTLE);
    return () => clearTimeout(timer);
  }, [seen.moves]);
  return { moved: seen.moves > 0, just: seen.moves > 0 && calm !== seen.moves };
}
