import { useRef } from 'react';
import { t } from '../../lib/i18n';
import { IconButton } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import type { usePictures } from './pictures';
import css from './Support.module.css';

type Pictures = ReturnType<typeof usePictures>;

/** The pictures that will be sent with the message. */
export function ChosenPictures({ pictures }: { pictures: Pictures }) {
  const { chosen, percent, problem } = pictures;
  return (
    <>
      {chosen.length > 0 && (
        <div className={css.chosen}>
          {chosen.map((one, n) => (
            <span key={one.preview}>
              <img src={one.preview} alt={t('tickets.picture', { number: n + 1 })} />
              {percent === undefined && (
                <button type="button" aria-label={t('tickets.removePicture', { number: n + 1 })} onClick={() => pictures.remove(one)}>
                  <span>
                    <Icon name="close" size={14} />
                  </span>
                </button>
              )}
            </span>
          ))}
        </div>
      )}
      {percent !== undefined && <progress max={100} value={percent} aria-label={t('tickets.sendingPictures')} />}
      {problem && (
        <p className="lab danger" role="alert">
          {t(problem)}
        </p>
      )}
    </>
  );
}

/** Opens the device's picture chooser. */
export function AddPicture({ pictures }: { pictures: Pictures }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label={t('tickets.addPicture')} aria-disabled={!pictures.room || undefined} onClick={() => pictures.room && input.current?.click()}>
        <Icon name={icons.plus} />
      </IconButton>
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        multiple
        hidden
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // Allows choosing the same file again after it was removed.
          event.target.value = '';
          void pictures.add(files);
        }}
      />
    </>
  );
}
