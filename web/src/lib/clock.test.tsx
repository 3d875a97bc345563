import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useNow } from './clock';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const Row = ({ period = 1_000 }) => <p>{useNow(period)}</p>;
const shown = () => screen.getAllByText(/\d/).map(({ textContent }) => parseInt(textContent, 10));

test('rows that count by the same period share one timer, which ends with the last of them', () => {
  const start = Date.now();
  const { rerender } = render([1, 2, 3].map((id) => <Row key={id} />));
  expect(vi.getTimerCount()).toBe(1);
  act(() => vi.advanceTimersByTime(1_000));
  expect(shown()).toEqual([start + 1_000, start + 1_000, start + 1_000]);
  rerender([<Row key={2} />, <Row key={4} period={60_000} />]);
  expect(vi.getTimerCount()).toBe(2);
  act(() => vi.advanceTimersByTime(1_000));
  expect(shown()[0]).toBe(start + 2_000);
  rerender([]);
  expect(vi.getTimerCount()).toBe(0);
});
