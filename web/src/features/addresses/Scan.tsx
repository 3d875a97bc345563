import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useCamera } from '../../lib/camera';
import { t } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import * as icons from '../../ui/icons';
import { EmptyState } from '../../ui/ListState';
import { Sheet } from '../../ui/Sheet';
import { addressOf } from './code';
import css from './Scan.module.css';

/** Time between two scans, and time until a hint is shown. */
const EVERY = 300;
const LONG = 12_000;

interface Props {
  open: boolean;
  onAddress: (address: string) => void;
  onClose: () => void;
}

/** Reads an address from a code in front of the camera or in a picture; both stay on the device. */
export default function Scan({ open, onAddress, onClose }: Props) {
  const { video, state } = useCamera('environment');
  const [long, setLong] = useState(false);
  const [nothing, setNothing] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const found = useEffectEvent(onAddress);
  useEffect(() => {
    if (state !== 'running') return;
    let left = false;
    let next: ReturnType<typeof setTimeout>;
    const look = async () => {
      const address = video.current && video.current.readyState >= 2 ? await addressOf(video.current).catch(() => undefined) : undefined;
      if (left) return;
      if (address) found(address);
      else next = setTimeout(() => void look(), EVERY);
    };
    void look();
    const late = setTimeout(() => setLong(true), LONG);
    return () => {
      left = true;
      clearTimeout(next);
      clearTimeout(late);
    };
  }, [state, video]);
  const read = async (picture: Blob) => {
    const address = await addressOf(picture).catch(() => undefined);
    setNothing(!address);
    if (address) onAddress(address);
  };
  return (
    <Sheet open={open} full onClose={onClose} title={t('addresses.scan')}>
      <div className={css.scan}>
        {state === 'denied' ? (
          <EmptyState icon={icons.camera} title={t('identity.noCamera')} text={t('identity.noCameraText')} />
        ) : (
          <video ref={video} className={css.view} autoPlay playsInline muted aria-label={t('addresses.scan')} />
        )}
        <p className={nothing ? 'center caution' : 'center t2'} role="status">
          {nothing ? t('addresses.scanNothing') : state !== 'denied' && t(long ? 'addresses.scanLong' : 'addresses.scanHint')}
        </p>
        <Button kind={state === 'denied' ? 'commit' : 'quiet'} onClick={() => chooser.current?.click()}>
          {t('addresses.scanPicture')}
        </Button>
      </div>
      <input
        ref={chooser}
        type="file"
        accept="image/*"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) void read(file);
        }}
      />
    </Sheet>
  );
}
