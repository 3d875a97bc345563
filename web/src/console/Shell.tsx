import { createElement, lazy, Suspense, useState, type ComponentType } from 'react';
import { Mark } from '../ui/Brand';
import type { QueueKind } from './api';
import { Guarded } from '../ui/Guarded';
import { Icon } from '../ui/Icon';
import { clock } from '../ui/icons';
import { Dialog } from './kit/Dialog';
import { useKeys } from './kit/keys';
import { Broken, Loading, Nothing, stamp } from './kit/States';
import { acts, areasOf, isQueue, mayConfirm, type Area, type AreaProps } from './model/areas';
import { KEYS } from './model/keys';
import { signedWords } from './model/signed';
import { refresh, useCount, useWaiting } from './reads';
import { href, usePlace } from './route';
import { useMe } from './session';
import { Queue } from './queue/Queue';
import css from './console.module.css';

const SCREENS: Partial<Record<Area['name'], ComponentType<AreaProps>>> = {
  proposals: lazy(() => import('./control/Proposals')),
  observations: lazy(() => import('./control/Observations')),
  treasury: lazy(() => import('./control/Treasury')),
  catalog: lazy(() => import('./control/Catalog')),
  news: lazy(() => import('./control/News')),
  users: lazy(() => import('./records/Users')),
  audit: lazy(() => import('./records/Audit')),
  operators: lazy(() => import('./records/Operators')),
  health: lazy(() => import('./records/Health')),
  me: lazy(() => import('./records/Me')),
};

const Count = ({ kind }: { kind: QueueKind }) => {
  const count = useCount(kind);
  return count ? <em className="num">{count}</em> : null;
};

/** Proposals that this operator may confirm. */
function Waiting() {
  const me = useMe();
  const count = useWaiting().filter((one) => mayConfirm(me, one)).length;
  return count ? <em className="num">{count}</em> : null;
}

function Rail({ areas, current }: { areas: readonly Area[]; current: string }) {
  const me = useMe();
  return (
    <nav className={css.rail} aria-label="Areas">
      <div className={css.mark}>
        <Mark />
        <span className="b">
          Meridian <span className="t3 m">Ops</span>
        </span>
      </div>
      <div className={css.areas}>
        {(['Review', 'Control', 'Records'] as const).map((group) => {
          const within = areas.filter((area) => area.group === group);
          if (!within.length) return null;
          return (
            <ul key={group} aria-label={group}>
              <li className="cap t3" aria-hidden="true">
                {group}
              </li>
              {within.map((area) => (
                <li key={area.name}>
                  <a href={href(area.name)} aria-current={area.name === current ? 'page' : undefined}>
                    <Icon name={area.icon} size={18} />
                    <span className="grow">{area.title}</span>
                    {isQueue(area.name) && <Count kind={area.name} />}
                    {area.name === 'proposals' && <Waiting />}
                  </a>
                </li>
              ))}
            </ul>
          );
        })}
      </div>
      <a className={css.person} href={href('me')} aria-current={current === 'me' ? 'page' : undefined}>
        <span className={css.disc} aria-hidden="true">
          {[...me.name].slice(0, 2).join('').toUpperCase()}
        </span>
        <span className="grow">
          <b>{me.name}</b>
          <span className="cap t2">{me.roles.join(', ')}</span>
        </span>
      </a>
    </nav>
  );
}

function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className={css.keys}>
        {KEYS.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="t2">A and R only open the confirmation. No key decides anything by itself.</p>
    </Dialog>
  );
}

function Nowhere() {
  const me = useMe();
  return (
    <main>
      <h1 className="vh">Not found</h1>
      <Nothing title="Nothing here">Your roles ({me.roles.join(', ')}) do not open this area, or it does not exist.</Nothing>
    </main>
  );
}

/** Confirmed changes that act later, shown to every operator: two operators can stop them until then. */
function Announced() {
  const coming = useWaiting().filter((one) => one.confirmer_id !== null && one.effective_ms !== null);
  if (!coming.length) return null;
  return (
    <aside className={css.announced} aria-label="Coming changes">
      {coming.map((one) => (
        <p key={one.id}>
          <Icon name={clock} size={16} /> {signedWords(one).title}, agreed on by two, acts at {stamp(one.effective_ms ?? 0)}. Two can stop it until then: <a href={href('proposals', one.id)}>P-{one.id}</a>
        </p>
      ))}
    </aside>
  );
}

/** The console of a logged-in operator: rail on the left, one area beside it. */
export default function Shell() {
  const me = useMe();
  const place = usePlace();
  const [help, setHelp] = useState(false);
  const areas = areasOf(me.roles);
  const first = areas[0]?.name ?? 'health';
  const current = place.area === '' ? first : place.area;
  const area = areas.find(({ name }) => name === current);
  const screen = current === 'me' ? 'me' : area && SCREENS[area.name] ? area.name : undefined;
  useKeys({ '?': () => setHelp(true), u: refresh });
  return (
    <div className={css.desk}>
      <Rail areas={areas} current={current} />
      <Announced />
      <Guarded key={current} Broken={Broken}>
        {area && isQueue(area.name) ? (
          <Queue area={area} kind={area.name} id={place.id} />
        ) : screen ? (
          <Suspense fallback={<Loading />}>{createElement<AreaProps>(SCREENS[screen] ?? Nowhere, { id: place.id, may: area ? acts(area, me.roles) : true })}</Suspense>
        ) : (
          <Nowhere />
        )}
      </Guarded>
      {help && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}
