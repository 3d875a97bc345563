import { nextDay } from '../support/clock.ts';
import { check, lots, positions, send, SYMBOL, trader } from '../support/contracts.ts';
import { beyond, moveCapital } from '../support/capital.ts';
import { expect } from '../support/test.ts';
import { test } from '../support/wealth.ts';

/** What the pool has at the start of the day: a fifth of it is 1,000 USDT. */
const LEFT = '5000.000000';

interface Pool {
  account: string;
  currency_id: number;
  free: string;
}

test('contracts: after a day’s loss of the pool the sheet says in its own language when it opens again, and closing goes on', async ({ app }) => {
  const { server } = app;
  const pools = await server.read<Pool[]>('public/pools');
  const taken = beyond(pools.find(({ account, currency_id }) => account === 'contract_pool' && currency_id === 3)?.free ?? '', LEFT);
  await moveCapital(server, 'contract_pool', 'external', taken);
  await nextDay(server);
  await app.pin(SYMBOL, '100000');
  const member = await trader(app, server);
  for (let n = 0; n < 2; n++) await server.call('lever/submit', { share: '10', multiple: '10', legal_id: '3', currency_id: '1', type: '1' }, member.token);
  await app.pin(SYMBOL, '150011');
  await app.language('deyu');
  await app.open('lever/index');
  await check(app, 'long', { lots: '1', stop: null, profit: null });
  await send(app, 'long', '1').click();
  await expect(app.sheet.getByRole('alert')).toHaveText(app.t('errors.E_POOL_LOSS_LIMIT'));
  await app.sound('an opening that the pool’s loss forbids');
  await app.picture('contracts-pool-loss');
  expect(await positions(server, member)).toHaveLength(2);
  await app.dismiss();
  await app.button('contracts.close').first().click();
  await app.button('contracts.closeLots', { lots: lots(app, '10') }).click();
  await expect(app.sheet.getByRole('heading', { name: app.t('contracts.closedTitle') })).toBeVisible();
  // On the next day it opens.
  await app.dismiss();
  await nextDay(server);
  await app.pin(SYMBOL, '150011');
  await check(app, 'long', { lots: '1', stop: null, profit: null });
  await send(app, 'long', '1').click();
  await expect(app.sheet.getByRole('heading', { name: app.t('contracts.receipt') })).toBeVisible();
});
