import { useState } from 'react';
import { findBalance, leftOut, type Found } from '../../data/leaf';
import { t, useLocale } from '../../lib/i18n';
import { stamp } from '../../lib/time';
import { Fault, type Reason } from '../../lib/verify/fault';
import { knownKey } from '../../lib/verify/known';
import { checkLeaf, type CheckedLeaf } from '../../lib/verify/leaf';
import { checkSameLog } from '../../lib/verify/newest';
import { Button } from '../../ui/Button';
import { amountText } from '../../ui/Figures';
import { saveFile } from '../../ui/saveFile';
import { Sheet } from '../../ui/Sheet';
import { Note, Timeline, type Step } from '../../ui/Status';
import css from './LeafSheet.module.css';

/** The verdict on a leaf from a file, without comparing the statement. */
export async function leafVerdict(document: unknown): Promise<Found> {
  const leaf = document as Extract<Found, { state: 'good' }>['leaf'];
  try {
    const checked = await checkLeaf(document, knownKey());
    await checkSameLog(document, true);
    // The decimals of a coin that was listed later are not in the file.
    return checked.isListed ? { state: 'good', leaf, checked, compared: false } : { state: 'broken' };
  } catch (error) {
    return error instanceof Fault ? { state: 'bad', why: error.reason, leaf } : { state: 'broken' };
  }
}

type Why = Extract<Found, { state: 'bad' }>['why'];

/** The steps of the check in order, with the reasons for which each fails. */
const STEPS: readonly { text: 'signature' | 'entries' | 'leaf' | 'sum' | 'balance'; fails: readonly Why[] }[] = [
  { text: 'signature', fails: ['format', 'proof', 'signature', 'key', 'genesis'] satisfies Reason[] },
  { text: 'entries', fails: ['chain', 'inclusion', 'consistency', 'cut'] satisfies Reason[] },
  { text: 'leaf', fails: ['another', 'terms', 'leaf'] },
  { text: 'sum', fails: ['sum', 'root'] },
  { text: 'balance', fails: ['balance'] },
];

/** Why the check failed, in words. */
export function whyText({ why, had, leaf }: Extract<Found, { state: 'bad' }>, coin: string, locale: string): string {
  const shown = (value: string) => amountText({ value, code: coin, full: true }, locale);
  if (why === 'missing') return t('proof.owed.missing', { amount: shown(had ?? '0') });
  if (why === 'balance') return t('proof.owed.differs', { found: shown(leaf?.balance ?? '0'), had: shown(had ?? '0') });
  return why === 'another' ? t('proof.owed.another') : t(why === 'format' ? 'proof.owed.noLeaf' : `proof.reasons.${why}`);
}

function steps(found: Found, coin: string, locale: string, saved: boolean): Step[] {
  const failed = found.state === 'bad' ? STEPS.findIndex(({ fails }) => fails.includes(found.why)) : -1;
  return STEPS.filter(({ text }) => !saved || text !== 'balance').map(({ text }, at) => {
    const isDone = found.state === 'good' ? text !== 'balance' || found.compared : at < failed;
    const why = at === failed && found.state === 'bad' && { text: whyText(found, coin, locale) };
    return { title: t(`proof.owed.steps.${text}`), state: isDone ? 'done' : at === failed ? 'failed' : 'next', ...why };
  });
}

function GoodText({ checked, compared, saved }: { checked: CheckedLeaf; compared: boolean; saved: boolean }) {
  const locale = useLocale();
  const shown = (value: string) => amountText({ value, code: checked.coin, full: true }, locale);
  const figures = { amount: shown(checked.balance), total: shown(checked.total), time: stamp(checked.timeMs, locale) };
  return (
    <Note icon="check">
      <b>{t('proof.owed.good')}</b> {saved ? t('proof.owed.savedText', { ...figures, id: checked.userId }) : t('proof.owed.goodText', figures)}
      {!saved && !compared && ` ${t('proof.owed.uncompared')}`}
    </Note>
  );
}

interface Props {
  open: boolean;
  onClose: () => void;
  found: Found | undefined;
  coin: string;
  /** The leaf comes from a file. */
  saved?: boolean;
}

/** The member's own part of what the venue owes: each step of the check, and the file to keep. */
export default function LeafSheet({ open, onClose, found, coin, saved = false }: Props) {
  const locale = useLocale();
  // The content stays while the sheet closes.
  const [shown, setShown] = useState(found);
  if (open && found !== shown) setShown(found);
  const leaf = shown && 'leaf' in shown ? shown.leaf : undefined;
  // Without a leaf nothing was checked.
  const missing = shown?.state === 'bad' && shown.why === 'missing';
  const save = () => saveFile(new Blob([`${JSON.stringify(leaf)}\n`], { type: 'application/json' }), `meridian-balance-${coin}-${leaf?.seq}.json`);
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('proof.owed.mine')}
      footer={
        <>
          {leaf && !saved && <Button onClick={save}>{t('proof.receipt.save')}</Button>}
          <Button kind="commit" onClick={onClose}>
            {t('ui.done')}
          </Button>
        </>
      }
    >
      <div className={css.leaf} role="status">
        {shown?.state === 'good' && <GoodText checked={shown.checked} compared={shown.compared} saved={saved} />}
        {shown?.state === 'bad' && (
          <Note tone="danger">
            <b>{t('proof.states.bad')}.</b> {missing ? whyText(shown, coin, locale) : t('proof.owed.badText')}
          </Note>
        )}
        {shown?.state === 'broken' && (
          <Note tone="caution">
            <b>{t('proof.receipt.broken')}</b> {t('proof.owed.brokenText')}
          </Note>
        )}
        {(shown?.state === 'good' || (shown?.state === 'bad' && !missing)) && <Timeline steps={steps(shown, coin, locale, saved)} />}
      </div>
    </Sheet>
  );
}

// The sheet and the check share one file, which loads when either is first needed.
export { findBalance, leftOut };
