import { useState, type FormEvent } from 'react';
import { t } from '../../lib/i18n';
import { problem } from '../../lib/refusal';
import { Button } from '../../ui/Button';
import { messageReason } from './model';
import { AddPicture, ChosenPictures } from './Pictures';
import { usePictures } from './pictures';
import css from './Support.module.css';

/** Text, pictures and Send; the input stays until it has been sent. */
export function Composer({ onSend }: { onSend: (text: string, pictures: string[]) => Promise<void> }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const [sending, setSending] = useState(false);
  const pictures = usePictures();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (sending) return;
    const reason = messageReason(text);
    if (reason) {
      setError(t(reason));
      return;
    }
    setSending(true);
    setError(undefined);
    try {
      await onSend(text.trim(), await pictures.send());
      // What was typed meanwhile is the next message.
      setText((now) => (now === text ? '' : now));
      pictures.clear();
    } catch (cause) {
      setError(problem(cause));
    }
    setSending(false);
  };
  return (
    <form className={css.composer} noValidate onSubmit={(event) => void submit(event)}>
      <ChosenPictures pictures={pictures} />
      {error && (
        <p className="lab danger" role="alert">
          {error}
        </p>
      )}
      <div className={css.line}>
        <AddPicture pictures={pictures} />
        <textarea
          className={css.box}
          rows={1}
          aria-label={t('tickets.message')}
          placeholder={t('tickets.message')}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setError(undefined);
          }}
        />
        <Button kind="commit" type="submit" loading={sending}>
          {t('tickets.send')}
        </Button>
      </div>
    </form>
  );
}
