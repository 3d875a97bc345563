// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { amount } from './money';
import { useMoved } from './moved';

test.each([
  ['one part in a thousand', undefined, '100.09', '100.11'],
  ['one part in a hundred', amount('100'), '100.90', '101.10'],
])('a figure that moves by more than %s is looked at for a second', (_, parts, near, far) => {
  vi.useFakeTimers();
  const { result, rerender } = renderHook(({ figure }) => useMoved(amount(figure), parts), { initialProps: { figure: '100.00' } });
  rerender({ figure: near });
  expect(result.current).toEqual({ moved: false, just: false });
  rerender({ figure: far });
  expect(result.current).toEqual({ moved: true, just: true });
  act(() => vi.advanceTimersByTime(1_000));
  expect(result.current).toEqual({ moved: true, just: false });
  vi.useRealTimers();
});
