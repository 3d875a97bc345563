import { act, cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { toast, Toasts } from './Toast';

afterEach(cleanup);

test('a message is inside the topmost dialog, and goes on without it when that closes', async () => {
  const page = (dialogs: readonly string[]) => (
    <>
      {dialogs.map((id) => (
        <dialog key={id} id={id} />
      ))}
      <Toasts />
    </>
  );
  const { container, rerender } = render(page(['below', 'above']));
  const [below, above] = container.querySelectorAll('dialog');
  if (!below || !above) throw new Error('no dialogs');
  const holder = () => [above, below].find((dialog) => dialog.textContent === 'Copied') ?? document.body;
  const shown = (where: Element) => vi.waitFor(() => expect([document.body.textContent, holder()]).toEqual(['Copied', where]));
  act(() => toast('Copied'));
  await shown(document.body);
  below.open = true;
  await shown(below);
  above.open = true;
  await shown(above);
  above.open = false;
  await shown(below);
  rerender(page(['above']));
  await shown(document.body);
});
