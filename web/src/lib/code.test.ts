// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { fetchCode, loadScreen, preloadScreen, useScreen } from './code';

afterEach(() => void vi.useRealTimers());

test('code that came is not fetched again', async () => {
  const load = vi.fn(() => Promise.resolve({ default: () => null }));
  const screen = await loadScreen(load);
  expect(await loadScreen(load)).toBe(screen);
  expect(load).toHaveBeenCalledTimes(1);
});

test('after a failure that names no file the same loader is asked again', async () => {
  const load = vi.fn().mockRejectedValueOnce(new TypeError('Importing a module script failed.')).mockResolvedValue({ words: 1 });
  await expect(fetchCode(load)).rejects.toThrow('module script');
  expect(await fetchCode(load)).toEqual({ words: 1 });
});

test('code of another place is never asked for under a new address', async () => {
  const load = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module: https://elsewhere.example/x.js')).mockResolvedValue({ words: 2 });
  await expect(fetchCode(load)).rejects.toThrow('elsewhere');
  expect(await fetchCode(load)).toEqual({ words: 2 });
});

test('code that does not come in two minutes has failed', async () => {
  vi.useFakeTimers();
  const waiting = loadScreen(() => new Promise<never>(() => {}));
  await Promise.all([expect(waiting).rejects.toThrow('timeout'), vi.advanceTimersByTimeAsync(120_000)]);
});

test('code fetched ahead is there when it is needed', async () => {
  const load = vi.fn(() => Promise.resolve({ default: () => null }));
  preloadScreen(load);
  await new Promise((done) => setTimeout(done));
  await loadScreen(load);
  expect(load).toHaveBeenCalledTimes(1);
});

test('code that did not come ahead is asked for anew, without a new document', async () => {
  const load = vi.fn().mockRejectedValueOnce(new TypeError('gone')).mockRejectedValueOnce(new TypeError('gone')).mockResolvedValue({ default: () => null });
  preloadScreen(load);
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  // A reload would never resolve.
  await expect(loadScreen(load)).rejects.toThrow('gone');
});

test('a screen that failed comes when it is asked for again by itself', async () => {
  const load = vi.fn().mockRejectedValueOnce(new TypeError('gone')).mockRejectedValueOnce(new TypeError('gone')).mockResolvedValue({ default: () => null });
  const { result } = renderHook(() => useScreen(load));
  const again = async () => {
    const state = await vi.waitFor(() => {
      if (typeof result.current === 'string' || !('failed' in result.current)) throw new Error('not yet');
      return result.current;
    });
    act(() => state.retry(true));
  };
  await again();
  await again();
  await vi.waitFor(() => expect(result.current).toHaveProperty('Screen'));
});
