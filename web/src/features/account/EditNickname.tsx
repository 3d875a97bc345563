import { useState } from 'react';
import { useUser } from '../../data/session';
import { t } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Screen } from '../../ui/Layout';
import { toast } from '../../ui/Toast';
import { saveProfile } from './api';
import { useForm } from './form';
import { nicknameFits } from './model';
import css from './Account.module.css';

const FORM = 'nickname-form';

/** The displayed name: 2 to 32 characters. */
export function EditNickname() {
  const present = useUser().data?.nickname ?? '';
  const [typed, setTyped] = useState<string>();
  const nickname = (typed ?? present).trim();
  const reasons = nicknameFits(nickname) ? [] : [{ field: 'nickname' as const, text: 'profile.nicknameRule' as const }];
  const { form, button, changed, errorAt } = useForm(
    reasons,
    () => 'nickname',
    async (leave) => {
      await saveProfile({ nickname });
      toast(t('profile.saved'));
      leave();
    },
  );
  const footer = (
    <Button kind="commit" wide type="submit" form={FORM} {...button}>
      {t('ui.save')}
    </Button>
  );
  return (
    <Screen title={t('profile.nickname')} footer={footer}>
      <form {...form} id={FORM} className={css.form}>
        <Field
          name="nickname"
          label={t('profile.nickname')}
          autoComplete="nickname"
          maxLength={64}
          value={typed ?? present}
          onChange={(event) => {
            setTyped(event.target.value);
            changed();
          }}
          error={errorAt('nickname')}
          hint={t('profile.nicknameHint')}
        />
      </form>
    </Screen>
  );
}
