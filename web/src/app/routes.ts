import type { ComponentType } from 'react';
import type { Tab } from '../lib/nav';
import type { IconName } from '../ui/Icon';
import { withProductWords, withWords, type Key } from '../lib/i18n';

export type Load = () => Promise<{ default: ComponentType }>;
export interface Route {
  load: Load;
  /** Redirects guests to login with this page as the way back. Tab pages show a guest state instead. */
  login?: true;
  /** Two columns on a wide screen. */
  wide?: true;
}

const system = () => import('../features/system/System');
const notices = withWords(() => import('../features/notices/Notices'));
const help = () => import('../features/help/Help');
const addresses = withWords(() => import('../features/addresses/Addresses'));
const plans = () => import('../features/explain/Plans');
const newCoins = withWords(() => import('../features/explain/NewCoins'));

/** Every hash route below `pages/`; a path that is missing here does not exist. System pages keep their slash. */
export const ROUTES: Readonly<Record<string, Route>> = {
  'index/index': { load: () => import('../features/home/Home') },
  'index/orderlist': { load: () => import('../features/trade/OrderList'), login: true },
  'trade/index': { load: () => import('../features/trade/MarketList') },
  'trade/kline': { load: () => import('../features/trade/Kline'), wide: true },
  'option/detail': { load: withProductWords(() => import('../features/option/Option')), wide: true },
  'finance/index': { load: plans },
  'finance/buyPage': { load: plans },
  'finance/ordersPage': { load: plans },
  'finance/rulePage': { load: plans },
  'publication/index': { load: newCoins },
  'publication/details': { load: newCoins },
  'publication/purchase': { load: newCoins },
  'index/jied': { load: withWords(() => import('../features/explain/Loans')) },
  'lever/index': { load: withProductWords(() => import('./ContractsGate')) },
  'index/notice/notice': { load: notices },
  'notice/index': { load: notices },
  'help-center': { load: help },
  'help/center/center': { load: help },
  'help/center/detail': { load: () => import('../features/help/HelpArticle') },
  'help/center/chat': { load: withWords(() => import('../features/support/Chat')), login: true },
  'help/center/tickets': { load: withWords(() => import('../features/support/Tickets')), login: true },
  'help/center/ticket': { load: withWords(() => import('../features/support/Ticket')), login: true },
  'help/center/newTicket': { load: withWords(() => import('../features/support/NewTicket')), login: true },
  'settings/index': { load: () => import('../features/settings/Settings') },
  'settings/language/language': { load: () => import('../features/settings/Language') },
  'settings/appearance': { load: () => import('../features/settings/Appearance') },
  'settings/proof': { load: withProductWords(() => import('../features/proof/Proof')) },
  'template/index': { load: () => import('../features/system/Template') },
  'user/login/login': { load: () => import('../features/auth/Login') },
  'user/login/choose': { load: () => import('../features/auth/Choose') },
  'user/login/register': { load: () => import('../features/auth/Register') },
  'user/login/forgetPassword': { load: () => import('../features/auth/Forgot') },
  'user/login/stopChange': { load: withWords(() => import('../features/auth/StopChange')) },
  'assets/index': { load: () => import('../features/assets/Assets') },
  'assets/tradeAccount': { load: () => import('../features/assets/TradeAccount'), login: true },
  'assets/deposit/index': { load: withWords(() => import('../features/deposit/Deposit')), login: true },
  'assets/deposit/charge': { load: withWords(() => import('../features/deposit/Charge')), login: true },
  'assets/deposit/paper': { load: () => import('../features/assets/PaperMoney'), login: true },
  'assets/withdraw/index': { load: withWords(() => import('../features/withdraw/Withdraw')), login: true },
  'assets/withdraw/detail': { load: withWords(() => import('../features/withdraw/Detail')), login: true },
  'assets/withdraw/bank/bank': { load: withWords(() => import('../features/withdraw/Bank')), login: true },
  'assets/flashpair': { load: withWords(() => import('../features/explain/Convert')) },
  'assets/record': { load: withWords(() => import('../features/records/Records')), login: true },
  'assets/transfer/index': { load: () => import('../features/transfer/Transfer'), login: true },
  'assets/transfer/record': { load: () => import('../features/transfer/Record'), login: true },
  'settings/account/index': { load: withWords(() => import('../features/account/Account')), login: true },
  'settings/account/edit': { load: withWords(() => import('../features/account/Edit')), login: true },
  'settings/security/index': { load: withWords(() => import('../features/account/Security')), login: true },
  'settings/security/changePassword': { load: withWords(() => import('../features/auth/ChangePassword')), login: true },
  'settings/security/changePayPassword': { load: withWords(() => import('../features/account/FundPassword')), login: true },
  'settings/security/twofactor': { load: withWords(() => import('../features/account/TwoFactor')), login: true },
  'settings/security/withdrawCode': { load: withWords(() => import('../features/account/WithdrawCode')), login: true },
  'settings/security/devices': { load: withWords(() => import('../features/account/Devices')), login: true },
  'settings/security/freeze': { load: withWords(() => import('../features/account/Freeze')), login: true },
  'settings/security/limits': { load: withWords(() => import('../features/account/Limits')), login: true },
  'settings/security/access': { load: withWords(() => import('../features/account/AccessLog')), login: true },
  'user/address/address': { load: addresses, login: true },
  'user/address/index': { load: addresses, login: true },
  'user/address/create': { load: withWords(() => import('../features/addresses/Create')), login: true },
  'verification/index': { load: withWords(() => import('../features/identity/Identity')), login: true },
  'verification/basic': { load: withWords(() => import('../features/identity/Basic')), login: true },
  'verification/advanced': { load: withWords(() => import('../features/identity/Advanced')), login: true },
  'verification/history': { load: withWords(() => import('../features/identity/History')), login: true },
  'bankbind/index': { load: withWords(() => import('../features/cards/Cards')), login: true },
  'bankbind/addbank': { load: withWords(() => import('../features/cards/AddCard')), login: true },
  'promotion/index': { load: withWords(() => import('../features/explain/Invite')) },
  '/choose-location': { load: system },
  '/open-location': { load: system },
};

export const isRoute = (path: string): boolean => Object.hasOwn(ROUTES, path);

/** Pages that are a half of a tab: the tab bar stays. */
export const HALVES: Readonly<Record<string, Tab>> = { 'lever/index': 'trade/index', 'publication/index': 'finance/index', 'index/jied': 'finance/index' };

/** The five tabs, in order. */
export const TAB_BAR: readonly { path: Tab; icon: IconName; label: Key }[] = [
  { path: 'index/index', icon: 'home', label: 'tab.home' },
  { path: 'trade/index', icon: 'trade', label: 'tab.trade' },
  { path: 'option/detail', icon: 'option', label: 'tab.option' },
  { path: 'finance/index', icon: 'plans', label: 'tab.plans' },
  { path: 'assets/index', icon: 'assets', label: 'tab.assets' },
];
