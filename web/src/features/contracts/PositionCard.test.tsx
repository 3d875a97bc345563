import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { activate, withProductWords } from '../../lib/i18n';
import { amount } from '../../lib/money';
import { PositionCard } from './PositionCard';
import { LONG, market } from './testing';

vi.mock('../../data/tickers', () => ({ usePriceAge: () => ({ age: 0, stale: false }) }));
afterEach(cleanup);

test.each([
  ['far from its liquidation', '100000.00', '1,000.00'],
  ['close to it', '91000.00', '910.00'],
])('a position without triggers says what it is worth %s', async (_, mark, value) => {
  await activate('en');
  await withProductWords(async () => ({}))();
  render(<PositionCard position={LONG} mark={amount(mark)} market={market(mark)} onOpen={() => {}} onEdit={() => {}} onClose={() => {}} />);
  expect(screen.getByText('Value').nextElementSibling?.textContent).toBe(value);
});

test.each([
  // (100,000.00 - 90,734.87) / 100,000.00
  ['more than 5 % away: how far it is, and no more', '100000.00', '9.26% from liquidation', /Set a stop-loss or close it/],
  // (95,600.00 - 90,734.87) / 95,600.00
  ['just above 5 %', '95600.00', '5.08% from liquidation', /Set a stop-loss or close it/],
  ['below 5 %: the price as well, and what to do', '95000.00', '4.48% from liquidation at 90,734.87. Set a stop-loss or close it.', /^4\.48% from liquidation$/],
])('the distance to liquidation is told %s', async (_, mark, told, untold) => {
  await activate('en');
  await withProductWords(async () => ({}))();
  render(<PositionCard position={LONG} mark={amount(mark)} market={market(mark)} onOpen={() => {}} onEdit={() => {}} onClose={() => {}} />);
  expect(screen.getByText(told)).toBeTruthy();
  expect(screen.queryByText(untold)).toBeNull();
});

test.each([
  ['far from it has its word', '97000.00', 1],
  ['beside it has none, because both would be unreadable', '91500.00', 0],
])('on the ruler a stop-loss that lies %s', async (_, stop, words) => {
  await activate('en');
  await withProductWords(async () => ({}))();
  const position = { ...LONG, stop_loss_price: stop, target_profit_price: '104000.00' };
  render(<PositionCard position={position} mark={amount('100000.00')} market={market('100000.00')} onOpen={() => {}} onEdit={() => {}} onClose={() => {}} />);
  expect(screen.queryAllByText('SL')).toHaveLength(words);
  expect(screen.getByText('TP')).toBeTruthy();
});
