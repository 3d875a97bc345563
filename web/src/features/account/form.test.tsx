import { act, renderHook } from '@testing-library/react';
import type { FormEvent } from 'react';
import { expect, test, vi } from 'vitest';
import { Refusal } from '../../lib/refusal';
import { useForm } from './form';

const refreshUser = vi.hoisted(() => vi.fn(async () => {}));
vi.mock('../../data/session', () => ({ refreshUser }));

test('two-factor that was turned on elsewhere is heard of with the refusal', async () => {
  const send = () => Promise.reject(new Refusal('E_2FA_REQUIRED', ''));
  const { result } = renderHook(() => useForm<'otp'>([], () => 'otp', send));
  await act(async () => result.current.form.onSubmit({ preventDefault: () => {} } as FormEvent));
  expect(refreshUser).toHaveBeenCalledTimes(1);
  expect(result.current.errorAt('otp')).toBeTruthy();
});
