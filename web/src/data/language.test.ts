// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import * as code from '../lib/code';
import { storage } from '../lib/storage';
import { chooseLanguage } from './language';

vi.mock('../lib/socket', () => ({ connect: () => {} }));
const { post } = vi.hoisted(() => ({ post: vi.fn(async (_path: string, { lang }: { lang: string }) => ({ message: lang })) }));
vi.mock('../lib/http', async (original) => ({ ...(await original<object>()), api: { post } }));

test('a language that loads after a later choice is neither stored nor told to the server', async () => {
  let arrive = () => {};
  vi.spyOn(code, 'fetchCode').mockImplementationOnce(async (load) => {
    await new Promise<void>((done) => (arrive = done));
    return load();
  });
  const first = chooseLanguage('deyu');
  await chooseLanguage('fayu');
  arrive();
  await first;
  await vi.waitFor(() => expect(post).toHaveBeenCalled());
  expect(storage.language.read()).toEqual({ code: 'fayu', tag: 'fr', mark: 'fayu' });
  expect(post.mock.calls.map(([, { lang }]) => lang)).toEqual(['fayu']);
});
