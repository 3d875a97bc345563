import { create } from 'zustand';
import { storage, type Appearance } from '../lib/storage';

/** Theme, price colours and hidden amounts, stored on the device. */
export const useAppearance = create<Appearance>(() => storage.appearance.read());

function apply({ theme, updown }: Appearance): void {
  const light = theme === 'light' || (theme === 'system' && matchMedia('(prefers-color-scheme: light)').matches);
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
  document.documentElement.dataset.updown = updown;
}

export function setAppearance(part: Partial<Appearance>): void {
  useAppearance.setState(part);
  storage.appearance.write(useAppearance.getState());
  apply(useAppearance.getState());
}

/** Follows the phone while the theme is "same as phone". */
export function followSystemTheme(): void {
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => apply(useAppearance.getState()));
}

/** Whether amounts are hidden right now; starts as the preference says. */
export const useHidden = create<{ hidden: boolean }>(() => ({ hidden: storage.appearance.read().hideAmounts }));
export const toggleHidden = () => useHidden.setState(({ hidden }) => ({ hidden: !hidden }));
