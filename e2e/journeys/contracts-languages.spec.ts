import { LANGUAGES } from '../support/catalogue.ts';
import { form, open, SYMBOL, tab, trader } from '../support/contracts.ts';
import { expect, test } from '../support/test.ts';

// Free workers take the tests one by one.
test.describe.configure({ mode: 'parallel' });

for (const code of LANGUAGES) {
  test(`contracts in ${code} are whole and fit a narrow screen`, async ({ app, server }) => {
    await app.pin(SYMBOL, '100000');
    await trader(app, server);
    await app.language(code);
    await app.open('lever/index');
    await open(app, 'long');
    await open(app, 'short', { stop: null, profit: null, lots: '3' });
    await app.sound(`positions in ${code}`);
    await form(app, 'long');
    await app.sound(`the form of a contract in ${code}`);
    await app.picture(`contracts-${code}`);
    await app.dismiss();
    await app.button('contracts.edit').click();
    await expect(app.sheet).toBeVisible();
    await app.sound(`triggers in ${code}`);
    await app.dismiss();
    await app.button('contracts.close').first().click();
    await expect(app.sheet).toBeVisible();
    await app.sound(`closing in ${code}`);
    await app.dismiss();
    await tab(app, 'history').click();
    await app.sound(`history in ${code}`);
  });
}
