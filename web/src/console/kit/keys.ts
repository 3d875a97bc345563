import { useEffect, useEffectEvent } from 'react';
import { bound, type Bindings } from '../model/keys';

const WRITES = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable=true]';

/** Binds keys while the component is mounted; an open dialog disables those of the page behind it. */
export function useKeys(bindings: Bindings, inDialog = false): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const at = event.target instanceof Element ? event.target : document.body;
    if (event.defaultPrevented || (!inDialog && document.querySelector('dialog[open]'))) return;
    const act = bound(event, bindings, { writing: at.matches(WRITES), control: at.closest('button, a, summary, [role=button]') !== null });
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
