import type { ComponentType } from 'react';
import type { Tab } from '../lib/nav';
import type { IconName } from '../ui/Icon';
import type { Key } from '../lib/i18n';

export type Load = () => Promise<{ default: ComponentType }>;
export interface Route {
  load: Load;
  /** Redirects guests to login with this page as the way back. Tab pages show a guest state instead. */
  login?: true;
}

const system = () => import('../features/system/System');

/** Every hash route below `pages/`; a path that is missing here does not exist. System pages keep their slash. */
export const ROUTES: Readonly<Record<string, Route>> = {
  'index/index': { load: () => import('../features/home/Home') },
  '/choose-location': { load: system },
  '/open-location': { load: system },
};

export const isRoute = (path: string): boolean => Object.hasOwn(ROUTES, path);

/** The five tabs, in order. */
export const TAB_BAR: readonly { path: Tab; icon: IconName; label: Key }[] = [
  { path: 'index/index', icon: 'home', label: 'tab.home' },
  { path: 'trade/index', icon: 'trade', label: 'tab.trade' },
  { path: 'option/detail', icon: 'option', label: 'tab.option' },
  { path: 'finance/index', icon: 'plans', label: 'tab.plans' },
  { path: 'assets/index', icon: 'assets', label: 'tab.assets' },
];
