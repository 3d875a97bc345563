import { useState } from 'react';
import { LANGUAGES, type LanguageCode } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { toast } from '../../ui/Toast';
import { ops, type NewsDetail } from '../api';
import { ActDialog } from '../kit/Act';
import { Select } from '../kit/Fields';
import { ACTIONS, Screen, Table } from '../kit/Screen';
import { Nothing, Pager, Ready, stamp } from '../kit/States';
import type { AreaProps } from '../model/areas';
import { refresh, useRead } from '../reads';
import { go, number } from '../route';
import { NewsEditor } from './NewsEditor';
import css from './control.module.css';

export const CATEGORIES = [
  { value: '4', label: 'Notice' },
  { value: '5', label: 'Banner' },
  { value: '19', label: 'Help' },
];
const NEW = 'new';

/** Articles in eleven languages; each language of an article has a row of its own. */
export default function News({ id, may }: AreaProps) {
  const [category, setCategory] = useState('');
  const [lang, setLang] = useState<LanguageCode>('en');
  const [page, setPage] = useState(1);
  const [gone, setGone] = useState<NewsDetail | null>(null);
  const query = useRead('news', { ...(category && { c_id: parseInt(category, 10) }), lang, page, limit: 50 });
  const wanted = number(id);
  const versions = useRead('news', { id: wanted ?? 0, limit: 100 }, { enabled: may && wanted !== null });
  const edited = versions.data?.data.find((one) => one.id === wanted);
  const set = <V extends string>(change: (value: V) => void) => (value: V) => {
    change(value);
    setPage(1);
  };
  if (may && (id === NEW || edited)) return <NewsEditor key={id} versions={edited ? versions.data?.data ?? [] : []} lang={LANGUAGES.find(({ code }) => code === edited?.lang)?.code ?? lang} onClose={() => go('news')} />;
  return (
    <Screen
      title="News"
      note="Notices, banners and help, as the app shows them."
      at={query.dataUpdatedAt}
      actions={
        may && (
          <Button kind="commit" small onClick={() => go('news', NEW)}>
            New article
          </Button>
        )
      }
    >
      <div className={css.bar}>
        <Select label="Category" options={[{ value: '', label: 'All' }, ...CATEGORIES]} value={category} onValue={set(setCategory)} />
        <Select label="Language" options={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))} value={lang} onValue={set<LanguageCode>(setLang)} />
      </div>
      <Ready query={query} what="The news" isEmpty={({ data }) => data.length === 0} empty={<Nothing title="No articles here" />}>
        {({ data }) => (
          <Table label="Articles" head={['Number', 'Category', 'Title', 'Language', 'Order', 'Link', 'Published', ACTIONS]}>
            {data.map((one) => (
              <tr key={one.id}>
                <td className="num">{one.id}</td>
                <td>{CATEGORIES.find(({ value }) => value === String(one.c_id))?.label ?? one.c_id}</td>
                <td className="m">{one.title}</td>
                <td>{LANGUAGES.find(({ code }) => code === one.lang)?.name ?? one.lang}</td>
                <td className="num">{one.sorts}</td>
                <td className="code cap">{one.link ?? '—'}</td>
                <td className="num">{stamp(one.create_time_ms)}</td>
                <td>
                  {may && (
                    <div className={css.actions}>
                      <Button kind="line" small onClick={() => go('news', one.id)} aria-label={`Edit ${one.title}`}>
                        Edit
                      </Button>
                      <Button kind="line" small onClick={() => setGone(one)} aria-label={`Delete ${one.title}`}>
                        Delete
                      </Button>
                    </div>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Ready>
      {query.data && <Pager page={page} last={query.data.last_page} onPage={setPage} />}
      {gone && (
        <ActDialog
          subject={query.data?.data.find(({ id }) => id === gone.id)}
          title="Delete the article"
          label="Delete"
          grave
          onClose={() => setGone(null)}
          send={({ id }) => ops.post('news/delete', { id })}
          onDone={() => {
            toast('Deleted');
            setGone(null);
            refresh();
          }}
        >
          {({ title }) => <p>“{title}” disappears from the app at once.</p>}
        </ActDialog>
      )}
    </Screen>
  );
}
