import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { activate, has, t } from '../../lib/i18n';
import { Refusal } from '../../lib/refusal';
import ChangePassword from './ChangePassword';

const me = vi.hoisted(() => ({ totp: 0 }));
vi.mock('../../data/session', async (actual) => ({
  ...(await actual<object>()),
  useUser: () => ({ data: { ...me } }),
  refreshUser: async () => {
    me.totp = 1;
  },
}));
vi.mock('../../data/config', () => ({ useProduct: () => false, useConfig: () => undefined }));
vi.mock('./api', () => ({ changePassword: () => Promise.reject(new Refusal('E_2FA_REQUIRED', '')) }));

afterEach(cleanup);

test('two-factor that was turned on elsewhere brings its field, with what is missing', async () => {
  await activate('en');
  await vi.waitFor(() => expect(has('errors.E_2FA_REQUIRED')).toBe(true));
  render(<ChangePassword />);
  const type = (label: 'profile.oldPassword' | 'auth.newPassword' | 'auth.repeat', value: string) => fireEvent.change(screen.getByLabelText(t(label)), { target: { value } });
  type('profile.oldPassword', 'the old password');
  type('auth.newPassword', 'a good password');
  type('auth.repeat', 'a good password');
  expect(screen.queryByLabelText(t('auth.otp'))).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: t('profile.changePassword') }));
  expect(await screen.findByLabelText(t('auth.otp'))).toBeTruthy();
  expect((await screen.findByRole('alert')).textContent).toContain(t('errors.E_2FA_REQUIRED'));
});
