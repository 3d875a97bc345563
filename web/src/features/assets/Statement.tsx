import { useState } from 'react';
import { useCommit } from '../../data/commit';
import { useOnline } from '../../lib/online';
import { t } from '../../lib/i18n';
import { DAY, dayKey, serverNow } from '../../lib/time';
import { Button } from '../../ui/Button';
import { CommitNote } from '../../ui/CommitNote';
import { Field } from '../../ui/Field';
import { saveFile } from '../../ui/saveFile';
import { Sheet } from '../../ui/Sheet';
import shared from '../../ui/Form.module.css';
import { statement } from './api';
import { statementSpan } from './model';

const MONTH = 30 * DAY;

/** Chooses the days of a statement and saves it. */
export function Statement({ open, onClose }: { open: boolean; onClose: () => void }) {
  const online = useOnline();
  const [days, setDays] = useState(() => ({ from: dayKey(serverNow() - MONTH), to: dayKey(serverNow()) }));
  const { state, busy, run, reset } = useCommit<string>();
  const span = statementSpan(days.from, days.to);
  const change = (part: Partial<typeof days>) => {
    setDays({ ...days, ...part });
    if (state.step === 'refused') reset();
  };
  const save = async () => {
    if (!span || busy) return;
    await run(() => statement(span), {
      done: (table) => {
        saveFile(new Blob([table], { type: 'text/csv' }), `meridian-${days.from}-${days.to}.csv`);
        onClose();
      },
    });
  };
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('assets.statement')}
      footer={
        <Button kind="commit" wide loading={busy} reason={!span ? t('assets.statementRange') : online ? undefined : t('assets.needsConnection')} onClick={() => void save()}>
          {t('assets.statementSave')}
        </Button>
      }
    >
      <div className={shared.stack}>
        <p className="t2">{t('assets.statementText')}</p>
        <Field type="date" label={t('assets.statementFrom')} value={days.from} max={days.to} onChange={(event) => change({ from: event.target.value })} />
        <Field type="date" label={t('assets.statementTo')} value={days.to} min={days.from} onChange={(event) => change({ to: event.target.value })} />
        <CommitNote state={state} unknown={() => ''} />
      </div>
    </Sheet>
  );
}
