import { useId, useRef, type ReactNode } from 'react';
import { t, useLocale } from '../lib/i18n';
import { formatPercent, make } from '../lib/money';
import type { Picture } from '../lib/picture';
import { Button } from './Button';
import { Icon } from './Icon';
import css from './PictureField.module.css';

interface Props {
  label: ReactNode;
  hint?: ReactNode;
  picture: Picture;
  /** What is wrong with it; the picture's own problem takes precedence. */
  error?: string | undefined;
  /** Opens the camera instead of the file chooser. */
  onCamera?: (() => void) | undefined;
  /** Shown while there is no picture. */
  empty?: ReactNode;
}

/** One picture: chosen or taken, shown, replaced, and sent with its progress. */
export function PictureField({ label, hint, picture, error, onCamera, empty }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const locale = useLocale();
  const { preview, progress, problem } = picture;
  const uploading = progress === undefined ? undefined : t('funding.uploading', { percent: formatPercent(make(BigInt(progress), 0), locale) });
  const wrong = problem ? t(problem.text, problem.values) : error;
  const pick = () => input.current?.click();
  return (
    <div className={wrong ? `${css.tile} ${css.bad}` : css.tile} role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-hint`}>
      <div className={preview ? css.frame : `${css.frame} ${css.none}`}>
        {preview ? <img src={preview} alt="" /> : (empty ?? <Icon name="deposit" size={32} />)}
        {preview && !wrong && progress === undefined && (
          <span className={css.ok}>
            <Icon name="check" size={18} />
          </span>
        )}
      </div>
      <div className={css.side}>
        <div id={`${id}-label`} className="b">
          {label}
        </div>
        <div id={`${id}-hint`} className={wrong ? 'lab danger' : 'lab t2'} role={wrong ? 'alert' : undefined}>
          {wrong ?? uploading ?? hint}
        </div>
        {progress === undefined ? (
          <div className={css.actions}>
            {onCamera && (
              <Button small onClick={onCamera}>
                {t(preview ? 'funding.retake' : 'funding.takePhoto')}
              </Button>
            )}
            <Button small kind={onCamera ? 'text' : 'quiet'} onClick={pick}>
              {t(preview && !onCamera ? 'funding.replace' : 'funding.chooseFile')}
            </Button>
          </div>
        ) : (
          <>
            <progress className={css.progress} max={100} value={progress} aria-label={uploading} />
            <Button small kind="text" onClick={picture.cancel}>
              {t('ui.cancel')}
            </Button>
          </>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // Allows choosing the same file again after it was refused.
          event.target.value = '';
          if (file) void picture.choose(file);
        }}
      />
    </div>
  );
}
