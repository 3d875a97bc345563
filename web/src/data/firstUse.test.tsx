import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useFirstUse } from './firstUse';
import { queryClient } from './query';
import { useSession } from './session';

vi.mock('../lib/http', async (original) => ({ ...(await original<object>()), api: { get: () => new Promise(() => {}) } }));

const offer = (version: string) => queryClient.setQueryData(['config'], { products: [], risk_texts: [{ product: 'option', version, title: '', body: '' }] });
const person = (id: number) => useSession.setState({ user: { id } as never, token: 'x' });
const needed = () => {
  const { result } = renderHook(() => useFirstUse('option'), { wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider> });
  return result;
};

beforeEach(() => {
  localStorage.clear();
  person(1);
  offer('1');
});
afterEach(cleanup);

test('a risk text is asked for once by each member and each version', () => {
  const first = needed();
  expect(first.current.needed).toBe(true);
  act(() => first.current.accept());
  expect([first.current.needed, needed().current.needed]).toEqual([false, false]);
  act(() => person(2));
  expect(needed().current.needed).toBe(true);
  act(() => person(1));
  act(() => void offer('2'));
  expect(needed().current.needed).toBe(true);
});
