import { useEffect, useEffectEvent, useState } from 'react';
import { Fault, must, type Reason } from '../../lib/verify/fault';
import { knownKey } from '../../lib/verify/known';
import { checkSameLog } from '../../lib/verify/newest';
import { checkReceipt, type Checked } from '../../lib/verify/receipt';

/** The state of the check of a receipt. `pending`: no signed head covers it yet. `broken`: the check could not run. */
export type Verdict = { state: 'checking' } | { state: 'pending' } | { state: 'broken' } | { state: 'good'; checked: Checked; tookMs: number } | { state: 'bad'; reason: Reason };

/** What was asked for: whose receipt, and what was shown of it before, its number at least. */
export interface Asked {
  userId: number | undefined;
  shown: Readonly<Record<string, unknown>>;
}

/** A right receipt of another option, contract or member is not the one that was asked for. */
function checkAsked(receipt: unknown, { userId, shown }: Asked): void {
  const { position, order, user_id } = receipt as Record<'position' | 'order', Record<string, unknown>> & { user_id: unknown };
  const its = position ?? order;
  const isShown = Object.entries(shown).every(([name, value]) => its[name] === value);
  must(isShown && (position ? user_id : its.user_id) === userId, 'purchase');
}

/** Resolves once the rendered content is painted. */
const drawn = () => new Promise<void>((done) => setTimeout(done, 16));

/**
 * Checks a receipt on this device with the venue's key and log as the device knows them; `asked` unless it comes from a file, which is
 * checked without a connection as well.
 */
export async function verdictOf(receipt: unknown, asked?: Asked): Promise<Verdict> {
  const started = performance.now();
  try {
    const checked = await checkReceipt(receipt, knownKey());
    if (asked) checkAsked(receipt, asked);
    const tookMs = Math.max(1, Math.round(performance.now() - started));
    await checkSameLog(receipt, !asked);
    return { state: 'good', checked, tookMs };
  } catch (error) {
    if (!(error instanceof Fault)) return { state: 'broken' };
    return error.reason === 'proof' && (receipt as { proof?: unknown }).proof === null ? { state: 'pending' } : { state: 'bad', reason: error.reason };
  }
}

/** The verdict on a receipt while it is shown; a new receipt is checked again. */
export function useVerdict(receipt: unknown, asked?: Asked): Verdict {
  const [verdict, setVerdict] = useState<{ of: unknown; is: Verdict } | null>(null);
  const judge = useEffectEvent(() => verdictOf(receipt, asked));
  useEffect(() => {
    if (receipt === undefined) return;
    let wanted = true;
    // The texts are painted before the work begins.
    void drawn()
      .then(() => judge())
      .catch((): Verdict => ({ state: 'broken' }))
      .then((is) => wanted && setVerdict({ of: receipt, is }));
    return () => {
      wanted = false;
    };
  }, [receipt]);
  return verdict && verdict.of === receipt ? verdict.is : { state: 'checking' };
}
