import { useState } from 'react';
import { t } from '../../lib/i18n';
import { go, idInAddress } from '../../lib/nav';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Card } from '../../ui/Layout';

/** Opens an entry of the public log by its number, with or without grouping. */
export function FindEntry() {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const seq = idInAddress(text.replaceAll(/[\s.,'’\u00a0\u202f]/g, ''));
  return (
    <Card>
      <p className="t2 lab">{t('journal.entry.text')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (seq > 0) go('settings/proof/entry', { seq });
        }}
      >
        <Field label={t('journal.entry.label')} inputMode="numeric" autoComplete="off" value={text} error={tried && seq === 0 ? t('journal.entry.noNumber') : undefined} onChange={(event) => setText(event.target.value)} />
        <Button type="submit" wide>
          {t('journal.entry.find')}
        </Button>
      </form>
    </Card>
  );
}
