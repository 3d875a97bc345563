import { t } from '../lib/i18n';
import { href } from '../lib/nav';
import type { ReceiptOf } from '../lib/receipt';
import { ButtonLink, IconButton } from './Button';
import { copyText, shareText } from './copy';
import { Icon } from './Icon';
import * as icons from './icons';
import css from './ReceiptNumber.module.css';

/** A link to help that names this receipt. */
export const ReceiptHelp = ({ id, of }: { id: number; of: ReceiptOf }) => (
  <ButtonLink kind="text" href={href('help-center', { number: id, of })}>
    {t('ui.getHelp')}
  </ButtonLink>
);

interface Props {
  id: number;
  of: ReceiptOf;
  /** The name of the number, and the label of its copy button. */
  label: string;
  copy: string;
  /** The lines that are shared; the number follows. */
  share: readonly string[];
}

/** The end of a receipt: its number, to be copied and shared, and a link to help. */
export function ReceiptNumber({ id, of, label, copy, share }: Props) {
  const number = String(id);
  return (
    <div>
      <div className={css.number}>
        <span className="lab t2">{label}</span>
        <span className="num grow right">{number}</span>
        <IconButton label={copy} onClick={() => void copyText(number)}>
          <Icon name={icons.copy} size={18} />
        </IconButton>
        <IconButton label={t('trade.shareOrder')} onClick={() => void shareText([...share, `${label} ${number}`].join('\n'))}>
          <Icon name={icons.share} size={18} />
        </IconButton>
      </div>
      <ReceiptHelp id={id} of={of} />
    </div>
  );
}
