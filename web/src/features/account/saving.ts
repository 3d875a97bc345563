import { useState } from 'react';
import { t, useLocale } from '../../lib/i18n';
import { problem } from '../../lib/refusal';
import { dateTime } from '../../lib/time';
import { toast } from '../../ui/Toast';
import { saveLimit } from './api';
import { pendingOf, type Limit } from './limits';

/** Saves one limit, says when it applies, and closes; a refusal stays on the sheet. */
export function useSaving(field: Limit, onSaved: () => void) {
  const locale = useLocale();
  const [sending, setSending] = useState(false);
  const [refused, setRefused] = useState<string>();
  const save = async (value: string | null) => {
    if (sending) return;
    setSending(true);
    setRefused(undefined);
    try {
      const waiting = pendingOf(await saveLimit(field, value), field);
      toast(waiting ? t('security.limitWaits', { date: dateTime(waiting.effective_ms, locale) }) : t('security.limitSaved'));
      onSaved();
    } catch (cause) {
      setRefused(problem(cause));
    }
    setSending(false);
  };
  return { save, sending, refused };
}
