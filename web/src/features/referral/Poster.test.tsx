import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { activate, withMoneyWords } from '../../lib/i18n';
import { PosterSheet } from './Poster';

const device = vi.hoisted(() => ({ saved: [] as string[], full: false, picture: true }));
vi.mock('../../ui/saveFile', () => ({
  saveFile: (_: Blob, name: string) => {
    if (device.full) throw new Error('no room');
    device.saved.push(name);
  },
}));
vi.mock('../../data/files', () => ({ usePrivatePicture: () => (device.picture ? { picture: new Blob(['x']), url: 'blob:poster', isError: false } : { isError: true }) }));

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <PosterSheet open onClose={() => {}} code="ABC123" />
    </QueryClientProvider>,
  );
/** A dialog is not modal in jsdom. */
const save = () => fireEvent.click(screen.getByRole('button', { name: /^Save picture|did not load/, hidden: true }));

beforeEach(async () => {
  HTMLDialogElement.prototype.showModal ??= () => {};
  HTMLDialogElement.prototype.close ??= () => {};
  Object.assign(device, { saved: [], full: false, picture: true });
  await activate('en');
  await withMoneyWords(async () => ({}))();
});
afterEach(cleanup);

test('a poster that cannot be saved can still be pressed and held, and the words go once it is saved', () => {
  show();
  device.full = true;
  save();
  expect(screen.getByRole('alert', { hidden: true }).textContent).toBe('Could not save. Press and hold the image.');
  expect(screen.getByRole('img', { name: /ABC123/, hidden: true })).toBeTruthy();
  device.full = false;
  save();
  expect(device.saved).toEqual(['meridian-ABC123.png']);
  expect(screen.queryByRole('alert', { hidden: true })).toBeNull();
});

test('a poster that did not load is not to be pressed', () => {
  device.picture = false;
  show();
  save();
  expect(device.saved).toEqual([]);
  expect(screen.queryByText(/Press and hold/)).toBeNull();
});
