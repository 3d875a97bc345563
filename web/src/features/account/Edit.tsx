import { t, useLocale } from '../../lib/i18n';
import { usePlace } from '../../lib/nav';
import { EditContact } from './EditContact';
import { EditNickname } from './EditNickname';
import { EditPhoto } from './EditPhoto';

/** One part of the account on a page of its own; the nickname unless the address names another. */
export default function Edit() {
  useLocale();
  const field = usePlace().query.get('field');
  if (field === 'photo') return <EditPhoto />;
  if (field === 'email' || field === 'phone') return <EditContact key={field} way={field} title={t(field === 'email' ? 'security.newMail' : 'security.newPhone')} />;
  return <EditNickname />;
}
