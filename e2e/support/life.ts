import type { App, Member } from './app.ts';
import { ROUTES } from './routes.ts';
import { approve, FUND_PASSWORD, ready, storeAddress } from './desk.ts';
import type { Server } from './server.ts';
import { test as base } from './test.ts';

/** A member who has used everything, and where their data is shown. */
export interface Life {
  member: Member;
  /** The query with which a page shows one object. */
  queries: Readonly<Record<string, string>>;
}

/** Visits every page: those for guests as a guest, and all others as the member. */
export async function walk(app: App, { member, queries }: Life, look: (path: string) => Promise<void>): Promise<void> {
  const forGuests = (path: string) => path.startsWith('user/login/');
  for (const { path } of ROUTES.filter(({ path }) => forGuests(path))) {
    await app.open(path);
    await look(path);
  }
  await app.signIn(member);
  for (const { path } of ROUTES.filter(({ path }) => !forGuests(path))) {
    await app.open(path, queries[path]);
    await look(path);
  }
}

/** Journeys of one member of the worker's sandbox, created once, because that takes a day of its clock. */
export const test = base.extend<{ life: Life }, { lives: { one?: Life } }>({
  lives: [
    async ({}, use) => {
      await use({});
    },
    { scope: 'worker' },
  ],
  life: async ({ app, server, lives }, use) => {
    lives.one ??= await lived(app, server);
    await use(lives.one);
  },
});

/**
 * A member with an address, a card, a withdrawal, a plan, a subscription, a loan, a conversion, an option, a position, an order, a friend
 * with fees, and a ticket.
 */
async function lived(app: App, server: Server): Promise<Life> {
  // With the book at this price, the order below it waits.
  await app.pin('BTC/USDT', '100000');
  const member = await ready(app, server);
  const call = <T>(path: string, fields: Record<string, string>) => server.call<T>(path, fields, member.token);
  for (const account of ['change', 'lever', 'micro', 'trust']) await app.fund(member, 'USDT', '1000', account);
  await app.fund(member, 'BTC', '0.5');
  await storeAddress(server, member);
  await call('user/cash_save', { bank_name: 'Commerzbank', bank_account: '1234567890', real_name: 'Ada Example', bank_branch: 'Main' });
  await call('lh/deposit', { config_id: '2', amount: '500', agree: '1' });
  await call('lh/send/order', { config_id: '1', amount: '50' });
  await call('wallet/change', { currency_id: '3', number: '5', from_field: 'change', to_field: 'lever' });
  await call('wallet/flashAgainst', { l_currency_id: '3', r_currency_id: '1', num: '100' });
  await call('microtrade/submit', { match_id: '1', currency_id: '3', type: '1', seconds: '60', number: '10' });
  await call('lever/submit', { share: '1', multiple: '10', legal_id: '3', currency_id: '1', type: '1' });
  await call('coin/trade', { legal_id: '3', currency_id: '1', type: '1', amount: '0.001', target_price: '90000' });
  const ticket = await call<{ id: number }>('feedback/add', { title: 'Where is it?', content: 'I cannot find it.' });
  const { extension_code } = await server.read<{ extension_code: string }>('user/invite', {}, member.token);
  const friend = `friend.${Date.now()}@example.org`;
  await server.call('sms_mail', { user_string: friend, type: 'register' });
  await server.call('user/register', { type: 'email', user_string: friend, code: await server.code(friend), password: 'a long pass word', re_password: 'a long pass word', agree: '1', extension_code });
  const token = await server.call<string>('user/login', { user_string: friend, password: 'a long pass word' });
  await server.call('/sandbox/faucet', { asset: 'USDT', amount: '1000' }, token);
  await server.call('coin/trade', { legal_id: '3', currency_id: '1', type: '2', amount: '0.001', target_price: '100000' }, member.token);
  await server.call('coin/trade', { legal_id: '3', currency_id: '1', type: '1', amount: '0.001', target_price: '100000' }, token);
  // Addresses and cards must be a day old before use; the rebate of the friend's fee comes at midnight.
  await server.call('/sandbox/clock', { advance_ms: '90000000' });
  const [stored] = await server.read<{ id: number }[]>('wallet/get_address', { currency: '3' }, member.token);
  await call('wallet/out', { currency: '3', number: '30', address_id: String(stored?.id), pay_password: FUND_PASSWORD });
  await call('user/bossorder', { config_id: '1', amount: '600', collateral: '0.01', collateral_currency_id: '1' });
  const loan = await approve(server, 'loan', 'treasury', ['ann']);
  await server.call('/sandbox/price', { symbol: 'BTC/USDT', release: '1' });
  const [withdrawal] = (await server.read<{ data: { id: number }[] }>('charge_mention/log3', {}, member.token)).data;
  const [article] = (await server.read<{ list: { id: number }[] }>('news/list', { c_id: '19' }, member.token)).list;
  const queries = {
    'trade/kline': 'symbol=BTC/USDT',
    'finance/buyPage': 'id=2',
    'publication/details': 'id=1',
    'publication/purchase': 'id=1',
    'index/jied': `id=${loan}`,
    'assets/tradeAccount': 'account=change',
    'assets/deposit/charge': 'coin=3',
    'assets/withdraw/detail': `id=${withdrawal?.id}`,
    'help/center/detail': `id=${article?.id}`,
    'help/center/ticket': `id=${ticket.id}`,
    'settings/account/edit': 'field=nickname',
  };
  return { member, queries };
}
