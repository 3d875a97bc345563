import type { ComponentType } from 'react';
import type { Tab } from '../lib/nav';
import type { IconName } from '../ui/Icon';
import { fetchCode } from '../lib/code';
import type { Key } from '../lib/i18n';

export type Load = () => Promise<{ default: ComponentType }>;
interface Access {
  /** Redirects guests to login with this page as the way back. Tab pages show a guest state instead. */
  login?: true;
  /** Two columns on a wide screen. */
  wide?: true;
}
export interface Route extends Access {
  load: Load;
}

/**
 * Every hash route below `pages/` except home; any other path does not exist. The code is listed in `screens.ts`. System pages keep their
 * slash.
 */
const PAGES = {
  'trade/index': {},
  'option/detail': { wide: true },
  'finance/index': {},
  'assets/index': {},
  'index/orderlist': { login: true },
  'trade/kline': { wide: true },
  'finance/buyPage': {},
  'finance/ordersPage': {},
  'finance/rulePage': {},
  'publication/index': {},
  'publication/details': {},
  'publication/purchase': {},
  'index/jied': {},
  'lever/index': {},
  'index/notice/notice': {},
  'notice/index': {},
  'help-center': {},
  'help/center/center': {},
  'help/center/detail': {},
  'help/center/chat': { login: true },
  'help/center/tickets': { login: true },
  'help/center/ticket': { login: true },
  'help/center/newTicket': { login: true },
  'settings/index': {},
  'settings/language/language': {},
  'settings/appearance': {},
  'settings/proof': {},
  'settings/proof/entry': {},
  'template/index': {},
  'user/login/login': {},
  'user/login/choose': {},
  'user/login/register': {},
  'user/login/forgetPassword': {},
  'user/login/stopChange': {},
  'assets/tradeAccount': { login: true },
  'assets/deposit/index': { login: true },
  'assets/deposit/charge': { login: true },
  'assets/deposit/paper': { login: true },
  'assets/withdraw/index': { login: true },
  'assets/withdraw/detail': { login: true },
  'assets/withdraw/bank/bank': { login: true },
  'assets/flashpair': {},
  'assets/record': { login: true },
  'assets/transfer/index': { login: true },
  'assets/transfer/record': { login: true },
  'settings/account/index': { login: true },
  'settings/account/edit': { login: true },
  'settings/security/index': { login: true },
  'settings/security/changePassword': { login: true },
  'settings/security/changePayPassword': { login: true },
  'settings/security/twofactor': { login: true },
  'settings/security/withdrawCode': { login: true },
  'settings/security/devices': { login: true },
  'settings/security/freeze': { login: true },
  'settings/security/limits': { login: true },
  'settings/security/access': { login: true },
  'user/address/address': { login: true },
  'user/address/index': { login: true },
  'user/address/create': { login: true },
  'verification/index': { login: true },
  'verification/basic': { login: true },
  'verification/advanced': { login: true },
  'verification/history': { login: true },
  'bankbind/index': { login: true },
  'bankbind/addbank': { login: true },
  'promotion/index': { login: true },
  '/choose-location': {},
  '/open-location': {},
} satisfies Record<string, Access>;
/** The pages that `screens.ts` has a loader for. */
export type Page = keyof typeof PAGES;

const HOME = {
  'index/index': { load: () => import('../features/home/Home') },
};

const table = () => import('./screens');

/** A page's code, by the table of screens; neither is part of the first page. */
const later = (path: Page): Load => async () => {
  try {
    return await fetchCode((await fetchCode(table)).SCREENS[path]);
  } catch (cause) {
    // Table and screen each have their own file that may fail. An error that names one would make the retry request that instead of both.
    throw new Error('screen by table', { cause });
  }
};

const paths = Object.keys(PAGES) as Page[];
/** Every page of the app. */
export const ROUTES: Readonly<Record<string, Route>> = { ...HOME, ...Object.fromEntries(paths.map((path) => [path, { ...PAGES[path], load: later(path) }])) };

export const isRoute = (path: string): boolean => Object.hasOwn(ROUTES, path);

/** Pages that are half of a tab: the tab bar stays. */
export const HALVES: Readonly<Record<string, Tab>> = { 'lever/index': 'trade/index', 'publication/index': 'finance/index', 'index/jied': 'finance/index' };

/** The five tabs, in order. */
export const TAB_BAR: readonly { path: Tab; icon: IconName; label: Key }[] = [
  { path: 'index/index', icon: 'home', label: 'tab.home' },
  { path: 'trade/index', icon: 'trade', label: 'tab.trade' },
  { path: 'option/detail', icon: 'option', label: 'tab.option' },
  { path: 'finance/index', icon: 'plans', label: 'tab.plans' },
  { path: 'assets/index', icon: 'assets', label: 'tab.assets' },
];
