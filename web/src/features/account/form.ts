import { useRef, useState, type FormEvent } from 'react';
import { refreshUser } from '../../data/session';
import { t } from '../../lib/i18n';
import { back, current } from '../../lib/nav';
import { problem, Refusal } from '../../lib/refusal';
import { focusField } from '../../ui/Field';
import type { Reason } from './model';

/**
 * A form up to the server's answer: the button shows what is missing, and the field what is refused. `send` calls `leave` to go back from
 * the form, which does nothing once the person has left it.
 */
export function useForm<Field extends string>(reasons: readonly Reason<Field>[], fieldOf: (code: string) => Field | null, send: (leave: () => void) => Promise<void>) {
  const element = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState<readonly Field[]>([]);
  const [refused, setRefused] = useState<{ field: Field | null; text: string }>();
  const [sending, setSending] = useState(false);
  const [first] = reasons;
  const lead = (field: Field) => {
    setShown((before) => [...before, field]);
    focusField(element.current, field);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (first) lead(first.field);
    if (first || sending) return;
    setSending(true);
    setRefused(undefined);
    const at = current();
    void send(() => current() === at && back())
      .catch(async (cause: unknown) => {
        // The field may be missing here, because two-factor was turned on elsewhere; or the change may have been made, without an answer.
        if (cause instanceof Refusal && (cause.resend || cause.code === 'E_2FA_REQUIRED')) await refreshUser();
        const field = cause instanceof Refusal ? fieldOf(cause.code) : null;
        setRefused({ field, text: problem(cause) });
        if (field) focusField(element.current, field);
      })
      .finally(() => setSending(false));
  };
  return {
    form: { ref: element, noValidate: true, onSubmit },
    button: { loading: sending, reason: first && t(first.text), onBlocked: () => first && lead(first.field) },
    /** Call after typing, because the server's complaint is about the previous text. */
    changed: () => setRefused(undefined),
    show: (field: Field) => setShown((before) => [...before, field]),
    errorAt: (field: Field): string | undefined => {
      if (refused?.field === field) return refused.text;
      const reason = shown.includes(field) ? reasons.find((one) => one.field === field) : undefined;
      return reason && t(reason.text);
    },
    /** A refusal that belongs to no field. */
    general: refused?.field === null ? refused.text : undefined,
  };
}
