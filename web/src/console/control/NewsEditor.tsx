import { useState } from 'react';
import type { Result } from '../../lib/http';
import { LANGUAGES } from '../../lib/i18n';
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

/** One article in one language, with what the app will show beside it. New ones keep a draft for each language. */
export function NewsEditor({ article, lang: first, onClose }: { article: NewsDetail | null; lang: string; onClose: () => void }) {
  const [lang, setLang] = useState(article?.lang ?? first);
  const [category, setCategory] = useState(String(article?.c_id ?? 4));
  const [link, setLink] = useState(article?.link ?? '');
  const [order, setOrder] = useState(String(article?.sorts ?? ''));
  /** As typed; until then the date of what is saved. */
  const [typed, setTyped] = useState<string | null>(null);
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({ [lang]: { title: article?.title ?? '', content: article?.content ?? '' } });
  const [saved, setSaved] = useState<Readonly<Record<string, NewsDetail>>>(article ? { [article.lang]: article } : {});
  const [tried, setTried] = useState(false);
  // Any language names the whole article.
  const known = saved[lang] ?? Object.values(saved)[0];
  const at = typed ?? (known ? localMinute(known.create_time_ms) : '');
  const draft = drafts[lang] ?? { title: '', content: '' };
  const tag = LANGUAGES.find(({ code }) => code === lang)?.tag ?? 'en';
  const set = (part: Partial<Draft>) => setDrafts({ ...drafts, [lang]: { ...draft, ...part } });
  const act = useAct(({ message }: Result<NewsDetail, unknown>) => {
    toast(`Saved as article ${message.id}`);
    refresh();
    setTried(false);
    if (article) onClose();
    else setSaved({ ...saved, [message.lang]: message });
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
        ...(at && { publish_ms: typed === null && known ? known.create_time_ms : new Date(at).getTime() }),
      }),
    );
  };
  return (
    <Screen
      title={article ? `Article ${article.id}` : 'New article'}
      actions={
        <>
          <Button kind="line" small onClick={onClose}>
            {known && !article ? 'Done' : 'Leave'}
          </Button>
          <Button kind="commit" small loading={act.busy} onClick={submit}>
            Publish in {LANGUAGES.find(({ code }) => code === lang)?.name}
          </Button>
        </>
      }
    >
      {!article && (
        <div className={css.bar} role="group" aria-label="Language">
          {LANGUAGES.map(({ code, tag, name }) => (
            <button key={code} type="button" lang={tag} aria-pressed={code === lang} onClick={() => setLang(code)}>
              {name}
              {saved[code] ? ' ✓' : drafts[code]?.title ? ' •' : ''}
            </button>
          ))}
        </div>
      )}
      <Outcome state={act.state} />
      <div className={css.two}>
        <div>
          <Field label="Title" lang={tag} maxLength={200} value={draft.title} onChange={(event) => set({ title: event.target.value })} error={tried ? problem : undefined} />
          <TextArea label="Text" lang={tag} rows={14} hint="HTML with headings, lists and links. The server takes everything else out." value={draft.content} onValue={(content) => set({ content })} />
          <div className={css.grid}>
            <Select label="Category" options={CATEGORIES} value={category} onValue={setCategory} />
            <Field label="Order" inputMode="numeric" hint="Smaller stands first" value={order} onChange={(event) => setOrder(event.target.value)} error={tried ? badOrder : undefined} />
            <Field label="Link inside the app" hint="Begins with # or /, for example #/pages/help-center" value={link} onChange={(event) => setLink(event.target.value)} />
            <Field label="Publish" type="datetime-local" hint="Empty: now. In your time zone" value={at} onChange={(event) => setTyped(event.target.value)} />
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
