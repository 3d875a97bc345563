import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Guarded } from '../../ui/Guarded';
import { Broken, Pager } from './States';

afterEach(cleanup);

test('a screen that breaks says so beside the others, and can be tried again', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const faulty = { now: true };
  const Area = () => {
    if (faulty.now) throw new Error('broken on purpose');
    return <h1>Whole</h1>;
  };
  render(
    <>
      <nav>Rail</nav>
      <Guarded Broken={Broken}>
        <Area />
      </Guarded>
    </>,
  );
  expect(screen.getByRole('alert').textContent).toContain('This page stopped working');
  expect(screen.getByRole('navigation')).toBeTruthy();
  faulty.now = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Whole');
});

test('a page that no longer exists leads back', () => {
  const onPage = vi.fn();
  render(<Pager page={2} last={1} onPage={onPage} />);
  fireEvent.click(screen.getByRole('button', { name: /Previous/ }));
  expect(onPage).toHaveBeenCalledExactlyOnceWith(1);
  cleanup();
  render(<Pager page={1} last={1} onPage={onPage} />);
  expect(screen.queryByRole('navigation')).toBeNull();
});
