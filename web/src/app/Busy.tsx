import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { t } from '../lib/i18n';
import css from './App.module.css';

const useBusy = create<{ on: boolean }>(() => ({ on: false }));
export const setBusy = (on: boolean) => useBusy.setState({ on });

/** Masks the app while a money write takes more than a second. */
export function Busy() {
  const on = useBusy((state) => state.on);
  const dialog = useRef<HTMLDialogElement>(null);
  const mask = () => {
    if (on && !dialog.current?.open) dialog.current?.showModal();
  };
  useEffect(() => {
    if (on) dialog.current?.showModal();
    else dialog.current?.close();
  }, [on]);
  return (
    // Chromium closes a dialog at the second Escape, whatever is made of the first.
    <dialog ref={dialog} className={css.busy} aria-live="assertive" onCancel={(event) => event.preventDefault()} onClose={mask}>
      {on && <p>{t('app.busy')}</p>}
    </dialog>
  );
}
