import { act, renderHook } from '@testing-library/react';
import type { FormEvent } from 'react';
import { expect, test, vi } from 'vitest';
import { go, parse } from '../../lib/nav';
import { Refusal } from '../../lib/refusal';
import { useForm } from './form';

const refreshUser = vi.hoisted(() => vi.fn(async () => {}));
vi.mock('../../data/session', () => ({ refreshUser }));

const move = async (path: string) => {
  go(path);
  await vi.waitFor(() => expect(parse(location.hash).path).toBe(path));
};

test('two-factor that was turned on elsewhere is heard of with the refusal', async () => {
  const send = () => Promise.reject(new Refusal('E_2FA_REQUIRED', ''));
  const { result } = renderHook(() => useForm<'otp'>([], () => 'otp', send));
  await act(async () => result.current.form.onSubmit({ preventDefault: () => {} } as FormEvent));
  expect(refreshUser).toHaveBeenCalledTimes(1);
  expect(result.current.errorAt('otp')).toBeTruthy();
});

test.each([
  ['shown', undefined, 'index/index'],
  ['left', 'settings/index', 'settings/index'],
])('the answer to a form that is %s leads back only from the form itself', async (_state, next, path) => {
  await move('settings/account/edit');
  let answer = () => {};
  const { result } = renderHook(() => useForm([], () => null, (leave) => new Promise<void>((done) => (answer = done)).then(leave)));
  act(() => result.current.form.onSubmit({ preventDefault: () => {} } as FormEvent));
  if (next) await move(next);
  await act(async () => answer());
  await vi.waitFor(() => expect(result.current.button.loading).toBe(false));
  await new Promise((later) => setTimeout(later, 50));
  await vi.waitFor(() => expect(parse(location.hash).path).toBe(path));
});
