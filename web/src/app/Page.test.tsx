import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { activate } from '../lib/i18n';
import { Page } from './Page';

const broken = vi.hoisted(() => ({ now: true }));
vi.mock('./routes', () => {
  const Broken = () => {
    if (broken.now) throw new Error('broken on purpose');
    return <h1>Whole</h1>;
  };
  return { ROUTES: { broken: { load: async () => ({ default: Broken }) } }, isRoute: () => true };
});

afterEach(cleanup);

test('a page that breaks has a heading, says so, and can be tried again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await activate('en');
  render(<Page path="broken" />);
  expect(await screen.findByText('This page stopped working')).toBeTruthy();
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  broken.now = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Whole');
});
