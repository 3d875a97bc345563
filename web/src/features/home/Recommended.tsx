import { useState } from 'react';
import { useRecommended } from '../../data/coins';
import { t, useLocale } from '../../lib/i18n';
import { go } from '../../lib/nav';
import { read, write } from '../../lib/storage';
import { Button } from '../../ui/Button';
import { Sheet } from '../../ui/Sheet';
import { Note } from '../../ui/Status';

const KEY = 'meridian.recommended';

/** A new coin that the house points to, once a device. */
export default function Recommended() {
  useLocale();
  const offering = useRecommended().data;
  const [seen, setSeen] = useState(() => read<{ ids: number[] }>(KEY).ids ?? []);
  if (!offering) return null;
  const close = () => {
    const ids = [...seen, offering.id].slice(-50);
    write(KEY, { ids });
    setSeen(ids);
  };
  return (
    <Sheet
      open={!seen.includes(offering.id)}
      onClose={close}
      title={offering.recommend_title}
      footer={
        <>
          <Button onClick={close}>{t('coins.notNow')}</Button>
          <Button
            kind="commit"
            onClick={() => {
              close();
              go('publication/details', { id: offering.id });
            }}
          >
            {t('coins.details')}
          </Button>
        </>
      }
    >
      <p>{offering.recommend_content}</p>
      <Note tone="caution">
        <b>{t('coins.noteTitle')}</b> {t('coins.note')}
      </Note>
    </Sheet>
  );
}
