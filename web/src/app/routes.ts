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
const notices = () => import('../features/notices/Notices');
const help = () => import('../features/help/Help');

/** Every hash route below `pages/`; a path that is missing here does not exist. System pages keep their slash. */
export const ROUTES: Readonly<Record<string, Route>> = {
  'index/index': { load: () => import('../features/home/Home') },
  'index/orderlist': { load: () => import('../features/trade/OrderList'), login: true },
  'trade/index': { load: () => import('../features/trade/MarketList') },
  'trade/kline': { load: () => import('../features/trade/Kline') },
  'option/detail': { load: () => import('../features/explain/Option') },
  'finance/index': { load: () => import('../features/explain/Plans') },
  'lever/index': { load: () => import('../features/explain/Contracts') },
  'index/notice/notice': { load: notices },
  'notice/index': { load: notices },
  'help-center': { load: help },
  'help/center/center': { load: help },
  'help/center/detail': { load: () => import('../features/help/HelpArticle') },
  'settings/index': { load: () => import('../features/settings/Settings') },
  'settings/language/language': { load: () => import('../features/settings/Language') },
  'settings/appearance': { load: () => import('../features/settings/Appearance') },
  'template/index': { load: () => import('../features/system/Template') },
  'user/login/login': { load: () => import('../features/auth/Login') },
  'user/login/choose': { load: () => import('../features/auth/Choose') },
  'user/login/register': { load: () => import('../features/auth/Register') },
  'user/login/forgetPassword': { load: () => import('../features/auth/Forgot') },
  'assets/index': { load: () => import('../features/assets/Assets') },
  'assets/tradeAccount': { load: () => import('../features/assets/TradeAccount'), login: true },
  'assets/deposit/index': { load: () => import('../features/assets/Deposit'), login: true },
  'assets/transfer/index': { load: () => import('../features/transfer/Transfer'), login: true },
  'assets/transfer/record': { load: () => import('../features/transfer/Record'), login: true },
  'settings/account/index': { load: () => import('../features/auth/Account'), login: true },
  'settings/account/edit': { load: () => import('../features/auth/EditNickname'), login: true },
  'settings/security/index': { load: () => import('../features/auth/Security'), login: true },
  'settings/security/changePassword': { load: () => import('../features/auth/ChangePassword'), login: true },
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
