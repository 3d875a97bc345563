import type { App, Member } from './app.ts';
import type { Server } from './server.ts';

export const FUND_PASSWORD = '482915';
/** A wallet's QR code for 0.5 bitcoin to the address of BIP 173, drawn as the app draws codes. */
export const BITCOIN_CODE = 'iVBORw0KGgoAAAANSUhEUgAAAKQAAACkAQAAAAAxzrjsAAABN0lEQVR42u2XwY3EMAwD2QH775Id6EDKm4uB+0n322Af8XxoU5ScRf3xCF+6RwGwUBSAXuxQVlEq6zKLLQrSOiyRXixS2hJZbZfGfJgv0ipSUsQuz2bUBXyeq8YzmgMESbwyOaOMgOgA5n2JAlL5B6Dd2qE+hDoklIDaoqKh27AS7iUKh4NWPMJL9MSvfIJumR0KsH13PVmfPYxpEZGy8aTIJepgyD0jq+Izlce0FMsZxd89jKloHFc8lU/65rTcKvbevr+yPqXeO/uCytzgEkV5dNKBVr2qOaWR6D50J570LdCKOUme23uNEuls5Q3iEu1Z4Urae2KL+kLyNeo2JJ8ZNabMRdJyfKbnAu3bv0MIiov0DCSncJvqTOfXKYY0X4HITNLl2YzmawVMKXHVeEa//y/+kf4AotXGfZM0veIAAAAASUVORK5CYII=';
/** A Tron withdrawal address with a valid checksum. */
export const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

/** An operator; different names count as different persons. */
export const operator = async (server: Server, role: string, name: string): Promise<string> => (await server.call<{ token: string }>('/sandbox/operator', { role, name })).token;

interface QueueRow {
  id: number;
  user_id: number;
  version: number;
  hash: string;
}

/** This many operators approve the newest case of a kind. */
export async function approve(server: Server, kind: string, role: string, names: readonly string[]): Promise<number> {
  let id = 0;
  for (const name of names) {
    const token = await operator(server, role, name);
    const { data } = await server.read<{ data: QueueRow[] }>('/operator/api/queue', { kind, status: 'open', limit: '100' }, token);
    const row = data.toSorted((a, b) => b.id - a.id)[0];
    if (!row) throw new Error(`nothing to decide in ${kind}`);
    id = row.id;
    await server.call('/operator/api/decide', { kind, id: String(row.id), decision: 'approve', version: String(row.version), hash: row.hash, reason: 'looks right' }, token);
  }
  return id;
}

export async function setFundPassword(server: Server, member: Member): Promise<void> {
  await server.call('set/sms_other_mail', { type: 'fund' }, member.token);
  const code = await server.code(member.email);
  await server.call('safe/update_password', { password: FUND_PASSWORD, re_password: FUND_PASSWORD, login_password: member.password, code }, member.token);
}

/** A member who can withdraw: money, a fund password, a verified identity. */
export async function ready(app: App, server: Server): Promise<Member> {
  const member = await app.member();
  await app.fund(member, 'USDT', '1000');
  await setFundPassword(server, member);
  const papers = { country: 'DE', name: 'Ada Example', card_id: `X${Date.now()}`, address: '1 High Street', residence_address: '1 High Street' };
  await server.call('user/real_name', papers, member.token);
  await approve(server, 'identity', 'verifier', ['vera']);
  return member;
}

export async function storeAddress(server: Server, member: Member): Promise<void> {
  await server.call('set/sms_other_mail', { type: 'operation' }, member.token);
  const code = await server.code(member.email);
  await server.call('wallet/addaddress', { currency_id: '3', netType: 'TRC20', address: TRON, notes: 'Cold wallet', pay_password: FUND_PASSWORD, code }, member.token);
}

/** Uploads pictures of a member, all different; returns their names. */
export async function upload(app: App, member: Member, purpose: string, count: number): Promise<string[]> {
  const names: string[] = [];
  for (let n = 0; n < count; n++) {
    const photo = await app.page.screenshot({ type: 'jpeg', clip: { x: 0, y: 0, width: 390, height: 600 + n } });
    const form = new FormData();
    form.set('purpose', purpose);
    form.set('file', new Blob([Uint8Array.from(photo)], { type: 'image/jpeg' }), `${n}.jpg`);
    names.push(await app.server.send<string>('upload', form, member.token));
    await new Promise((wake) => setTimeout(wake, 300));
  }
  return names;
}

/** A member who is fully verified and then forgot the fund password: an operator reviews the reset. */
export async function forgetFundPassword(app: App, member: Member): Promise<void> {
  const { server } = app;
  const [front_pic = '', reverse_pic = '', hand_pic = ''] = await upload(app, member, 'kyc', 3);
  await server.call('user/real_name2', { front_pic, reverse_pic, hand_pic }, member.token);
  await approve(server, 'identity', 'verifier', ['vera', 'vic']);
  await new Promise((wake) => setTimeout(wake, 1_500));
  await server.call('set/sms_other_mail', { type: 'fund' }, member.token);
  const code = await server.code(member.email);
  await server.call('safe/update_password', { password: '739164', re_password: '739164', login_password: member.password, code }, member.token);
}
