import { useRef, useState, type FormEvent } from 'react';
import { useCommit } from '../../data/commit';
import { signIn } from '../../data/session';
import { t } from '../../lib/i18n';
import { current } from '../../lib/nav';
import { Refusal, refusalText } from '../../lib/refusal';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Choice';
import { Field, focusField } from '../../ui/Field';
import { Sheet } from '../../ui/Sheet';
import { Note } from '../../ui/Status';
import { logIn, register } from './api';
import { useContact, useDial } from './contact';
import { registerReasons, type Reason } from './model';
import { NewPassword, usePasswordRules } from './Parts';
import css from './Auth.module.css';

const TERMS = ['auth.terms1', 'auth.terms2', 'auth.terms3', 'auth.terms4', 'auth.terms5'] as const;

function Terms({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Sheet open={open} onClose={onClose} title={t('auth.termsTitle')}>
      <ol className={css.terms}>
        {TERMS.map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
      </ol>
    </Sheet>
  );
}

/** Last step of registration: password twice, invitation, terms. Logs in afterwards. */
export function PasswordStep({ code, onCodeLost }: { code: string; onCodeLost: () => void }) {
  const contact = useContact();
  const dial = useDial();
  const rules = usePasswordRules();
  const [form, setForm] = useState({ password: '', again: '', agreed: false, invite: current().query.get('extension_code') ?? '' });
  const [shown, setShown] = useState<Reason['field'][]>([]);
  const [terms, setTerms] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const account = useCommit<unknown>();
  const session = useCommit<string>();
  const made = account.state.step === 'done';
  const { state } = made ? session : account;
  const busy = account.busy || session.busy;

  const reasons = registerReasons(form, rules);
  const first = reasons[0];
  const change = (part: Partial<typeof form>) => setForm((before) => ({ ...before, ...part }));
  const show = (field: Reason['field']) => setShown((before) => [...before, field]);
  const errorAt = (field: Reason['field']) => {
    const reason = shown.includes(field) ? reasons.find((r) => r.field === field) : undefined;
    return reason && t(reason.text, reason.values);
  };
  const refused = state.step === 'refused' ? state.error : undefined;
  const inviteRefused = refused instanceof Refusal && refused.code === 'E_INVITE';

  const enter = () => session.run(() => logIn(contact, dial, form.password), { done: signIn });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (first || busy) return;
    // If only the log-in failed, the account is not created again.
    if (made) await enter();
    else await account.run(() => register(contact, dial, { ...form, code }), { done: enter });
  };
  const lead = () => {
    if (!first) return;
    show(first.field);
    focusField(element.current, first.field);
  };
  return (
    <form ref={element} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      {/* Shows a password manager whose password this is. */}
      <input className="vh" tabIndex={-1} aria-hidden="true" readOnly autoComplete="username" value={contact.way === 'phone' ? contact.phone : contact.email} />
      <NewPassword
        label={t('auth.password')}
        password={form.password}
        again={form.again}
        onPassword={(password) => change({ password })}
        onAgain={(again) => change({ again })}
        errors={{ password: errorAt('password'), again: errorAt('again') }}
        onLeaveAgain={() => form.again && show('again')}
      />
      <Field
        label={t('auth.invite')}
        aside={t('auth.optional')}
        autoComplete="off"
        autoCapitalize="characters"
        value={form.invite}
        onChange={(event) => change({ invite: event.target.value })}
        error={inviteRefused ? refusalText(refused) : undefined}
      />
      <div className={css.agree}>
        <Checkbox name="terms" checked={form.agreed} onChange={(event) => change({ agreed: event.target.checked })} error={shown.includes('terms') && !form.agreed}>
          {t('auth.agree')}
        </Checkbox>
        <Button kind="text" small onClick={() => setTerms(true)}>
          {t('auth.readTerms')}
        </Button>
      </div>
      {state.step === 'unknown' && <Note tone="caution">{t('auth.unknown')}</Note>}
      {refused !== undefined && !inviteRefused && (
        <Note tone="danger">
          {refusalText(refused)}
          {refused instanceof Refusal && refused.code.startsWith('E_CODE') && (
            <Button kind="text" small onClick={onCodeLost}>
              {t('auth.enterCodeAgain')}
            </Button>
          )}
        </Note>
      )}
      <Button kind="commit" wide type="submit" loading={busy} reason={first && t(first.text, first.values)} onBlocked={lead}>
        {t('ui.createAccount')}
      </Button>
      <Terms open={terms} onClose={() => setTerms(false)} />
    </form>
  );
}
