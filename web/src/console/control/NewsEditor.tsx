import { useState } from 'react';
import type { Result } from '../../lib/http';
import { LANGUAGES, type LanguageCode } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { RichText } from '../../ui/RichText';
import { toast } from '../../ui/Toast';
import { ops, type NewsDetail } from '../api';
import { Outcome, useAct } from '../kit/Act';
import { Select, TextArea } from '../kit/Fields';
import { Screen, Section } from '../kit/Screen';
import { localMinute } from '../model/values';
import { refresh } from '../reads';
import { CATEGORIES } from './News';
import css from './control.module.css';

interface Draft {
  title: string;
  content: string;
}

interface Props {
  /** The published versions of the article, one per language; none for a new article. */
  versions: readonly NewsDetail[];
  /** The language to show first. */
  lang: LanguageCode;
  onClose: () => void;
}

/** One article with a draft for each language, beside its preview in the app. */
export function NewsEditor({ versions, lang: first, onClose }: Props) {
  const [lang, setLang] = useState(first);
  /** The typed text; until something is typed, the saved one applies. */
  const [typed, setTyped] = useState<{ category?: string; link?: string; order?: string; at?: string }>({});
  const [drafts, setDrafts] = useState<Readonly<Record<string, Partial<Draft>>>>({});
  const [published, setPublished] = useState<Readonly<Record<string, NewsDetail>>>({});
  const [tried, setTried] = useState(false);
  const saved: Readonly<Record<string, NewsDetail>> = { ...Object.fromEntries(versions.map((one) => [one.lang, one])), ...published };
  // The number of any language identifies the whole article.
  const known = saved[lang] ?? saved[first] ?? Object.values(saved)[0];
  const { category = String(known?.c_id ?? 4), link = known?.link ?? '', order = String(known?.sorts ?? ''), at = known ? localMinute(known.create_time_ms) : '' } = typed;
  const draft: Draft = { title: saved[lang]?.title ?? '', content: saved[lang]?.content ?? '', ...drafts[lang] };
  const tag = LANGUAGES.find(({ code }) => code === lang)?.tag ?? 'en';
  const set = (part: Partial<Draft>) => setDrafts({ ...drafts, [lang]: { ...drafts[lang], ...part } });
  const act = useAct(({ message }: Result<NewsDetail, unknown>) => {
    toast(`Saved as article ${message.id}`);
    refresh();
    setTried(false);
    setPublished({ ...published, [message.lang]: message });
  });
  const problem = draft.title.trim() ? undefined : 'Give it a title';
  const badOrder = order.trim() === '' || /^\d{1,9}$/.test(order.trim()) ? undefined : 'A whole number';
  const submit = () => {
    setTried(true);
    if (problem || badOrder || act.busy) return;
    void act.run(() =>
      ops.post('news/save', {
        ...(known && { id: known.id }),
        c_id: parseInt(category, 10),
        lang,
        title: draft.title.trim(),
        content: draft.content,
        ...(known?.cover && { cover: known.cover }),
        ...(link.trim() && { link: link.trim() }),
        ...(order.trim() && { sorts: parseInt(order, 10) }),
        ...(at && { publish_ms: typed.at === undefined && known ? known.create_time_ms : new Date(at).getTime() }),
      }),
    );
  };
  return (
    <Screen
      title={known ? `Article ${known.id}` : 'New article'}
      actions={
        <>
          <Button kind="line" small onClick={onClose}>
            {Object.keys(published).length ? 'Done' : 'Leave'}
          </Button>
          <Button kind="commit" small loading={act.busy} onClick={submit}>
            Publish in {LANGUAGES.find(({ code }) => code === lang)?.name}
          </Button>
        </>
      }
    >
      <div className={css.bar} role="group" aria-label="Language">
        {LANGUAGES.map(({ code, tag, name }) => (
          <button key={code} type="button" lang={tag} aria-pressed={code === lang} onClick={() => setLang(code)}>
            {name}
            {saved[code] ? ' ✓' : drafts[code]?.title ? ' •' : ''}
          </button>
        ))}
      </div>
      <Outcome state={act.state} />
      <div className={css.two}>
        <div>
          <Field label="Title" lang={tag} maxLength={200} value={draft.title} onChange={(event) => set({ title: event.target.value })} error={tried ? problem : undefined} />
          <TextArea label="Text" lang={tag} rows={14} hint="HTML with headings, lists and links. The server takes everything else out." value={draft.content} onValue={(content) => set({ content })} />
          <div className={css.grid}>
            <Select label="Category" options={CATEGORIES} value={category} onValue={(value) => setTyped({ ...typed, category: value })} />
            <Field label="Order" inputMode="numeric" hint="Smaller comes first" value={order} onChange={(event) => setTyped({ ...typed, order: event.target.value })} error={tried ? badOrder : undefined} />
            <Field label="Link inside the app" hint="Begins with # or /, for example #/pages/help-center" value={link} onChange={(event) => setTyped({ ...typed, link: event.target.value })} />
            <Field label="Publish" type="datetime-local" hint="Empty: now. In your time zone" value={at} onChange={(event) => setTyped({ ...typed, at: event.target.value })} />
          </div>
        </div>
        <Section title="As the app shows it">
          <div className={css.preview} lang={tag}>
            <h3 className="h2">{draft.title || <span className="t2">No title yet</span>}</h3>
            <RichText html={draft.content} />
          </div>
        </Section>
      </div>
    </Screen>
  );
}
