import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { CoinDisc } from './Figures';

afterEach(cleanup);

test.each([
  ['BTC', true, ''],
  ['ETH', true, ''],
  ['USDT', true, ''],
  ['USDC', false, '$'],
  ['SOL', false, 'S'],
])('the disc of %s needs no foreign letter', (code, drawn, text) => {
  const { container } = render(<CoinDisc code={code} />);
  expect([container.querySelector('path') !== null, container.textContent]).toEqual([drawn, text]);
});
