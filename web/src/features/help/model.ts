import type { Key } from '../../lib/i18n';

export interface Topic {
  name: 'deposit' | 'withdraw' | 'identity' | 'trade' | 'plans' | 'account';
  text: Key;
  /** Pages of the app that the topic's articles are about. */
  pages: readonly string[];
}
/** Topics of help. An article belongs to the topic of the page that it links to. */
export const TOPICS: readonly Topic[] = [
  { name: 'deposit', text: 'assets.deposit', pages: ['assets/deposit/'] },
  { name: 'withdraw', text: 'assets.withdraw', pages: ['assets/withdraw/', 'bankbind/', 'user/address/'] },
  { name: 'identity', text: 'menu.identity', pages: ['verification/'] },
  { name: 'trade', text: 'tab.trade', pages: ['trade/', 'option/', 'lever/', 'assets/flashpair'] },
  { name: 'plans', text: 'tab.plans', pages: ['finance/', 'publication/', 'index/jied'] },
  { name: 'account', text: 'settings.account', pages: ['settings/', 'user/login/'] },
];

export const isAbout = ({ pages }: Topic, { link }: { link: string | null }): boolean => link !== null && pages.some((page) => link.startsWith(page));
/** Topics with at least one article. */
export const topicsOf = (articles: readonly { link: string | null }[]): Topic[] => TOPICS.filter((topic) => articles.some((article) => isAbout(topic, article)));
