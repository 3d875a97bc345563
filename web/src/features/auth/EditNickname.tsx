import { useRef, useState, type FormEvent } from 'react';
import { useUser } from '../../data/session';
import { t, useLocale } from '../../lib/i18n';
import { back } from '../../lib/nav';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Screen } from '../../ui/Layout';
import { toast } from '../../ui/Toast';
import { saveNickname } from './api';
import { problem } from './contact';
import { length } from './model';
import css from './Auth.module.css';

const FORM = 'nickname';

/** The shown name: 2 to 32 characters. */
export default function EditNickname() {
  useLocale();
  const present = useUser().data?.nickname ?? '';
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const [saving, setSaving] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const nickname = (typed ?? present).trim();
  const fits = length(nickname) >= 2 && length(nickname) <= 32;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!fits || saving) return;
    setSaving(true);
    try {
      await saveNickname(nickname);
      toast(t('profile.saved'));
      back();
    } catch (cause) {
      setError(problem(cause));
    }
    setSaving(false);
  };
  const footer = (
    <Button kind="commit" wide type="submit" form={FORM} loading={saving} reason={fits ? undefined : t('profile.nicknameRule')} onBlocked={() => input.current?.focus()}>
      {t('ui.save')}
    </Button>
  );
  return (
    <Screen title={t('profile.nickname')} footer={footer}>
      <form id={FORM} className={`${css.form} pad`} noValidate onSubmit={(event) => void submit(event)}>
        <Field
          ref={input}
          label={t('profile.nickname')}
          autoComplete="nickname"
          maxLength={64}
          value={typed ?? present}
          onChange={(event) => {
            setTyped(event.target.value);
            setError(undefined);
          }}
          error={error}
          hint={t('profile.nicknameHint')}
        />
      </form>
    </Screen>
  );
}
