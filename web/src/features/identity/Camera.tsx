import { useEffect, useState } from 'react';
import { useCamera, type Facing } from '../../lib/camera';
import { t } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { EmptyState } from '../../ui/ListState';
import { Sheet } from '../../ui/Sheet';
import shared from '../../ui/Form.module.css';
import { quality, type Quality } from './quality';
import css from './Identity.module.css';

/** Small enough to be measured several times a second. */
const SAMPLE = { width: 160, height: 120 };
const EVERY = 400;

function measure(source: CanvasImageSource): Quality | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = SAMPLE.width;
  canvas.height = SAMPLE.height;
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (!pen) return undefined;
  pen.drawImage(source, 0, 0, SAMPLE.width, SAMPLE.height);
  return quality(pen.getImageData(0, 0, SAMPLE.width, SAMPLE.height).data, SAMPLE.width, SAMPLE.height);
}

function still(video: HTMLVideoElement): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.92));
}

function Hints({ seen }: { seen: Quality | undefined }) {
  if (!seen) return <ul className={css.hints} />;
  const hints = [
    { good: seen.sharp, text: t(seen.sharp ? 'identity.sharp' : 'identity.blurred') },
    { good: seen.bright, text: t(seen.bright ? 'identity.bright' : 'identity.dark') },
    { good: seen.clear, text: t(seen.clear ? 'identity.noGlare' : 'identity.glare') },
  ];
  return (
    <ul className={css.hints}>
      {hints.map(({ good, text }, n) => (
        <li key={n} className={good ? undefined : css.wrong}>
          <Icon name={good ? 'check' : 'warn'} size={18} />
          {text}
        </li>
      ))}
    </ul>
  );
}

interface Props {
  title: string;
  /** Index of this photo, from 0, and their number. */
  step: { at: number; of: number };
  /** Camera facing; the one towards the person is for the photo with the face. */
  facing: Facing;
  onPhoto: (photo: Blob) => void;
  onFile: () => void;
  onClose: () => void;
}

/** Viewfinder with hints while aiming; the photo stays on the device. */
export function Camera({ title, step, facing, onPhoto, onFile, onClose }: Props) {
  const [side, setSide] = useState(facing);
  const { video, state } = useCamera(side);
  const [seen, setSeen] = useState<Quality>();
  const [photo, setPhoto] = useState<{ blob: Blob; address: string }>();

  useEffect(() => {
    if (photo || state !== 'running') return;
    const timer = setInterval(() => {
      if (video.current && video.current.readyState >= 2) setSeen(measure(video.current));
    }, EVERY);
    return () => clearInterval(timer);
  }, [photo, state, video]);
  useEffect(() => () => photo && URL.revokeObjectURL(photo.address), [photo]);

  const shoot = async () => {
    if (!video.current || video.current.readyState < 2) return;
    setSeen(measure(video.current));
    const blob = await still(video.current);
    if (blob) setPhoto({ blob, address: URL.createObjectURL(blob) });
  };
  return (
    <Sheet open full onClose={onClose} title={title}>
      {state === 'denied' ? (
        <EmptyState icon={icons.camera} title={t('identity.noCamera')} text={t('identity.noCameraText')}>
          <Button kind="commit" small onClick={onFile}>
            {t('funding.chooseFile')}
          </Button>
        </EmptyState>
      ) : (
        <div className={css.camera}>
          <div className={css.bar} role="img" aria-label={t('identity.photoOf', { at: step.at + 1, of: step.of })}>
            {Array.from({ length: step.of }, (_, n) => (
              <i key={n} className={n <= step.at ? css.on : undefined} />
            ))}
          </div>
          <div className={css.view}>
            {/* Keeps running behind the photo, so that retaking it needs no restart. */}
            <video ref={video} autoPlay playsInline muted hidden={photo !== undefined} aria-label={title} />
            {photo && <img src={photo.address} alt={t('identity.yourPhoto')} />}
            {!photo && (
              <span className={css.guide} aria-hidden="true">
                <i />
                <i />
                <i />
                <i />
              </span>
            )}
          </div>
          <div role="status">
            <Hints seen={seen} />
          </div>
          {photo ? (
            <div className={shared.two}>
              <Button onClick={() => setPhoto(undefined)}>{t('funding.retake')}</Button>
              <Button kind="commit" onClick={() => onPhoto(photo.blob)}>
                {t('identity.use')}
              </Button>
            </div>
          ) : (
            <div className={css.controls}>
              <Button kind="text" small onClick={onFile}>
                <Icon name={icons.image} size={20} />
                {t('identity.photos')}
              </Button>
              <button type="button" className={css.shutter} aria-label={t('funding.takePhoto')} aria-disabled={state !== 'running' || undefined} onClick={() => void shoot()} />
              <Button kind="text" small onClick={() => setSide(side === 'user' ? 'environment' : 'user')}>
                <Icon name={icons.flip} size={20} />
                {t('identity.flip')}
              </Button>
            </div>
          )}
          <p className="lab t2 center">{t('identity.stays')}</p>
        </div>
      )}
    </Sheet>
  );
}
