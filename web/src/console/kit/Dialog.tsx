import { useEffect, useEffectEvent, useId, useRef, type ReactNode } from 'react';
import { IconButton } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import css from './kit.module.css';

interface Props {
  title: ReactNode;
  onClose: () => void;
  /** It cannot be closed while an answer is outstanding. */
  locked?: boolean;
  wide?: boolean;
  footer?: ReactNode;
  children: ReactNode;
}

/** Centred, on a native dialog: the page behind is inert, and the focus moves to the title and back. */
export function Dialog({ title, onClose, locked = false, wide = false, footer, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const close = useEffectEvent(() => {
    if (!locked) onClose();
  });
  // Chromium closes a dialog at the second Escape, whatever is made of the first.
  const closed = useEffectEvent(() => {
    if (locked) dialog.current?.showModal();
    else onClose();
  });
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const before = document.activeElement;
    element.showModal();
    if (!element.contains(document.activeElement) || document.activeElement?.tagName === 'BUTTON') heading.current?.focus();
    const cancel = (event: Event) => {
      event.preventDefault();
      close();
    };
    element.addEventListener('cancel', cancel);
    element.addEventListener('close', closed);
    return () => {
      element.removeEventListener('cancel', cancel);
      element.removeEventListener('close', closed);
      element.close();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog ref={dialog} className={wide ? `${css.dialog} ${css.wide}` : css.dialog} aria-labelledby={id}>
      <header>
        <h2 ref={heading} id={id} tabIndex={-1} className="h3 grow">
          {title}
        </h2>
        {!locked && (
          <IconButton label="Close" onClick={onClose}>
            <Icon name="close" size={20} />
          </IconButton>
        )}
      </header>
      {/* Scrolls by keyboard even if nothing in it is focusable. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={css.dialogBody} tabIndex={0} role="group" aria-labelledby={id}>
        {children}
      </div>
      {footer && <footer>{footer}</footer>}
    </dialog>
  );
}
