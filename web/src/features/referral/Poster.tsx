import { useState } from 'react';
import { usePrivatePicture } from '../../data/files';
import type { Invite } from '../../generated/api';
import { languageCode, t, useLocale } from '../../lib/i18n';
import { Mark } from '../../ui/Brand';
import { Button } from '../../ui/Button';
import { Chip, Chips } from '../../ui/Choice';
import { EmptyState } from '../../ui/ListState';
import { QrCode } from '../../ui/QrCode';
import { saveFile } from '../../ui/saveFile';
import { Sheet } from '../../ui/Sheet';
import { Note } from '../../ui/Status';
import { posterAddress, usePoster } from './api';
import css from './Referral.module.css';

const ARCS = [190, 185.2, 171.2, 148.5, 118.5, 82.4, 42.3];

/** The invitation as a card: text, code and the link to scan. */
export function Poster({ invite, link }: { invite: Invite; link: string }) {
  useLocale();
  return (
    <section className={css.poster} aria-label={t('menu.invite')}>
      <svg className={css.arcs} width="358" height="270" viewBox="0 0 358 270" fill="none" stroke="var(--text-1)" strokeOpacity=".1" aria-hidden="true">
        {ARCS.map((r) => (
          <ellipse key={r} cx="290" cy="120" rx={r} ry="190" />
        ))}
        <path d="M290 -70V310" />
      </svg>
      <div className={css.brand}>
        <Mark />
        {t('app.name')}
      </div>
      <p className={`h1 ${css.headline}`}>{t('invite.headline')}</p>
      <div className={css.foot}>
        <div>
          <div className="cap t2">{t('invite.code')}</div>
          <div className={`h2 num ${css.code}`}>{invite.extension_code}</div>
        </div>
        <div className={css.qr}>
          <QrCode text={link} label={t('invite.qr')} />
        </div>
      </div>
    </section>
  );
}

/** The poster as a picture, drawn by the server in the present language; it can also be pressed and held. */
export function PosterSheet({ open, onClose, code }: { open: boolean; onClose: () => void; code: string }) {
  const pics = usePoster().data?.pics ?? [];
  const [index, setIndex] = useState(0);
  const { picture, url, isError } = usePrivatePicture(open ? posterAddress(index, languageCode()) : null);
  const [notSaved, setNotSaved] = useState(false);
  const save = () => {
    if (!picture) return;
    try {
      saveFile(picture, `meridian-${code}.png`);
      setNotSaved(false);
    } catch {
      setNotSaved(true);
    }
  };
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('invite.poster')}
      footer={
        <Button kind="commit" wide loading={!url && !isError} reason={isError ? t('invite.posterFailed') : undefined} onClick={save}>
          {t('invite.save')}
        </Button>
      }
    >
      <div className={css.stack}>
        {notSaved && url && (
          <div role="alert">
            <Note tone="caution">{t('invite.notSaved')}</Note>
          </div>
        )}
        {pics.length > 1 && (
          <Chips label={t('invite.background')}>
            {pics.map((pic, n) => (
              <Chip key={pic} on={n === index} onClick={() => setIndex(n)}>
                {t('invite.backgroundNumber', { number: n + 1 })}
              </Chip>
            ))}
          </Chips>
        )}
        {url ? <img className={css.picture} src={url} alt={t('invite.posterText', { code })} /> : isError ? <EmptyState icon="warn" title={t('invite.posterFailed')} /> : <div className={css.blank} aria-busy="true" />}
      </div>
    </Sheet>
  );
}
