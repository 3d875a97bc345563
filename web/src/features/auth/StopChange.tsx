import { useState, type FormEvent } from 'react';
import { t } from '../../lib/i18n';
import { replace } from '../../lib/nav';
import { problem } from '../../lib/refusal';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Icon } from '../../ui/Icon';
import { stopEmailChange } from './api';
import { carried } from './contact';
import { LoginFrame } from './Parts';
import css from './Auth.module.css';

/** Letters and digits of a whole code; dashes and spaces are only for readability. */
const LENGTH = 16;

/** Undoes a change of the e-mail address with the code that was sent to the previous one. */
export default function StopChange() {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [sending, setSending] = useState(false);
  const [done, setDone] = useState(false);
  const short = code.replace(/[^A-Za-z0-9]/g, '').length < LENGTH;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (short || sending) return;
    setSending(true);
    try {
      await stopEmailChange(code.trim());
      setDone(true);
    } catch (cause) {
      setError(problem(cause));
    }
    setSending(false);
  };
  if (done) {
    return (
      <LoginFrame title={t('security.stopped')} text={t('security.stoppedText')} mark={<div className={css.mark}><Icon name="check" size={32} /></div>}>
        <div className={css.form}>
          <Button kind="commit" wide onClick={() => replace('user/login/choose', { ...carried(), for: 'reset' })}>
            {t('auth.setPassword')}
          </Button>
        </div>
      </LoginFrame>
    );
  }
  return (
    <LoginFrame title={t('auth.stopChange')} text={t('security.stopText')}>
      <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <Field
          name="code"
          label={t('security.stopCode')}
          value={code}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={error}
          onChange={(event) => {
            setCode(event.target.value);
            setError(undefined);
          }}
        />
        <Button kind="commit" wide type="submit" loading={sending} reason={short ? t('security.stopNeedCode') : undefined}>
          {t('security.stopCommit')}
        </Button>
      </form>
    </LoginFrame>
  );
}
