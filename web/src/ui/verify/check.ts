import { useEffect, useState } from 'react';
import { Fault, type Reason } from '../../lib/verify/fault';
import { knownKey } from '../../lib/verify/known';
import { checkReceipt, type Checked } from '../../lib/verify/receipt';

/** The state of the check of a receipt. `pending`: no signed head covers it yet. `broken`: the check could not run. */
export type Verdict = { state: 'checking' } | { state: 'pending' } | { state: 'broken' } | { state: 'good'; checked: Checked; tookMs: number } | { state: 'bad'; reason: Reason };

/** Resolves once the rendered content is painted. */
const drawn = () => new Promise<void>((done) => setTimeout(done, 16));

/** Checks a receipt on this device with the venue's key as the device knows it. */
export async function verdictOf(receipt: unknown): Promise<Verdict> {
  const begun = performance.now();
  try {
    const checked = await checkReceipt(receipt, knownKey());
    return { state: 'good', checked, tookMs: Math.max(1, Math.round(performance.now() - begun)) };
  } catch (error) {
    if (!(error instanceof Fault)) return { state: 'broken' };
    return error.reason === 'proof' && (receipt as { proof?: unknown }).proof === null ? { state: 'pending' } : { state: 'bad', reason: error.reason };
  }
}

/** The verdict on a receipt while it is shown; a new receipt is checked again. */
export function useVerdict(receipt: unknown): Verdict {
  const [verdict, setVerdict] = useState<{ of: unknown; is: Verdict } | null>(null);
  useEffect(() => {
    if (receipt === undefined) return;
    let wanted = true;
    // The texts are painted before the work begins.
    void drawn()
      .then(() => verdictOf(receipt))
      .catch((): Verdict => ({ state: 'broken' }))
      .then((is) => wanted && setVerdict({ of: receipt, is }));
    return () => {
      wanted = false;
    };
  }, [receipt]);
  return verdict && verdict.of === receipt ? verdict.is : { state: 'checking' };
}
