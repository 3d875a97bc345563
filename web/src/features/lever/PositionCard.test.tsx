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
