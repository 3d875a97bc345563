import { useSession } from '../../data/session';
import { t } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { copyText } from '../../ui/copy';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { saveFile } from '../../ui/saveFile';
import { Note } from '../../ui/Status';
import { recoveryFile } from './model';
import css from './Account.module.css';

/** Ten codes that are shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const account = useSession(({ user }) => user?.account_number ?? '');
  const file = recoveryFile(account, codes);
  const footer = (
    <Button kind="commit" wide onClick={onDone}>
      {t('security.codesKept')}
    </Button>
  );
  return (
    <Screen title={t('security.codes')} header={<></>} footer={footer}>
      <div className={css.form}>
        <h1 className="h1">{t('security.codes')}</h1>
        <p className="t2">{t('security.codesText')}</p>
        <ol className={css.codes} aria-label={t('security.codes')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className={css.actions}>
          <Button small onClick={() => void copyText(codes.join('\n'))}>
            <Icon name={icons.copy} size={16} />
            {t('security.copy')}
          </Button>
          <Button small onClick={() => saveFile(new Blob([file], { type: 'text/plain' }), 'meridian-recovery-codes.txt')}>
            <Icon name="deposit" size={16} />
            {t('security.download')}
          </Button>
          <Button small onClick={() => print()}>
            {t('security.print')}
          </Button>
        </div>
        <Note tone="caution">{t('security.codesOnce')}</Note>
      </div>
    </Screen>
  );
}
