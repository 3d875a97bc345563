import { describe, expect, test } from 'vitest';
import { direction, pendingOf, valueOf } from './limits';

describe('a new value of an own limit', () => {
  test('is tighter when it is smaller, however it is written', () => {
    expect(direction('loss_day', '500.00', '499.99')).toBe('tighter');
    expect(direction('loss_day', '9', '10')).toBe('looser');
    expect(direction('leverage_max', '10', '10.0')).toBe('same');
  });
  test('is tighter when a pause ends later', () => {
    expect(direction('pause_until_ms', '2000', '3000')).toBe('tighter');
    expect(direction('pause_until_ms', '3000', '2000')).toBe('looser');
  });
  test('is the loosest when it is none', () => {
    expect(direction('option_stake_day', null, '1')).toBe('tighter');
    expect(direction('option_stake_day', '1', null)).toBe('looser');
    expect(direction('pause_until_ms', null, null)).toBe('same');
  });
});

test('numbers and amounts read alike, and a waiting value is found by its field', () => {
  const waiting = { field: 'loss_day', value: null, effective_ms: 5 };
  const limits = { option_stake_day: null, loss_day: '20.00', leverage_max: 5, pause_until_ms: null, used: { option_stake_day: '0', loss_day: '0' }, pending: [waiting] };
  expect([valueOf(limits, 'loss_day'), valueOf(limits, 'leverage_max'), valueOf(limits, 'pause_until_ms')]).toEqual(['20.00', '5', null]);
  expect(pendingOf(limits, 'loss_day')).toBe(waiting);
  expect(pendingOf(limits, 'leverage_max')).toBeUndefined();
});
