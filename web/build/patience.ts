import { vi } from 'vitest';

/** How long a test waits for what must come: long enough for a machine that compiles beside it, and only a failure waits so long. */
const PATIENCE_MS = 30_000;

const { waitFor } = vi;
vi.waitFor = (check, options = PATIENCE_MS) => waitFor(check, options);

if ('document' in globalThis) {
  // The document of these tests lays nothing out, so no size ever changes.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: PATIENCE_MS });
}
