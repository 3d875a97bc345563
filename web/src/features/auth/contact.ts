import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { useCountries } from '../../data/countries';
import { useSession } from '../../data/session';
import { current, openLayer } from '../../lib/nav';
import type { Contact } from './model';

const deviceCountry = () => new Intl.Locale(navigator.language || 'en').region ?? '';

/** Input stays while moving between login, registration and recovery, and is never stored. */
export const useContact = create<Contact>(() => ({ way: 'phone', iso: deviceCountry(), phone: '', email: '', username: '' }));
/** The next person to use the device must not read it: it is cleared when a session begins, here or in another tab, and when one ends. */
useSession.subscribe(({ user }, before) => {
  if (user?.id !== before.user?.id) useContact.setState({ phone: '', email: '', username: '' });
});
export const setContact = (part: Partial<Contact>) => useContact.setState(part);

/** Dial code of the chosen country; undefined while unknown. */
export function useDial(): string | undefined {
  const iso = useContact((state) => state.iso);
  return useCountries().data?.find((country) => country.iso === iso)?.area_code;
}

/** The way back and the invitation, passed from one login screen to the next. */
export function carried(): Record<string, string> {
  const { query } = current();
  return Object.fromEntries(['backpage', 'backtype', 'extension_code'].flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])));
}

/** Lets the device's back button return from a later step to the first one; the returned function removes the step from the history. */
export function useStepBack(inside: boolean, toFirst: () => void): () => void {
  const leave = useRef(() => {});
  const first = useRef(toFirst);
  useEffect(() => {
    first.current = toFirst;
  });
  useEffect(() => {
    if (!inside) return;
    leave.current = openLayer(() => first.current());
    return () => leave.current();
  }, [inside]);
  return () => leave.current();
}
