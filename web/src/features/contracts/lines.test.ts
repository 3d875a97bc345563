// @vitest-environment jsdom
import { beforeAll, expect, test } from 'vitest';
import { activate, withProductWords } from '../../lib/i18n';
import { linesOf } from './lines';
import { LONG, SHORT } from './testing';

beforeAll(async () => {
  await activate('en');
  await withProductWords(async () => ({}))();
});

test('the chart marks entry, liquidation, stop and take-profit of each position of the pair', () => {
  const long = { ...LONG, stop_loss_price: '97000.00', target_profit_price: '103000.00' };
  const short = { ...SHORT, stop_loss_price: '102000.00', target_profit_price: '95000.00' };
  expect(linesOf([long, short], 'BTC/USDT')).toEqual([
    { id: 'p601.entry', kind: 'entry', price: '100010.00', label: 'Long', direction: 'up' },
    { id: 'p601.liquidation', kind: 'liquidation', price: '90734.87', label: 'Liq.' },
    { id: 'p601.stopLoss', kind: 'stopLoss', price: '97000.00', label: 'SL' },
    { id: 'p601.takeProfit', kind: 'takeProfit', price: '103000.00', label: 'TP' },
    { id: 'p602.entry', kind: 'entry', price: '99990.00', label: 'Short', direction: 'down' },
    { id: 'p602.liquidation', kind: 'liquidation', price: '109116.08', label: 'Liq.' },
    { id: 'p602.stopLoss', kind: 'stopLoss', price: '102000.00', label: 'SL' },
    { id: 'p602.takeProfit', kind: 'takeProfit', price: '95000.00', label: 'TP' },
  ]);
});
test('what a position does not have has no line', () => {
  const kinds = (change: Partial<typeof LONG>) => linesOf([{ ...LONG, ...change }], 'BTC/USDT').map(({ kind }) => kind);
  expect(kinds({})).toEqual(['entry', 'liquidation']);
  expect(kinds({ liquidation_price: '0.00' })).toEqual(['entry']);
  expect(kinds({ stop_loss_price: '97000.00' })).toEqual(['entry', 'liquidation', 'stopLoss']);
  expect(kinds({ target_profit_price: '103000.00' })).toEqual(['entry', 'liquidation', 'takeProfit']);
});
test('positions of another pair, orders that wait and what is closed are not marked', () => {
  expect(linesOf([LONG], 'ETH/USDT')).toEqual([]);
  expect([0, 3, 4].flatMap((status) => linesOf([{ ...LONG, status } as typeof LONG], 'BTC/USDT'))).toEqual([]);
});
