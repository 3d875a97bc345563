import { afterEach, expect, test, vi } from 'vitest';
import { shareText } from './copy';

vi.mock('../lib/i18n', async (original) => ({ ...(await original<object>()), t: (key: string) => key }));
afterEach(() => vi.unstubAllGlobals());

test('a text is shared where the device can, else copied', async () => {
  const writeText = vi.fn(async () => {});
  const share = vi.fn(async () => Promise.reject(new DOMException('', 'AbortError')));
  vi.stubGlobal('navigator', { clipboard: { writeText }, share });
  await shareText('receipt');
  expect(share).toHaveBeenCalledWith({ text: 'receipt' });
  expect(writeText).not.toHaveBeenCalled();
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  await shareText('receipt');
  expect(writeText).toHaveBeenCalledWith('receipt');
});
