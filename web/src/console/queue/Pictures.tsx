import { useEffect, useState, type CSSProperties } from 'react';
import { serverNow } from '../../lib/time';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import type { Picture, QueueItem } from '../api';
import { pictureOf } from '../api';
import { Dialog } from '../kit/Dialog';
import { useKeys } from '../kit/keys';
import { Section } from '../kit/Screen';
import { stamp } from '../kit/States';
import { label } from '../model/values';
import { useMe, useSession } from '../session';
import css from './pictures.module.css';

/** Photos are hidden while this window does not have the focus. */
function useWatched(): boolean {
  const [watched, setWatched] = useState(() => document.hasFocus());
  useEffect(() => {
    const change = () => setWatched(document.hasFocus() && !document.hidden);
    for (const kind of ['focus', 'blur'] as const) addEventListener(kind, change);
    document.addEventListener('visibilitychange', change);
    return () => {
      for (const kind of ['focus', 'blur'] as const) removeEventListener(kind, change);
      document.removeEventListener('visibilitychange', change);
    };
  }, []);
  return watched;
}

type Loaded = { url: string } | { failed: true } | null;

/** Kept only in memory, and only while it is shown. */
function usePicture(key: string, view: number): Loaded {
  const [loaded, setLoaded] = useState<Loaded>(null);
  useEffect(() => {
    const control = new AbortController();
    let url = '';
    pictureOf(key, view, useSession.getState().token, control.signal).then(
      (blob) => {
        url = URL.createObjectURL(blob);
        if (control.signal.aborted) URL.revokeObjectURL(url);
        else setLoaded({ url });
      },
      () => !control.signal.aborted && setLoaded({ failed: true }),
    );
    return () => {
      control.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [key, view]);
  return loaded;
}

interface Turned {
  zoom: number;
  turn: number;
}

/** One picture with the viewer's name over it, so that a photo of the screen shows whose screen it was. */
function Sheet({ picture, view, turned: { zoom, turn } = { zoom: 1, turn: 0 }, watched }: { picture: Picture; view: number; turned?: Turned; watched: boolean }) {
  const loaded = usePicture(picture.key, view);
  const me = useMe();
  const [seen] = useState(serverNow);
  return (
    <span className={css.sheet} style={{ '--zoom': zoom } as CSSProperties}>
      {loaded === null ? (
        <span className="t2">Loading</span>
      ) : 'failed' in loaded ? (
        <span className={css.lost}>
          <Icon name="warn" size={20} /> It did not load. Open the case again.
        </span>
      ) : watched ? (
        <img src={loaded.url} alt={picture.label} draggable={false} style={{ transform: `rotate(${turn}deg)` }} />
      ) : (
        <span className="t2">Hidden while this window is not in use</span>
      )}
      <span className={css.watermark} aria-hidden="true">
        {Array.from({ length: 6 }, (_, n) => (
          <span key={n}>
            {me.name} {stamp(seen)}
          </span>
        ))}
      </span>
    </span>
  );
}

export function Pictures({ item: { files, view_id } }: { item: QueueItem }) {
  const [open, setOpen] = useState<number | null>(null);
  const watched = useWatched();
  const show = (n: number) => () => files[n] && setOpen(n);
  useKeys({ 1: show(0), 2: show(1), 3: show(2), z: show(0) });
  return (
    <Section title="Pictures" aside={`${files.length}`}>
      <ul className={css.thumbs}>
        {files.map((picture, n) => (
          <li key={picture.key}>
            <button type="button" aria-label={`${n + 1} ${picture.label}, enlarge`} onClick={show(n)}>
              <Sheet picture={picture} view={view_id} watched={watched} />
            </button>
            <span className="m">
              {n + 1} {label(picture.label)}
            </span>
          </li>
        ))}
      </ul>
      {open !== null && <Viewer files={files} view={view_id} first={open} watched={watched} onClose={() => setOpen(null)} />}
    </Section>
  );
}

const ZOOMS = [1, 1.5, 2, 3, 4];

/** Zooms and rotates one picture, or shows two side by side. */
function Viewer({ files, view, first, watched, onClose }: { files: readonly Picture[]; view: number; first: number; watched: boolean; onClose: () => void }) {
  const [at, setAt] = useState(first);
  const [beside, setBeside] = useState<number | null>(null);
  const [turned, setTurned] = useState<Turned>({ zoom: 1, turn: 0 });
  const zoom = (by: 1 | -1) => setTurned((now) => ({ ...now, zoom: ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, ZOOMS.indexOf(now.zoom) + by))] ?? 1 }));
  const pick = (n: number) => () => {
    if (!files[n]) return;
    setAt(n);
    setTurned({ zoom: 1, turn: 0 });
    if (n === beside) setBeside(null);
  };
  useKeys({ 1: pick(0), 2: pick(1), 3: pick(2), z: () => zoom(turned.zoom === ZOOMS.at(-1) ? -1 : 1) }, true);
  const picture = files[at];
  const other = beside === null ? undefined : files[beside];
  if (!picture) return null;
  return (
    <Dialog title={picture.label} wide onClose={onClose}>
      <div className={css.tools}>
        <div role="group" aria-label="Which picture" className={css.group}>
          {files.map(({ key, label }, n) => (
            <button key={key} type="button" aria-pressed={n === at} onClick={pick(n)}>
              {n + 1} {label}
            </button>
          ))}
        </div>
        <div role="group" aria-label="How it is shown" className={css.group}>
          <Button small kind="line" onClick={() => zoom(-1)} disabled={turned.zoom === 1}>
            Smaller
          </Button>
          <Button small kind="line" onClick={() => zoom(1)} disabled={turned.zoom === ZOOMS.at(-1)}>
            Larger
          </Button>
          <Button small kind="line" onClick={() => setTurned({ ...turned, turn: (turned.turn + 90) % 360 })}>
            Rotate
          </Button>
        </div>
        {files.length > 1 && (
          <div role="group" aria-label="Compare with" className={css.group}>
            <span className="t2">Beside</span>
            {files.map(({ key, label }, n) =>
              n === at ? null : (
                <button key={key} type="button" aria-pressed={n === beside} onClick={() => setBeside(n === beside ? null : n)}>
                  {label}
                </button>
              ),
            )}
          </div>
        )}
      </div>
      <div className={other ? `${css.stage} ${css.two}` : css.stage}>
        {[picture, other].map(
          (one, n) =>
            one && (
              // Moved by its scroll bars and by the arrow keys.
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              <div key={one.key} className={css.frame} tabIndex={0} role="group" aria-label={one.label}>
                <Sheet picture={one} view={view} watched={watched} turned={n === 0 ? turned : { zoom: turned.zoom, turn: 0 }} />
              </div>
            ),
        )}
      </div>
    </Dialog>
  );
}
