import { t } from '../../lib/i18n';
import { usePicture } from '../../lib/picture';
import { usePrivatePicture } from '../../data/files';
import { useUser } from '../../data/session';
import { Button } from '../../ui/Button';
import { Screen } from '../../ui/Layout';
import { PictureField } from '../../ui/PictureField';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { saveProfile } from './api';
import { useForm } from './form';
import css from './Account.module.css';

const FORM = 'photo-form';

/** The picture of the account. */
export function EditPhoto() {
  const present = usePrivatePicture(useUser().data?.avatar ?? null).url;
  const picture = usePicture('avatar');
  const reasons = picture.preview ? [] : [{ field: 'photo' as const, text: 'security.needPhoto' as const }];
  const { form, button, general } = useForm<'photo'>(
    reasons,
    () => null,
    async (leave) => {
      await saveProfile({ avatar: await picture.send() });
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
    <Screen title={t('security.photo')} footer={footer}>
      <form {...form} id={FORM} className={css.form}>
        <PictureField label={t('security.photo')} hint={t('security.photoHint')} picture={picture} {...(present && { empty: <img src={present} alt="" /> })} />
        {general && !picture.problem && <Note tone="danger">{general}</Note>}
      </form>
    </Screen>
  );
}
