import { useDeferredValue, useRef, useState } from 'react';
import { Icon } from '../../ui/Icon';
import type { QueueKind } from '../api';
import { useKeys } from '../kit/keys';
import { Age, Nothing, Pager, Ready } from '../kit/States';
import { acts, type Area } from '../model/areas';
import { after, deadline, HOUR, isFor, matching, ordered, riskOf, step, type Order } from '../model/queue';
import { LIVE, useRead, useServerNow } from '../reads';
import { go, number } from '../route';
import { useMe } from '../session';
import { Case } from './Case';
import { Rows } from './Rows';
import css from './queue.module.css';

type View = 'waiting' | 'mine' | 'late' | 'read' | 'done';
const LABELS: Record<View, string> = { waiting: 'Waiting', mine: 'For me', late: 'Late', read: 'To read', done: 'Decided' };
const EMPTY: Record<View, string> = { waiting: 'Nothing waiting', mine: 'Nothing waits for you', late: 'Nothing is late', read: 'None of this kind', done: 'Nothing decided yet' };
/** Kinds whose rows show which checks need a person. */
const CHECKED: readonly QueueKind[] = ['withdrawal', 'identity', 'loan'];
const ORDERS: readonly { order: Order; label: string; kinds?: readonly QueueKind[] }[] = [
  { order: 'oldest', label: 'Late first' },
  { order: 'newest', label: 'Newest' },
  { order: 'value', label: 'Largest', kinds: ['withdrawal', 'deposit', 'bank_deposit', 'loan'] },
  { order: 'risk', label: 'Most to read', kinds: CHECKED },
];

/** A queue and, beside it, the open case. Late cases come first, then the oldest. */
export function Queue({ area, kind, id }: { area: Area; kind: QueueKind; id: string }) {
  const me = useMe();
  const now = useServerNow();
  const may = acts(area, me.roles);
  const [view, setView] = useState<View>('waiting');
  const [order, setOrder] = useState<Order>('oldest');
  const [page, setPage] = useState(1);
  const [text, setText] = useState('');
  const [at, setAt] = useState<number | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const wanted = useDeferredValue(text);
  const query = useRead('queue', { kind, status: view === 'done' ? 'done' : 'open', page, limit: 100 }, { every: LIVE });
  const opened = number(id);

  const all = query.data?.data ?? [];
  // The server sends one page at a time; a filter within it says so.
  const pages = query.data?.last_page ?? 1;
  const rows = view === 'done' ? all : ordered(all, now, order);
  const views: Record<View, typeof rows> = {
    waiting: rows,
    mine: rows.filter((row) => isFor(row, me.id)),
    late: rows.filter((row) => deadline(row, now).tone === 'late'),
    read: rows.filter((row) => (kind === 'withdrawal' ? riskOf(row) === 'high' : row.failed_checks.length > 0)),
    done: rows,
  };
  const names: View[] = ['waiting', 'mine', 'late', ...(CHECKED.includes(kind) ? (['read'] as const) : []), 'done'];
  const orders = ORDERS.filter(({ kinds }) => kinds === undefined || kinds.includes(kind));
  const shown = matching(views[view], wanted);
  const ids = shown.map((row) => row.id);
  const chosen = at !== null && ids.includes(at) ? at : opened;
  const first = all[0];
  const list = query.data && !query.isPlaceholderData && view !== 'done' ? { at: query.dataUpdatedAt, page, whole: pages <= 1 } : undefined;

  const look = (name: View) => {
    setView(name);
    setPage(1);
  };
  const move = (by: 1 | -1) => {
    const next = step(ids, chosen, by);
    setAt(next);
    if (next !== null) document.getElementById(`row-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => chosen !== null && go(kind, chosen),
    '/': () => search.current?.focus(),
    Escape: () => go(kind),
  });
  // A decided case leaves the list, and the next one is selected but not opened.
  const leave = () => {
    setAt(opened === null ? null : after(ids, opened));
    go(kind);
  };

  return (
    <main className={opened === null ? css.queue : `${css.queue} ${css.open}`}>
      <section className={css.list} aria-labelledby="queue-title">
        <header>
          <div className="grow">
            <h1 id="queue-title" className="h2">
              {area.title}
            </h1>
            <p className="t2 num">
              {query.data ? `${query.data.total} ${view === 'done' ? 'decided' : 'waiting'}${pages > 1 ? `, ${all.length} on this page` : ''}.` : ''}
              {first && ` First decision in ${(first.first_by_ms - first.created_at_ms) / HOUR} h, promise ${(first.promised_by_ms - first.created_at_ms) / HOUR} h.`}
            </p>
          </div>
          <Age at={query.dataUpdatedAt} />
          <div className={css.search}>
            <Icon name="search" size={16} />
            <input
              ref={search}
              type="search"
              aria-label="Number, user or text"
              placeholder="Number, user, text"
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Escape' && event.key !== 'Enter') return;
                event.currentTarget.blur();
                if (event.key === 'Enter') setAt(ids[0] ?? null);
              }}
            />
            <kbd aria-hidden="true">/</kbd>
          </div>
        </header>
        <div className={css.filters} role="group" aria-label="Which cases">
          {names.map((name) => (
            <button key={name} type="button" aria-pressed={name === view} onClick={() => look(name)}>
              {name === 'read' && kind === 'withdrawal' ? 'High risk' : LABELS[name]} {query.data && (view === 'done') === (name === 'done') && <span className="num">{name === 'waiting' || name === 'done' ? query.data.total : `${views[name].length}${pages > 1 ? ' here' : ''}`}</span>}
            </button>
          ))}
          <span className="grow" />
          {view !== 'done' && (
            <label className={css.order}>
              <span className="vh">Order of this page</span>
              <select value={order} onChange={(event) => setOrder(orders.find((one) => one.order === event.target.value)?.order ?? 'oldest')}>
                {orders.map((one) => (
                  <option key={one.order} value={one.order}>
                    {one.label}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className={css.rows} tabIndex={0} role="region" aria-label={`${area.title}, list`}>
          <Ready
            query={query}
            what="The queue"
            isEmpty={() => shown.length === 0}
            empty={
              wanted.trim() ? (
                <Nothing title={`Nothing for “${wanted.trim()}”`}>On this page of the queue. Users are found in Users by their whole e-mail or phone.</Nothing>
              ) : (
                <Nothing title={pages > 1 ? `${EMPTY[view]} on this page` : EMPTY[view]}>{pages > 1 ? `This is page ${page} of ${pages}. The others were not looked through.` : 'New cases appear by themselves.'}</Nothing>
              )
            }
          >
            {() => <Rows rows={shown} kind={kind} chosen={chosen} opened={opened} me={me.id} now={now} decided={view === 'done'} onOpen={(row) => go(kind, row)} />}
          </Ready>
          {query.data && <Pager page={page} last={query.data.last_page} onPage={setPage} />}
        </div>
        <footer className={`${css.foot} cap t3`} aria-hidden="true">
          <span>
            <kbd>J</kbd> <kbd>K</kbd> move
          </span>
          <span>
            <kbd>Enter</kbd> open
          </span>
          <span>
            <kbd>?</kbd> all keys
          </span>
          <span className="grow right">No bulk decisions</span>
        </footer>
      </section>
      {opened !== null && <Case key={`${kind}-${opened}`} kind={kind} id={opened} live={all.find((row) => row.id === opened)} list={list} may={may} onClose={() => go(kind)} onDone={leave} />}
    </main>
  );
}
