import type { Locator } from '@playwright/test';
import type { App } from '../support/app.ts';
import { LANGUAGES } from '../support/catalogue.ts';
import { form as contractForm, lotsField, SYMBOL, trader, type Side } from '../support/contracts.ts';
import { form as optionForm, read } from '../support/options.ts';
import { expect, test } from '../support/test.ts';

/** Wrong input in the sheets of contracts and options is explained in the page's language, and nothing is sent. */

// Free workers take the languages one by one.
test.describe.configure({ mode: 'parallel' });

/** Not a number, negative, with an exponent. */
const NONSENSE = ['x', '-1', '1e3'];
/** A fraction with either decimal mark. */
const FRACTIONS = ['1.5', '1,5'];

/** With each of these texts the main button shows this. */
async function says(app: App, field: Locator, texts: readonly string[], sentence: string): Promise<void> {
  for (const text of texts) {
    await field.fill(text);
    await expect(app.sheet.getByRole('button', { name: sentence.replace(/[.。]$/, ''), exact: true }), `${JSON.stringify(text)} of ${await field.getAttribute('id')}`).toBeVisible();
  }
}

const usdt = (app: App, amount: string) => `${app.number(amount, 2)}\u00a0USDT`;
const range = (app: App, low: string, high: string) => ({ low: app.number(low, 2), high: app.number(high, 2) });

/** The form of an order for five lots at ten times the margin, without triggers. */
async function openForm(app: App, side: Side) {
  await contractForm(app, side, { lots: '5', stop: null, profit: null });
  const labelled = (key: string) => app.sheet.getByLabel(app.t(key), { exact: true });
  const without = (key: string) => app.sheet.getByRole('button', { name: `${app.t(key)}: ${app.t('contracts.none')}` }).click();
  return { stop: labelled('contracts.stopLoss'), profit: labelled('contracts.takeProfit'), without };
}

for (const code of LANGUAGES) {
  test(`what is typed wrong into the sheets of contracts and options is said in ${code}`, async ({ app, server }) => {
    await app.pin(SYMBOL, '100000');
    const member = await trader(app, server);
    await app.fund(member, 'USDT', '500', 'micro');
    const sent: string[] = [];
    app.page.on('request', (request) => void (/(lever|microtrade)\/(submit|setstop)/.test(request.url()) && sent.push(request.url())));
    await app.language(code);
    const [tick, between] = [app.t('errors.E_TICK', { tick: app.number('0.01', 2) }), app.number('99000.001', 3)];

    await app.open('lever/index');
    const long = await openForm(app, 'long');
    await says(app, lotsField(app), ['0', ...NONSENSE, ...FRACTIONS], app.t('errors.E_LOTS'));
    await says(app, lotsField(app), [''], app.t('contracts.reason.lotsEmpty'));
    await says(app, lotsField(app), ['100001', '999999999999999999'], app.t('errors.E_LOTS_MAX', { max: app.number('100000', 0) }));
    await says(app, lotsField(app), ['10000'], app.t('errors.E_TIER', { max: usdt(app, '1000000') }));
    await lotsField(app).fill('5');
    await says(app, long.stop, ['0', ...NONSENSE], app.t('contracts.reason.price'));
    await says(app, long.stop, [''], app.t('contracts.reason.stopEmpty'));
    await says(app, long.stop, [between], tick);
    await says(app, long.stop, ['100000', '90734'], app.t('errors.E_SL', range(app, '90734.88', '99999.99')));
    await app.sound(`a stop on the wrong side in ${code}`);
    await long.without('contracts.stopLoss');
    await says(app, long.profit, ['0', ...NONSENSE], app.t('contracts.reason.price'));
    await says(app, long.profit, [''], app.t('contracts.reason.profitEmpty'));
    await says(app, long.profit, ['100000', '200021'], app.t('errors.E_TP', range(app, '100000.01', '200020')));
    await long.without('contracts.takeProfit');
    await app.sheet.getByRole('button', { name: app.t('trade.kind.limit'), exact: true }).click();
    const limit = app.sheet.getByLabel(app.t('trade.kind.limit'), { exact: true });
    await says(app, limit, ['0', ...NONSENSE], app.t('contracts.reason.price'));
    await says(app, limit, [''], app.t('contracts.reason.limitEmpty'));
    await says(app, limit, [between], tick);
    await app.sheet.getByRole('button', { name: app.t('trade.kind.market'), exact: true }).click();
    await app.dismiss();
    const short = await openForm(app, 'short');
    await says(app, short.stop, ['100000', '110000'], app.t('errors.E_SL', range(app, '100000.01', '109116.07')));
    await short.without('contracts.stopLoss');
    await says(app, short.profit, ['100000', '100001'], app.t('errors.E_TP', range(app, '0.01', '99999.99')));
    await app.dismiss();

    await server.call('lever/submit', { share: '5', multiple: '10', legal_id: '3', currency_id: '1', type: '1' }, member.token);
    await app.button('contracts.addStop').click();
    const [stop, profit] = [app.sheet.locator('#trigger-stop'), app.sheet.locator('#trigger-profit')];
    await says(app, stop, NONSENSE, app.t('contracts.reason.price'));
    await says(app, stop, [between], tick);
    await says(app, stop, ['100500'], app.t('contracts.stopBelow', { price: app.number('100000', 2) }));
    await says(app, stop, ['90000'], app.t('errors.E_SL', range(app, '90734.88', '99999.99')));
    await stop.fill('');
    await says(app, profit, ['99000'], app.t('contracts.profitAbove', { price: app.number('100000', 2) }));
    await says(app, profit, ['200021'], app.t('errors.E_TP', range(app, '100000.01', '200020')));
    await app.dismiss();

    await read(app, server, member);
    await optionForm(app, 'options.up', '10');
    const stake = app.field('options.stake');
    await says(app, stake, ['', '0'], app.t('trade.reason.empty'));
    await says(app, stake, NONSENSE, app.t('trade.reason.format'));
    await says(app, stake, [app.number('5.0000001', 7)], app.t('trade.reason.decimals', { unit: 'USDT', most: 6 }));
    await says(app, stake, ['4'], app.t('options.min', { amount: usdt(app, '5') }));
    await says(app, stake, ['1001'], app.t('options.max', { amount: usdt(app, '1000') }));
    await says(app, stake, ['600'], app.t('trade.reason.insufficient', { quote: 'USDT', more: app.number('103', 2) }));
    await app.sound(`a stake above what there is in ${code}`);
    expect(sent, 'what was typed wrong').toEqual([]);
  });
}
