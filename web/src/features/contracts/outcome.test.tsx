import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { activate, t, withProductWords } from '../../lib/i18n';
import { parseInput } from '../../lib/money';
import { estimate, type Draft } from './order';
import { Outcome } from './outcome';
import { market } from './testing';

beforeEach(async () => {
  await activate('en');
  await withProductWords(async () => ({}))();
});
afterEach(cleanup);

const typed = (text: string, scale = 2) => parseInput(text, 'en', scale);
function show(profit: string) {
  const draft: Draft = { side: 'long', kind: 'market', multiple: 10, lots: typed('10', 0), limit: typed(''), stop: 'none', profit: typed(profit) };
  const cost = estimate(draft, market());
  if (!cost) throw new Error('no estimate');
  const { container } = render(<Outcome draft={draft} cost={cost} market={market()} />);
  return container;
}

test('a take-profit that brings more than the fees is a gain', () => {
  show('105000');
  expect(screen.getByText(t('contracts.gainAt'))).toBeTruthy();
  expect(screen.getByText(/If it goes well you gain \+48\.77/)).toBeTruthy();
});

test('a take-profit that brings less than the fees is not called a gain, neither to the eye nor to the ear', () => {
  const shown = show('100100');
  expect(screen.queryByText(t('contracts.gainAt'))).toBeNull();
  expect(shown.textContent).not.toContain('gain');
  expect(screen.getByText(t('contracts.takeProfit'))).toBeTruthy();
  expect(screen.getAllByText(/\u22120\.21/)).not.toHaveLength(0);
  // Nothing on the side of the gain is drawn.
  expect([...shown.querySelectorAll('i')].map((bar) => bar.style.width)).toEqual(['100%', '0%']);
});
