import { expect } from '@playwright/test';
import type { App, Member } from './app.ts';
import { TRON } from './console.ts';
import { approve, FUND_PASSWORD, upload } from './desk.ts';

type Fields = Record<string, string>;
/** The value at a path of an earlier answer, such as `data.order.id`. */
type Told = (call: string, place: string) => string;

export interface Call {
  /** Method and path. */
  call: string;
  /** A guest if absent; a newcomer signs up on the way. */
  by?: 'member' | 'newcomer';
  mark?: (told: Told) => string;
  send?: Fields | ((told: Told) => Fields | Promise<Fields>);
  /** What the answer must contain: its payload, and its other fields. */
  message: unknown;
  data?: unknown;
}

const some = (row: Record<string, unknown>): unknown => expect.arrayContaining([expect.objectContaining(row)]);
const paged = (row: Record<string, unknown>) => ({ current_page: 1, data: some(row) });
const TEXT: unknown = expect.any(String);
const NUMBER: unknown = expect.any(Number);
/** An invitation code. */
const CODE: unknown = expect.stringMatching(/^[0-9A-Z]{8}$/);
const SENT = { sent_to: TEXT, expires_ms: NUMBER };
const PAIR = { currency_id: '1', legal_id: '3' };
const USDT = { currency_id: 3, currency_name: 'USDT' };
const [FIRST, SECOND, THIRD] = ['a first pass word', 'a second pass word', 'a third pass word'];

/**
 * Every call of the specification with its input, in an order in which each can be done: by the member who has everything, and by a person
 * who signs up. The price of bitcoin is 100,000.
 */
export function calls(app: App, member: Member): readonly Call[] {
  const { server } = app;
  const now = Date.now();
  const [email, other, phone] = [`calls.${now}@example.org`, `moved.${now}@example.org`, `15${String(now).slice(-9)}`];
  const papers = { country: 'DE', name: 'Bea Example', card_id: `C${now}`, address: '2 High Street', residence_address: '2 High Street' };
  const newcomer = (told: Told): Member => ({ email, password: SECOND, token: told('POST user/login', 'message') });
  const position = (told: Told) => ({ id: told('POST lever/submit', 'data.position.id') });
  return [
    { call: 'POST set/lang', send: { lang: 'deyu' }, message: TEXT },
    { call: 'POST get/lang', mark: (told) => told('POST set/lang', 'message'), message: 'deyu' },
    { call: 'POST set/get_customer_url', message: { customer_url: '/h5/#/pages/help-center', xtitle: 'Meridian', chat_on: 1 } },
    { call: 'POST area_code', send: { lang: 'deyu' }, message: some({ iso: 'DE', name: 'Deutschland', area_code: '49' }) },

    { call: 'POST sms_mail', send: { user_string: email, type: 'register' }, message: 'Code sent', data: { ...SENT, sent_to: 'ca***@example.org' } },
    { call: 'POST user/check_email', send: async () => ({ user_string: email, code: await server.code(email), type: 'register' }), message: 'The code is correct', data: { valid_until_ms: NUMBER } },
    {
      call: 'POST user/register',
      send: async () => ({ type: 'email', user_string: email, code: await server.code(email), password: FIRST, re_password: FIRST, agree: '1' }),
      message: 'Registered',
      data: { user_id: NUMBER, account_number: TEXT },
    },
    {
      call: 'POST user/forget',
      send: async () => {
        await server.call('sms_mail', { user_string: email, type: 'forget' });
        return { account: email, code: await server.code(email), password: SECOND, repassword: SECOND };
      },
      message: 'Password changed',
    },
    { call: 'POST user/login', send: { user_string: email, password: SECOND }, message: TEXT, data: { user_id: NUMBER } },
    { call: 'POST sms_send', send: { user_string: phone, area_code: '49', type: 'register' }, message: 'Code sent', data: SENT },
    {
      call: 'POST user/check_mobile',
      send: async () => ({ user_string: phone, area_code: '49', code: await server.code(phone), type: 'register' }),
      message: 'The code is correct',
      data: { valid_until_ms: NUMBER },
    },
    { call: 'POST set/sms_other_mail', by: 'newcomer', send: { type: 'fund' }, message: 'Code sent', data: { ...SENT, sent_to: 'ca***@example.org' } },
    {
      call: 'POST safe/update_password',
      by: 'newcomer',
      send: async () => ({ password: FUND_PASSWORD, re_password: FUND_PASSWORD, login_password: SECOND, code: await server.code(email) }),
      message: 'Fund password saved',
      data: { review: 0, hold_until_ms: null },
    },
    { call: 'POST user/has_password', by: 'newcomer', message: 1 },
    { call: 'POST user/e_pwd', by: 'newcomer', send: { old_password: SECOND, password: THIRD, re_password: THIRD }, message: 'Password changed' },
    {
      call: 'POST user/edit_email',
      by: 'newcomer',
      send: async (told) => {
        await server.call('sms_mail', { user_string: other, type: 'bind' }, newcomer(told).token);
        return { email: other, code: await server.code(other), password: THIRD };
      },
      message: 'Email changed',
    },
    { call: 'POST user/real_name', by: 'newcomer', send: papers, message: 'Submitted for review', data: { state: 'under_review' } },
    {
      call: 'POST user/real_name2',
      by: 'newcomer',
      send: async (told) => {
        await approve(server, 'identity', 'verifier', ['vera']);
        const [front_pic = '', reverse_pic = '', hand_pic = ''] = await upload(app, newcomer(told), 'kyc', 3);
        return { front_pic, reverse_pic, hand_pic };
      },
      message: 'Submitted for review',
      data: { state: 'under_review' },
    },
    { call: 'GET user/center', by: 'newcomer', message: { email: 'mo***@example.org', review_status: 2, review_status2: 1, fund_password: 1 } },
    { call: 'GET user/center2', by: 'newcomer', message: { email: 'mo***@example.org', review_status: 1 } },
    { call: 'GET charge_mention/verification_log', by: 'newcomer', message: paged({ type: 2, name: 'B*** E***', review_status: 1 }) },

    { call: 'GET currency/quotation_new', message: some({ name: 'USDT', quotation: some({ symbol: 'BTC/USDT', now_price: '100000.00' }) }) },
    { call: 'GET currency/new_timeshar', send: { symbol: 'BTC/USDT', period: '60min' }, message: some({ period: '60min', 'base-currency': 'BTC', 'quote-currency': 'USDT' }) },
    { call: 'GET currency/deal', send: PAIR, message: { symbol: 'BTC/USDT', now_price: '100000.00' } },
    { call: 'GET currency/user_currency_list', by: 'member', message: some({ name: 'USDT', wallet: expect.objectContaining({ currency: 3, trust_balance: '500.000000' }) }) },
    { call: 'POST news/list', send: { c_id: '19' }, message: { list: some({ c_id: 19, title: 'Where prices come from' }) } },
    { call: 'POST news/detail', send: (told) => ({ id: told('POST news/list', 'message.list.0.id') }), message: { c_id: 19, title: 'Where prices come from' } },

    { call: 'GET wallet/flashAgainstList', message: { left: some({ name: 'USDT', min_number: '10.000000' }), right: some({ name: 'BTC', price: '100000.00' }) } },
    { call: 'POST wallet/flashAgainst', by: 'member', send: { l_currency_id: '3', r_currency_id: '1', num: '100' }, message: 'Exchanged', data: { num: '100.000000', gross: '0.00099900', r_currency_name: 'BTC' } },
    { call: 'GET user/bossconfig', message: some({ id: 1, ...USDT, day: 7, call_ltv: '75', liquidation_ltv: '83' }) },
    {
      call: 'GET user/bossorder',
      by: 'member',
      send: { config_id: '1', amount: '600', collateral: '0.01', collateral_currency_id: '1', preview: '1' },
      message: { config_id: 1, amount: '600.000000', collateral: '0.01000000', ltv: '60', accepted: 1 },
    },
    { call: 'GET user/bosslist', by: 'member', send: { status: '2' }, message: paged({ amount: '600.000000', outstanding: '600.000000', status: 2 }) },
    { call: 'POST user/cash_save', by: 'member', send: { bank_name: 'Sparkasse', bank_account: '9876543210', real_name: 'Ada Example', bank_branch: 'Main' }, message: TEXT, data: { id: NUMBER, usable_at_ms: NUMBER } },
    { call: 'POST user/cash_info', by: 'member', message: { bank_name: 'Sparkasse', bank_account: '******3210', count: 2 } },
    { call: 'POST wallet/change', by: 'member', send: { currency_id: '3', number: '7', from_field: 'change', to_field: 'trust' }, message: 'Transferred', data: { to_balance: '507.000000' } },
    { call: 'GET wallet/hzhistory', by: 'member', message: paged({ value: '7.000000', from_field: 'change', to_field: 'trust' }) },
    { call: 'POST wallet/detail', by: 'member', send: { currency: '3', type: 'trust' }, message: { currency: 3, currency_name: 'USDT', balance: '507.000000', lock_balance: '500.000000' } },
    { call: 'POST wallet/list', by: 'member', send: { currency_name: 'USDT' }, message: { trust_wallet: { balance: some({ currency_name: 'USDT', trust_balance: '507.000000' }) } } },
    { call: 'POST wallet/legal_log', by: 'member', send: { currency: '3', type: '5' }, message: { list: some({ value: '7.000000' }) } },
    { call: 'POST wallet/get_in_address', by: 'member', send: { currency: '3' }, message: { TRC20: TEXT, ERC20: TEXT } },
    {
      call: 'POST wallet/charge_req',
      by: 'member',
      send: async () => {
        const [imgs = ''] = await upload(app, member, 'deposit', 1);
        return { currency: '3', amount: '40', netType: 'TRC20', imgs };
      },
      message: 'Deposit request received',
      data: { id: NUMBER },
    },
    { call: 'GET charge_mention/log2', by: 'member', message: paged({ name: 'USDT', amount: '40.000000', status: 1 }) },
    { call: 'POST wallet/get_info', by: 'member', send: { currency: '3', netType: 'TRC20' }, message: { currency: 3, name: 'USDT', fee: '1.000000', min_number: '10.000000' } },
    { call: 'POST wallet/get_address', by: 'member', send: { currency: '3' }, message: some({ nettype: 'TRC20', notes: 'Cold wallet' }) },
    {
      call: 'POST wallet/out',
      by: 'member',
      send: (told) => ({ currency: '3', number: '31', address_id: told('POST wallet/get_address', 'message.0.id'), pay_password: FUND_PASSWORD }),
      message: 'Withdrawal request received',
      data: { number: '31.000000', real_number: '30.000000' },
    },
    { call: 'GET charge_mention/log3', by: 'member', message: paged({ name: 'USDT', number: '31.000000', state: 'under_review' }) },
    {
      call: 'POST wallet/addaddress',
      by: 'member',
      send: async () => {
        await server.call('set/sms_other_mail', { type: 'operation' }, member.token);
        return { currency_id: '3', netType: 'TRC20', address: TRON, notes: 'Warm wallet', pay_password: FUND_PASSWORD, code: await server.code(member.email) };
      },
      message: TEXT,
      data: { id: NUMBER, usable_at_ms: NUMBER },
    },
    { call: 'POST wallet/deladdress', by: 'member', send: (told) => ({ address_id: told('POST wallet/addaddress', 'data.id') }), message: 'Address removed' },

    {
      call: 'POST coin/trade',
      by: 'member',
      send: { ...PAIR, type: '1', amount: '0.002', target_price: '80000' },
      message: 'Order placed',
      data: { order: { symbol: 'BTC/USDT', trade_amount: '0.00200000', frozen: '160.000000', status: 1 } },
    },
    { call: 'GET coin/list', by: 'member', send: { status: '1' }, message: some({ symbol: 'BTC/USDT', target_price: '80000.0' }) },
    { call: 'PUT coin/trade', by: 'member', send: (told) => ({ id: told('POST coin/trade', 'data.order.id') }), message: 'Order cancelled', data: { order: { target_price: '80000.0', status: 3, reason: 'USER' } } },

    { call: 'GET microtrade/seconds', send: { match_id: '1' }, message: some({ seconds: 60, profit_ratio: '70' }) },
    { call: 'GET microtrade/payable_currencies', message: some({ name: 'USDT', micro_trade_fee: '0.5' }) },
    {
      call: 'POST microtrade/submit',
      by: 'member',
      send: { match_id: '1', currency_id: '3', type: '2', seconds: '60', number: '11' },
      message: { symbol_name: 'BTC/USDT', type: 2, seconds: 60, number: '11.000000', status: 1 },
    },
    { call: 'GET microtrade/lists', by: 'member', send: { match_id: '1' }, message: paged({ symbol_name: 'BTC/USDT', number: '11.000000' }) },

    { call: 'POST lever/deal', send: PAIR, message: { symbol: 'BTC/USDT', last_price: '100000.00', buy_price: '100010.00' } },
    { call: 'POST lever/submit', by: 'member', send: { ...PAIR, share: '2', multiple: '10', type: '1' }, message: 'Position opened', data: { position: { symbol: 'BTC/USDT', share: 2, multiple: 10, type: 1, status: 1 } } },
    { call: 'POST lever/my_trade', by: 'member', message: { message: paged({ symbol: 'BTC/USDT', share: 2, status: 1 }) } },
    {
      call: 'POST lever/setstop',
      by: 'member',
      send: (told) => ({ ...position(told), target_profit_price: '110000', stop_loss_price: '95000' }),
      message: 'Saved',
      data: { position: { share: 2, target_profit_price: '110000.00', stop_loss_price: '95000.00' } },
    },
    { call: 'POST lever/close', by: 'member', send: position, message: 'Position closed', data: { position: { share: 2, status: 3, reason: 'USER' } } },

    { call: 'GET lh/deposit/config', message: some({ id: 2, ...USDT, day: 15, day_percent: '0.4' }) },
    { call: 'GET lh/deposit/product_info', send: { id: '2' }, message: { id: 2, ...USDT, day: 15, day_percent: '0.4' } },
    { call: 'POST lh/deposit', by: 'member', send: { config_id: '2', amount: '150', agree: '1' }, message: 'Purchased', data: { order: { config_id: 2, amount: '150.000000', total_interest: '9.000000', status: 1 } } },
    { call: 'GET lh/deposit/order', by: 'member', send: { status: '1' }, message: { order_list: some({ config_id: 2, amount: '150.000000' }) } },
    { call: 'GET lh/deposit/report', by: 'member', message: { total_order: 2, total_deposit: '650.000000' } },
    { call: 'POST lh/deposit/order/cancel', by: 'member', send: (told) => ({ id: told('POST lh/deposit', 'data.order.id') }), message: 'Redeemed', data: { order: { amount: '150.000000', status: 2, is_cancel: 1, returned: '140.100000' } } },

    { call: 'GET lh/send/config', message: some({ id: 1, new_currency_name: 'NOVA', change_rate: '0.5000' }) },
    { call: 'GET lh/send/product_info', send: { id: '1' }, message: { id: 1, new_currency_name: 'NOVA', change_rate: '0.5000' } },
    { call: 'GET lh/send/get_recommend', message: { id: 1, new_currency_name: 'NOVA' } },
    { call: 'POST lh/send/order', by: 'member', send: { config_id: '1', amount: '60' }, message: 'Submitted', data: { order: { config_id: 1, new_currency_name: 'NOVA', amount: '60.000000', exam_status: 3 } } },
    { call: 'GET lh/send/order_list', by: 'member', message: { order_list: some({ new_currency_name: 'NOVA', amount: '60.000000' }) } },

    { call: 'GET user/invite', by: 'member', message: { extension_code: CODE, invite_num: 1, role: 'user', return_rate1: '20', return_rate2: '5' } },
    { call: 'GET user/my_poster', by: 'member', message: { extension_code: CODE, pics: expect.arrayContaining(['/api/user/poster_image?index=0']) } },
    { call: 'GET user/my_share', by: 'member', message: { extension_code: CODE, share_title: 'Trade with me on Meridian' } },
    { call: 'POST user/invite_list', message: some({ rank: 1, total: '0.020000', invitees: 1 }), data: { from_seq: 1, to_seq: NUMBER } },
    { call: 'POST user/my_invite_list', by: 'member', message: paged({ email: 'fr***@example.org' }) },
    { call: 'POST user/my_account_return', by: 'member', message: paged({ currency_name: 'BTC', value: '0.00000020', level: 1 }) },
  ];
}
