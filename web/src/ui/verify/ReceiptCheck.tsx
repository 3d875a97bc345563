import { useState } from 'react';
import { t, useLocale, type Key } from '../../lib/i18n';
import { clock, stamp } from '../../lib/time';
import type { Checked } from '../../lib/verify/receipt';
import type { Reason } from '../../lib/verify/fault';
import { Button } from '../Button';
import { Icon } from '../Icon';
import { saveFile } from '../saveFile';
import { Sheet } from '../Sheet';
import { Note, Timeline, type Step } from '../Status';
import { useVerdict, verdictOf, type Asked, type Verdict } from './check';
import { EntryLink } from './EntryLink';
import css from './ReceiptCheck.module.css';

interface Check {
  text: Key;
  reasons: readonly Reason[];
}

/** The steps of the check in order, with the reasons for which each fails. */
const STEPS: readonly Check[] = [
  { text: 'proof.steps.signature', reasons: ['format', 'proof', 'signature', 'key', 'genesis'] },
  { text: 'proof.steps.entries', reasons: ['chain', 'inclusion', 'consistency'] },
  { text: 'proof.steps.terms', reasons: ['purchase', 'rule', 'terms'] },
  { text: 'proof.steps.open', reasons: ['open_sample'] },
  { text: 'proof.steps.delivery', reasons: ['delivery_sample'] },
  { text: 'proof.steps.result', reasons: ['outcome', 'payout'] },
];

/** A contract has one more step before the result, and some have other names. */
const STOPS: Check = { text: 'proof.contract.stops', reasons: ['stops'] };
const STEPS_OF_CONTRACT = [...STEPS.slice(0, -1), STOPS, ...STEPS.slice(-1)];
const OF_CONTRACT: Partial<Record<Key, Key>> = { 'proof.steps.terms': 'proof.contract.terms', 'proof.steps.delivery': 'proof.contract.close', 'proof.steps.result': 'proof.contract.result' };
const REASONS_OF_CONTRACT: Partial<Record<Reason, Key>> = {
  purchase: 'proof.contract.wrongOrder',
  terms: 'proof.contract.wrongTerms',
  delivery_sample: 'proof.contract.wrongClose',
  payout: 'proof.contract.wrongPaid',
};
const isContract = (receipt: unknown): boolean => typeof receipt === 'object' && receipt !== null && ('position' in receipt || ('message' in receipt && isContract(receipt.message)));

/** What showed the stops. If nothing does, the step is neither done nor failed. */
function stopsStep({ stops }: Checked): Pick<Step, 'state' | 'text'> {
  if (!stops) return { state: 'next' };
  const seq = stops.at(-1);
  return { state: 'done', text: seq === undefined ? t('proof.contract.stopsOrder') : t('proof.contract.stopsSet', { seq }) };
}

function steps(verdict: Verdict, contract: boolean): Step[] {
  const checks = contract ? STEPS_OF_CONTRACT : STEPS;
  const step = (text: Key) => t((contract && OF_CONTRACT[text]) || text);
  const why = (reason: Reason) => t((contract && REASONS_OF_CONTRACT[reason]) || `proof.reasons.${reason}`);
  const failed = verdict.state === 'bad' ? checks.findIndex(({ reasons }) => reasons.includes(verdict.reason)) : -1;
  return checks.map((check, at) => {
    const { text } = check;
    if (check === STOPS && verdict.state === 'good') return { title: step(text), ...stopsStep(verdict.checked) };
    const state = verdict.state === 'good' || at < failed ? 'done' : at === failed ? 'failed' : verdict.state === 'checking' && at === 0 ? 'now' : 'next';
    return { title: step(text), state, ...(at === failed && verdict.state === 'bad' && { text: why(verdict.reason) }) };
  });
}

/** One line and one sentence, which a screen reader announces when they change. */
export function VerdictNote({ verdict }: { verdict: Verdict }) {
  const locale = useLocale();
  const told = () => {
    switch (verdict.state) {
      case 'checking':
        return <Note icon="refresh">{t('proof.receipt.checking')}</Note>;
      case 'pending':
        return (
          <Note tone="caution">
            <b>{t('proof.receipt.pending')}</b> {t('proof.receipt.pendingText')}
          </Note>
        );
      case 'broken':
        return (
          <Note tone="caution">
            <b>{t('proof.receipt.broken')}</b> {t('proof.receipt.brokenText')}
          </Note>
        );
      case 'bad':
        return (
          <Note tone="danger">
            <b>{t('proof.receipt.bad')}</b> {t('proof.receipt.badText')}
          </Note>
        );
      case 'good': {
        const { unshown, head } = verdict.checked;
        return (
          <Note tone={unshown.length ? 'caution' : 'plain'} icon={unshown.length ? 'warn' : 'check'}>
            <b>{t('proof.receipt.good')}</b>{' '}
            {t('proof.receipt.goodText', { ms: verdict.tookMs, seq: head.seq, time: clock(head.timeMs, locale, true) })}
            {unshown.map((name) => (
              <span key={name}> {t(`proof.unshown.${name}`)}</span>
            ))}
          </Note>
        );
      }
    }
  };
  return <div role="status">{told()}</div>;
}

interface EntryShown {
  seq: number;
  time_ms: number;
  kind: string;
  hash: string;
  bytes: string;
}

/** The entries in a receipt. Anything else is omitted, because the check reports it. */
function entriesOf(receipt: unknown): EntryShown[] {
  const runs = (receipt as { proof?: { runs?: { entries?: Partial<EntryShown>[] }[] } } | null)?.proof?.runs;
  const all = Array.isArray(runs) ? runs.flatMap((run) => (Array.isArray(run?.entries) ? run.entries : [])) : [];
  return all.filter((entry): entry is EntryShown => typeof entry?.seq === 'number' && typeof entry.time_ms === 'number' && [entry.kind, entry.hash, entry.bytes].every((text) => typeof text === 'string'));
}

function Entries({ receipt, checked }: { receipt: unknown; checked: Checked | null }) {
  const locale = useLocale();
  const entries = entriesOf(receipt);
  if (!entries.length) return null;
  const decides = (seq: number) => seq === checked?.id || seq === checked?.stops?.at(-1) || checked?.samples.some((sample) => sample.seq === seq);
  return (
    <details className={css.entries}>
      <summary>
        {t('proof.receipt.entries', { count: entries.length })}
        <Icon name="forward" size={18} />
      </summary>
      <ul>
        {entries.map(({ seq, time_ms, kind, hash, bytes }) => (
          <li key={seq}>
            <EntryLink seq={seq} hash={hash}>
              <span className={decides(seq) ? 'b' : 'm'}>{t('proof.entry', { seq })}</span>
            </EntryLink> <span className="code">{kind}</span>
            <span className="cap t2 num"> {stamp(time_ms, locale)}</span>
            <span className={`${css.bytes} code cap t2`}>{hash}</span>
            {bytes && <span className={`${css.bytes} code cap t3`}>{bytes}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface Props {
  open: boolean;
  /** The answer of `microtrade/receipt` or `lever/receipt`, or a saved file of it. */
  receipt: unknown;
  /** What was asked for, and the file name for saving; absent if the receipt came from a file. */
  asked?: Asked | undefined;
  name?: string | undefined;
  onClose: () => void;
  /** Reads the receipt again if no head covered it yet; absent if it came from a file. */
  onAgain?: (() => void) | undefined;
}

/** Checks a receipt on this device and shows each step, the log entries behind it, and the file to keep. */
export default function ReceiptCheck({ open, receipt, asked, name, onClose, onAgain }: Props) {
  useLocale();
  // The content stays while the sheet closes.
  const [shown, setShown] = useState(receipt);
  if (open && receipt !== shown) setShown(receipt);
  const verdict = useVerdict(shown, asked);
  const save = () => saveFile(new Blob([`${JSON.stringify(shown)}\n`], { type: 'application/json' }), name ?? 'receipt.json');
  const again = verdict.state === 'pending' && onAgain;
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('proof.receipt.title')}
      footer={
        <>
          {name && verdict.state !== 'pending' && <Button onClick={save}>{t('proof.receipt.save')}</Button>}
          {again && <Button onClick={again}>{t('proof.again')}</Button>}
          <Button kind="commit" onClick={onClose}>
            {t('ui.done')}
          </Button>
        </>
      }
    >
      <div className={css.check}>
        <VerdictNote verdict={verdict} />
        {verdict.state !== 'pending' && verdict.state !== 'broken' && <Timeline steps={steps(verdict, isContract(shown))} />}
        <Entries receipt={shown} checked={verdict.state === 'good' ? verdict.checked : null} />
      </div>
    </Sheet>
  );
}

// The sheet and the check share one file, which loads when either is first needed.
export { verdictOf };
