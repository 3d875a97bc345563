import { t } from '../lib/i18n';
import { href } from '../lib/nav';
import { refusalText, wayOn } from '../lib/refusal';
import { TextLink } from './Button';

/** The reason of a refusal, and a link onward if there is one. */
export function Refused({ error }: { error: unknown }) {
  const way = wayOn(error);
  return (
    <>
      {refusalText(error)} {way && <TextLink href={href(way.path)}>{t(way.label)}</TextLink>}
    </>
  );
}
