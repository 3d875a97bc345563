import { toast } from '../../ui/Toast';

/** Without a clipboard (plain HTTP) a person selects the text, which the fields allow. */
export async function copyText(text: string): Promise<void> {
  const done = navigator.clipboard
    ? await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      )
    : false;
  toast(done ? 'Copied' : 'Could not copy. Select it by hand.', done ? {} : { icon: 'warn' });
}
