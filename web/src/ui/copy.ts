import { t } from '../lib/i18n';
import { toast } from './Toast';

/** Plain HTTP has no clipboard API; the old way works there. */
function copyByHand(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.style.position = 'fixed';
  document.body.append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } finally {
    field.remove();
  }
}

export async function copyText(text: string): Promise<void> {
  const done = navigator.clipboard ? await navigator.clipboard.writeText(text).then(() => true, () => copyByHand(text)) : copyByHand(text);
  toast(t(done ? 'ui.copied' : 'ui.copyFailed'), done ? {} : { icon: 'warn' });
}

/** Opens the phone's share sheet with a text; without one, copies it. */
export async function shareText(text: string): Promise<void> {
  if (typeof navigator.share !== 'function') return copyText(text);
  // Closing the share sheet is not a failure.
  await navigator.share({ text }).catch(() => {});
}
