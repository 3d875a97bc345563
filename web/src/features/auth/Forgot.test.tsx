import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { activate, has, t } from '../../lib/i18n';
import { Refusal } from '../../lib/refusal';
import Forgot from './Forgot';

vi.mock('../../data/config', () => ({ useProduct: () => false, useConfig: () => undefined }));
vi.mock('../../data/countries', () => ({ useCountries: () => ({ data: [] }) }));
vi.mock('../../data/outbox', () => ({ useOutbox: () => ({}) }));
vi.mock('../../ui/CodeEntry', async (actual) => ({ ...(await actual<object>()), KeepCode: () => null, SandboxCode: () => null }));
vi.mock('./ContactStep', () => ({ ContactStep: ({ onSent }: { onSent: (sent: object) => void }) => <button onClick={() => onSent({ sent_to: 'a***@example.org', resend_ms: 0 })}>send</button> }));
vi.mock('./api', () => ({
  checkCode: async () => {},
  resetPassword: () => Promise.reject(new Refusal('E_CODE', '')),
}));

afterEach(cleanup);

test('a code that is refused with the new password is asked for anew, and says why', async () => {
  await activate('en');
  await vi.waitFor(() => expect(has('errors.E_CODE')).toBe(true));
  render(<Forgot />);
  fireEvent.click(screen.getByText('send'));
  fireEvent.change(document.querySelector('input') as HTMLInputElement, { target: { value: '123456' } });
  const type = async (label: 'auth.newPassword' | 'auth.repeat') => fireEvent.change(await screen.findByLabelText(t(label)), { target: { value: 'a good password' } });
  await type('auth.newPassword');
  await type('auth.repeat');
  fireEvent.click(screen.getByRole('button', { name: t('auth.setPassword') }));
  expect(await screen.findByText(t('errors.E_CODE'))).toBeTruthy();
  expect(document.querySelectorAll('input')).toHaveLength(1);
});
