import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { activate } from '../lib/i18n';
import { amount } from '../lib/money';
import { OutcomeLine } from './OutcomeLine';

beforeEach(() => activate('en'));
afterEach(cleanup);

const spoken = (gain: { text: string; amount?: ReturnType<typeof amount> }) =>
  render(<OutcomeLine lose={{ label: 'lose', text: '100.00 USDT', amount: amount('100') }} gain={{ label: 'gain', ...gain }} />).container.querySelector('.vh')?.textContent;

test('a gain with a limit is told with it', () => expect(spoken({ text: '6.00 USDT', amount: amount('6') })).toBe('Most you can lose 100.00 USDT. If it goes well you gain 6.00 USDT.'));

test('one without is told with its label', () => expect(spoken({ text: 'no fixed limit' })).toBe('lose: 100.00 USDT. gain: no fixed limit.'));
