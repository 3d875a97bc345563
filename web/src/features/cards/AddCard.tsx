import { useRef, useState } from 'react';
import { useCommit } from '../../data/commit';
import { refreshFunding } from '../../data/funding';
import { useOnline } from '../../lib/online';
import { useUser } from '../../data/session';
import { t, useLocale, type Key } from '../../lib/i18n';
import { back, href, replace, usePlace } from '../../lib/nav';
import { Refusal, refusalText } from '../../lib/refusal';
import { Button, ButtonLink } from '../../ui/Button';
import { Segment } from '../../ui/Choice';
import { CommitNote } from '../../ui/CommitNote';
import { Field, useRefused } from '../../ui/Field';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { Select } from '../../ui/Picker';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import shared from '../../ui/Form.module.css';
import { addCard, useBanks } from './api';
import { ABROAD, EMPTY, fieldOf, LOCAL, reasonsOf, type CardForm, type Field as Name } from './model';

const LABELS: Record<Name, Key> = {
  bank_account: 'cards.number',
  bank_name: 'cards.bank',
  bank_branch: 'cards.branch',
  bank_address: 'cards.bankAddress',
  swift_code: 'cards.swift',
  iban: 'cards.iban',
  residence_address: 'cards.residence',
  postal_code: 'cards.postal',
};
const PLAIN = { autoComplete: 'off', spellCheck: false } as const;

type Added = Awaited<ReturnType<typeof addCard>>;

function Form() {
  const online = useOnline();
  const pick = usePlace().query.get('pick') === '1';
  const banks = useBanks().data?.banks ?? [];
  const [abroad, setAbroad] = useState(false);
  const [holder, setHolder] = useState('');
  const [form, setForm] = useState<CardForm>(EMPTY);
  const [bank, setBank] = useState<number>();
  const [left, setLeft] = useState<readonly (Name | 'real_name')[]>([]);
  const [refused, setRefused] = useState<{ field: Name | 'real_name'; text: string }>();
  const box = useRef<HTMLDivElement>(null);
  const { state, busy, run, reset } = useCommit<Added>('card');
  const reasons = reasonsOf(form, abroad);
  const noHolder = holder.trim() === '';
  const first = noHolder ? { text: 'funding.needed' as const, values: {} } : reasons[0];
  const fields = abroad ? ABROAD : LOCAL;
  const at = (field: Name) => {
    if (refused?.field === field) return refused.text;
    const reason = reasons.find((one) => one.field === field);
    return reason && left.includes(field) ? t(reason.text, reason.values) : undefined;
  };
  const change = (part: Partial<CardForm>) => {
    setForm({ ...form, ...part });
    setRefused(undefined);
    if (state.step === 'refused') reset();
  };
  useRefused(box, refused);
  const save = async () => {
    if (first || busy) return;
    await run(() => addCard(form, holder.trim(), abroad, bank), {
      done: async ({ data }) => {
        await refreshFunding();
        toast(t('cards.added'));
        if (pick) replace('assets/withdraw/bank/bank', { card: data.id });
        else back();
      },
      refused: (error) => {
        if (!(error instanceof Refusal)) return false;
        const field = error.code === 'E_HOLDER' ? 'real_name' : fieldOf(error.code, error.data.field);
        if (field) setRefused({ field, text: refusalText(error) });
        return field !== undefined;
      },
    });
  };
  const text = (field: Name) => (
    <Field
      key={field}
      {...PLAIN}
      label={t(LABELS[field])}
      inputMode={field === 'bank_account' ? 'numeric' : 'text'}
      value={form[field]}
      error={at(field)}
      onChange={(event) => {
        change({ [field]: event.target.value });
        if (field === 'bank_name') setBank(undefined);
      }}
      onBlur={() => form[field] !== '' && setLeft([...left, field])}
    />
  );
  return (
    <Screen
      help
      title={t('cards.add')}
      footer={
        <Button
          kind="commit"
          wide
          loading={busy}
          reason={online ? first && (first.text === 'funding.needed' ? t('cards.fillIn') : t(first.text, first.values)) : t('assets.needsConnection')}
          onBlocked={() => {
            setLeft(['real_name', ...fields]);
            const empty = [...(box.current?.querySelectorAll('input') ?? [])].find((input) => input.value === '' || input.getAttribute('aria-invalid') === 'true');
            empty?.focus();
          }}
          onClick={() => void save()}
        >
          {t('cards.save')}
        </Button>
      }
    >
      <div ref={box} className={shared.form}>
        <Segment
          label={t('cards.kind')}
          value={abroad ? 'abroad' : 'local'}
          onValue={(kind) => setAbroad(kind === 'abroad')}
          options={[
            { value: 'local', label: t('cards.local') },
            { value: 'abroad', label: t('cards.abroad') },
          ]}
        />
        <Field
          {...PLAIN}
          autoComplete="name"
          label={t('cards.holder')}
          hint={t('cards.holderText')}
          value={holder}
          error={refused?.field === 'real_name' ? refused.text : noHolder && left.includes('real_name') ? t('funding.needed') : undefined}
          onChange={(event) => {
            setHolder(event.target.value);
            setRefused(undefined);
          }}
        />
        {text('bank_account')}
        {banks.length > 0 && (
          <Select
            label={t('cards.choose')}
            placeholder={t('ui.choose')}
            searchable
            value={bank}
            onValue={(id) => {
              setBank(id);
              change({ bank_name: banks.find((one) => one.id === id)?.name ?? '' });
            }}
            options={banks.map(({ id, name }) => ({ value: id, label: name, search: name }))}
          />
        )}
        {fields.filter((field) => field !== 'bank_account').map(text)}
        <Note icon={icons.clock}>{t('cards.wait')}</Note>
        <CommitNote state={state} />
      </div>
    </Screen>
  );
}

/** A card in the person's own name; it can be used after a day and cannot be edited. */
export default function AddCard() {
  useLocale();
  const user = useUser();
  if (user.data?.review_status === 2) return <Form />;
  return (
    <Screen help title={t('cards.add')}>
      <ListState query={user} errorTitle={t('cards.error')} errorText={t('assets.errorText')}>
        {() => (
          <EmptyState icon={icons.shield} title={t('withdraw.identityTitle')} text={t('cards.identityText')}>
            <ButtonLink kind="commit" small href={href('verification/index')}>
              {t('identity.title')}
            </ButtonLink>
          </EmptyState>
        )}
      </ListState>
    </Screen>
  );
}
