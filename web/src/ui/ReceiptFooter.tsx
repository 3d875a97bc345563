import { t } from '../lib/i18n';
import { back } from '../lib/nav';
import { Button, ButtonLink } from './Button';
import css from './Form.module.css';
import { useSecondTap } from './secondTap';

/** Links at the end of a receipt that is a page: to the member's own, or back. */
export function ReceiptFooter({ href, label }: { href: string; label: string }) {
  const buttons = useSecondTap(true);
  return (
    <div ref={buttons} className={`grow ${css.two}`}>
      <ButtonLink href={href}>{label}</ButtonLink>
      <Button kind="commit" onClick={back}>
        {t('ui.done')}
      </Button>
    </div>
  );
}
