import { useId, useRef, useState, type FormEvent } from 'react';
import { t, useLocale } from '../../lib/i18n';
import { current, replace, usePlace } from '../../lib/nav';
import { problem } from '../../lib/refusal';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Choice';
import { Field, focusField } from '../../ui/Field';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { openTicket } from './api';
import { CATEGORIES, draftReasons, receiptIn, type Category } from './model';
import { AddPicture, ChosenPictures } from './Pictures';
import { usePictures } from './pictures';
import css from './Support.module.css';

const FORM = 'ticket-form';

/** A new request: topic, title, description, and up to three pictures. */
export default function NewTicket() {
  useLocale();
  const id = useId();
  const receipt = receiptIn(usePlace().query);
  const [category, setCategory] = useState<Category>(receipt?.category ?? 'other');
  const [title, setTitle] = useState(() => (receipt ? `${t(receipt.title)} ${receipt.number}` : ''));
  const [content, setContent] = useState('');
  const [tried, setTried] = useState(false);
  const [error, setError] = useState<string>();
  const [sending, setSending] = useState(false);
  const pictures = usePictures();
  const form = useRef<HTMLFormElement>(null);
  const reasons = draftReasons({ title, content });
  const [first] = reasons;
  const errorAt = (field: 'title' | 'content') => {
    const reason = tried ? reasons.find((one) => one.field === field) : undefined;
    return reason && t(reason.text);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (first || sending) return;
    setSending(true);
    setError(undefined);
    const at = current();
    try {
      const ticket = await openTicket({ title: title.trim(), category, content: content.trim(), imgs: await pictures.send() });
      toast(t('tickets.sent'));
      if (current() === at) replace('help/center/ticket', { id: ticket.id });
    } catch (cause) {
      setError(problem(cause));
      setSending(false);
    }
  };
  const footer = (
    <Button
      kind="commit"
      wide
      type="submit"
      form={FORM}
      loading={sending}
      reason={first && t(first.text)}
      onBlocked={() => {
        setTried(true);
        if (first) focusField(form.current, first.field);
      }}
    >
      {t('tickets.send')}
    </Button>
  );
  const wrong = errorAt('content');
  return (
    <Screen title={t('tickets.new')} footer={footer}>
      <form ref={form} id={FORM} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <div className={css.topics} role="group" aria-label={t('tickets.about')}>
          {CATEGORIES.map((one) => (
            <Chip key={one} on={one === category} onClick={() => setCategory(one)}>
              {t(`tickets.category.${one}`)}
            </Chip>
          ))}
        </div>
        <Field name="title" label={t('tickets.subject')} autoComplete="off" maxLength={200} value={title} onChange={(event) => setTitle(event.target.value)} error={errorAt('title')} />
        <div>
          <label className={css.label} htmlFor={id}>
            {t('tickets.story')}
          </label>
          <textarea
            id={id}
            name="content"
            className={`${css.box} ${css.tall}`}
            value={content}
            onChange={(event) => setContent(event.target.value)}
            aria-invalid={wrong ? true : undefined}
            aria-describedby={`${id}-hint`}
          />
          <p id={`${id}-hint`} className={wrong ? 'cap danger' : 'cap t3'} role={wrong ? 'alert' : undefined}>
            {wrong ?? t('tickets.storyHint')}
          </p>
        </div>
        <ChosenPictures pictures={pictures} />
        <div className="flex gap2 t2 lab">
          <AddPicture pictures={pictures} />
          {t('tickets.pictures')}
        </div>
        {error && <Note tone="danger">{error}</Note>}
        <Note icon={icons.shield}>{t('help.never')}</Note>
      </form>
    </Screen>
  );
}
