import { describe, expect, test } from 'vitest';
import { wire } from '../../lib/money';
import { coinShare } from './spot';

const texts = (amounts: Record<string, unknown>) => Object.fromEntries(Object.entries(amounts).flatMap(([name, value]) => (typeof value === 'object' ? [[name, wire(value as ReturnType<typeof coinShare>['coins'])]] : [])));

describe('new coins', () => {
  test.each([
    ['100', '0.5', '150', '300', { coins: '100.00000000', cost: '50.000000', refund: '50.000000' }],
    ['10', '1', '1', '30', { coins: '0.33333333', cost: '0.333334', refund: '9.666666' }],
    ['100', '0.33333333', '1000', '300', { coins: '300.00000300', cost: '100.000000', refund: '0.000000' }],
  ])('%s USDT at %s for %s of %s wanted (N-3, N-4)', (paid, price, supply, wanted, share) => expect(texts(coinShare(paid, price, supply, wanted))).toEqual(share));
});
