import { useEffect, useEffectEvent, useId, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { t } from '../lib/i18n';
import { focusOn, openLayer } from '../lib/nav';
import { IconButton } from './Button';
import { Icon } from './Icon';
import { useSecondTap } from './secondTap';
import css from './Sheet.module.css';

interface Props {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Shows a back arrow, for a second step in the same sheet. */
  onBack?: (() => void) | undefined;
  footer?: ReactNode;
  /** Slides in from the left, for the menu; it has no visible title bar. */
  drawer?: boolean;
  /** Covers the screen. */
  full?: boolean;
  children: ReactNode;
}

/** Content of a sheet that changes in place: a form, its review, a receipt. */
export type Parts = Pick<Props, 'title' | 'children' | 'footer' | 'onBack'>;

const EXIT = 240;
const SWIPE = 80;
/** A pointer that moves less than this is a tap. */
const SLOP = 8;
const STOPS = 'a[href], :is(button, input, select, textarea):enabled, [tabindex="0"]';

/** Sheet on a native dialog: the page behind is inert; back, Escape, scrim, swipe and Close all close it. */
export function Sheet({ open, onClose, title, onBack, footer, drawer = false, full = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const close = useEffectEvent(onClose);
  const id = useId();
  const [shown, setShown] = useState(open);
  if (open && !shown) setShown(true);
  // Each step has a title of its own, but one that changes with the price is not text.
  const buttons = useSecondTap(open && shown, typeof title === 'string' ? title : '');

  useEffect(() => {
    const element = dialog.current;
    if (!open || !element) return;
    const before = document.activeElement;
    const show = () => {
      element.showModal();
      heading.current?.focus();
    };
    // Chromium closes a dialog at the second Escape, whatever is made of the first: its owner decides, who may keep it open. The event
    // comes late, when the dialog may be open again.
    const dismissed = () => {
      if (element.open) return;
      show();
      close();
    };
    show();
    element.addEventListener('close', dismissed);
    const leave = openLayer(() => close());
    return () => {
      element.removeEventListener('close', dismissed);
      element.close();
      leave();
      focusOn(before);
    };
  }, [open]);

  // A sheet that changed its content in place removed the focused control; move the focus to the title.
  useEffect(() => {
    if (open && !dialog.current?.contains(document.activeElement)) heading.current?.focus();
  }, [open, title]);

  useEffect(() => {
    if (open || !shown) return;
    const timer = setTimeout(() => setShown(false), EXIT);
    return () => clearTimeout(timer);
  }, [open, shown]);

  // Scrolling content is a tab stop if it has no focusable element.
  const content = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const box = content.current;
    if (!shown || !box) return;
    const watched = new ResizeObserver(() => setScrolls(box.scrollHeight > box.clientHeight && !box.querySelector(STOPS)));
    for (const part of [box, ...box.children]) watched.observe(part);
    return () => watched.disconnect();
  }, [shown, title]);

  const start = useRef<{ x: number; y: number } | null>(null);
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!start.current || !dialog.current) return;
    const distance = drawer ? Math.min(0, event.clientX - start.current.x) : Math.max(0, event.clientY - start.current.y);
    if (Math.abs(distance) < SLOP) return;
    // Captured only now, because a captured tap would never reach the link below it.
    event.currentTarget.setPointerCapture(event.pointerId);
    dialog.current.style.transform = drawer ? `translateX(${distance}px)` : `translateY(${distance}px)`;
  };
  const drop = (event: PointerEvent<HTMLElement>) => {
    if (!start.current || !dialog.current) return;
    const distance = drawer ? start.current.x - event.clientX : event.clientY - start.current.y;
    start.current = null;
    dialog.current.style.transform = '';
    if (distance > SWIPE) onClose();
  };
  const handle = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if ((event.target as Element).closest('button')) return;
      start.current = { x: event.clientX, y: event.clientY };
    },
    onPointerMove: drag,
    onPointerUp: drop,
    onPointerCancel: () => {
      start.current = null;
      if (dialog.current) dialog.current.style.transform = '';
    },
  };

  return (
    // The scrim is the dialog's own backdrop: a click outside the content lands on the dialog itself. Escape is `cancel`.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={drawer ? `${css.sheet} ${css.drawer}` : full ? `${css.sheet} ${css.full}` : css.sheet}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {shown && (
        <div className={css.body}>
          {drawer ? (
            <h2 ref={heading} id={id} tabIndex={-1} className="vh">
              {title}
            </h2>
          ) : (
            <div className={css.head} {...handle}>
              {!full && <span className={css.grab} aria-hidden="true" />}
              <div className={css.bar}>
                {onBack && (
                  <IconButton label={t('ui.back')} onClick={onBack}>
                    <Icon name="back" />
                  </IconButton>
                )}
                <h2 ref={heading} id={id} tabIndex={-1} className="h2 grow">
                  {title}
                </h2>
                <IconButton label={t('ui.close')} onClick={onClose}>
                  <Icon name="close" />
                </IconButton>
              </div>
            </div>
          )}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <div ref={content} className={css.content} tabIndex={scrolls ? 0 : undefined} {...(drawer ? handle : {})}>
            {children}
          </div>
          {footer && <div ref={buttons} className={css.footer}>{footer}</div>}
        </div>
      )}
    </dialog>
  );
}
