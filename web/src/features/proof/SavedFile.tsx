import { useEffect, useRef, useState } from 'react';
import type { Found } from '../../data/leaf';
import { fetchCode, preloadScreen } from '../../lib/code';
import { t } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Layout';
import { LazySheet } from '../../ui/LazySheet';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { toast } from '../../ui/Toast';
import { loadCheck, loadLeaf } from './api';

/** A receipt is some tens of KB; that of a busy venue has up to a thousand entries. */
const LARGEST = 4_000_000;

/** Whether a document is meant to be a leaf of the liabilities; the whole answer of the call is accepted, too. */
const isLeaf = (document: unknown): boolean => typeof document === 'object' && document !== null && ('nonce' in document || ('message' in document && isLeaf(document.message)));

/** Checks a receipt or a leaf from a file, offline. */
export function SavedFile() {
  const input = useRef<HTMLInputElement>(null);
  const [receipt, setReceipt] = useState<unknown>(undefined);
  const [leaf, setLeaf] = useState<{ found: Found; coin: string }>();
  // Loads both checks ahead, so that they are available offline.
  useEffect(() => {
    preloadScreen(loadCheck);
    preloadScreen(loadLeaf);
  }, []);
  const choose = async (file: File) => {
    try {
      if (file.size > LARGEST) throw new Error('too large');
      const document: unknown = JSON.parse(await file.text());
      if (!isLeaf(document)) return setReceipt(document);
      const { leafVerdict } = await fetchCode(loadLeaf);
      const found = await leafVerdict(document);
      setLeaf({ found, coin: found.state === 'good' ? found.checked.coin : '' });
    } catch {
      toast(t('proof.file.unread'), { icon: 'warn' });
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
          // Allows choosing the same file again.
          event.target.value = '';
          if (file) void choose(file);
        }}
      />
      <LazySheet load={loadLeaf} open={leaf !== undefined} found={leaf?.found} coin={leaf?.coin ?? ''} saved onClose={() => setLeaf(undefined)} />
      <LazySheet load={loadCheck} open={receipt !== undefined} receipt={receipt} onClose={() => setReceipt(undefined)} />
    </Card>
  );
}
