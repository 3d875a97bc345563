import { useRef, useState } from 'react';
import { t } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Layout';
import { LazySheet } from '../../ui/LazySheet';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { toast } from '../../ui/Toast';
import { loadCheck } from './api';

/** A receipt is some tens of KB; a busy venue's has up to a thousand entries. */
const LARGEST = 4_000_000;

/** Checks a receipt from a file, without any connection. */
export function SavedFile() {
  const input = useRef<HTMLInputElement>(null);
  const [receipt, setReceipt] = useState<unknown>(undefined);
  const choose = async (file: File) => {
    try {
      if (file.size > LARGEST) throw new Error('too large');
      setReceipt(JSON.parse(await file.text()));
    } catch {
      toast(t('proof.file.unread'));
    }
  };
  return (
    <Card>
      <p className="t2 lab">{t('proof.file.text')}</p>
      <Button wide onClick={() => input.current?.click()}>
        <Icon name={icons.download} size={16} />
        {t('proof.file.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label={t('proof.file.choose')}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // The same file may be chosen again.
          event.target.value = '';
          if (file) void choose(file);
        }}
      />
      <LazySheet load={loadCheck} open={receipt !== undefined} receipt={receipt} onClose={() => setReceipt(undefined)} />
    </Card>
  );
}
