import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The app never sends a write that moves money and that the person did not review. */

/** These take a `Confirmed` value, which only `confirm` of a review makes. */
const REVIEWED = [
  'post coin/trade', 'post coin/move',
  'post lever/submit', 'post lever/close', 'post lever/setstop',
  'post microtrade/submit',
  'post user/bossorder', 'post user/bossrepay', 'post user/bosscollateral',
  'post lh/send/order', 'post lh/deposit', 'post lh/deposit/order/cancel',
  'post wallet/out', 'post wallet/out_cancel',
];
/** These move money without a review, each for its own reason. */
const EXCEPTIONS = {
  'post wallet/change': 'Between own accounts, at once and free: the form is all of it, and its button says the amount.',
  'post wallet/flashAgainst': 'The number of a quote names everything that was shown, and the server accepts nothing else by it.',
  'put coin/trade': 'Gives back what the one order still holds.',
  'post coin/cancel_all': 'Gives back what the orders of the pair still hold.',
  'post lever/cancel': 'Gives back what the one order holds.',
  'post user/bosscancel': 'Gives back what the one application holds.',
  'post /sandbox/faucet': 'Paper money.',
};
const MOVES_NOTHING = [
  'post user/real_name', 'post user/real_name2', 'post sms_send', 'post sms_mail', 'post user/check_mobile', 'post user/check_email', 'post user/register', 'post user/login', 'post user/login/verify',
  'post user/forget', 'post user/stop_email_change', 'post user/e_pwd', 'post user/edit_profile', 'post set/sms_other_mail', 'post user/edit_email', 'post user/edit_mobile', 'post safe/update_password',
  'post user/totp/setup', 'post user/totp/enable', 'post user/totp/disable', 'post user/totp/recovery', 'post user/withdraw_code', 'post user/sessions/revoke', 'post user/freeze', 'post user/limits',
  'post user/logout', 'post user/outcome', 'post user/export', 'post set/lang', 'post user/cash_save', 'post user/cash_del', 'post wallet/addaddress', 'post wallet/deladdress', 'post wallet/charge_req',
  'post wallet/flash_quote', 'post chat/send', 'post feedback/add', 'post feedback/reply', 'post favor/add', 'post favor/del', 'post alert/add', 'post alert/del', 'post notice/read',
];

const files = ['app', 'data', 'features', 'lib', 'ui']
  .flatMap((folder) => readdirSync(`src/${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `src/${folder}/${name}`))
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(name, 'utf8') }));
/** Every write of the app, with the declaration that makes it. */
const writes = files.flatMap(({ name, text }) =>
  [...text.matchAll(/\bapi\s*\.(post|put)\(\s*([^,)]*)/g)].flatMap((found) => {
    const paths = [...(found[2] ?? '').matchAll(/'([^']+)'/g)].map((path) => path[1]);
    const declared = text.slice(text.lastIndexOf('\nexport ', found.index), found.index);
    return (paths.length > 0 ? paths : [`${found[2]} in ${name}`]).map((path) => ({ call: `${found[1]} ${path}`, declared }));
  }),
);

test('every write of the app is known to be reviewed, to need no review, or to move no money', () => {
  expect([...new Set(writes.map(({ call }) => call))].toSorted()).toEqual([...REVIEWED, ...Object.keys(EXCEPTIONS), ...MOVES_NOTHING].toSorted());
});
test('what moves money is sent as it was confirmed', () => {
  expect(writes.filter(({ call, declared }) => REVIEWED.includes(call) && !declared.includes('Confirmed<')).map(({ call }) => call)).toEqual([]);
});
test('a review alone confirms', () => {
  expect(files.filter(({ text }) => /\bas (unknown as )?Confirmed\b/.test(text)).map(({ name }) => name)).toEqual(['src/lib/review.ts']);
});
test('the screen of a write that is kept closes once its outcome is known elsewhere', () => {
  const alone = files.filter(({ text }) => /useCommit(<.*>)?\('\w+'\)/.test(text)).map(({ name }) => name);
  // These store a destination of money, and the same one is not stored twice.
  expect(alone.toSorted()).toEqual(['src/features/addresses/Create.tsx', 'src/features/cards/AddCard.tsx']);
});
