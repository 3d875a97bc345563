import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NewsDetail } from '../api';
import { NewsEditor } from './NewsEditor';

const { post } = vi.hoisted(() => ({ post: vi.fn() }));
vi.mock('../api', async (original) => ({ ...(await original<object>()), ops: { post } }));

const AT = Date.UTC(2030, 0, 2, 3, 4, 5, 678);
const article: NewsDetail = { id: 7, c_id: 4, title: 'Fees', content: '<p>a</p>', author: '', cover: null, create_time: '', create_time_ms: AT, lang: 'en', link: null, sorts: 0 };

/** Presses the button and returns what was sent. */
async function publish(language = 'English'): Promise<Record<string, unknown>> {
  const sent = post.mock.calls.length;
  fireEvent.click(screen.getByRole('button', { name: `Publish in ${language}` }));
  await waitFor(() => expect(post.mock.calls.length).toBe(sent + 1));
  return post.mock.calls.at(-1)?.[1];
}
const title = (value: string) => fireEvent.change(screen.getByLabelText('Title'), { target: { value } });
const date = (value: string) => fireEvent.change(screen.getByLabelText('Publish'), { target: { value } });

beforeEach(() => {
  let id = 20;
  post.mockReset().mockImplementation(async (_path: string, sent: object) => ({ message: { ...article, create_time_ms: AT, id: id++, ...sent } }));
});
afterEach(cleanup);

test('an article that is edited keeps its date to the millisecond, until another is typed', async () => {
  const { unmount } = render(<NewsEditor versions={[article]} lang="en" onClose={() => {}} />);
  expect(new Date((screen.getByLabelText('Publish') as HTMLInputElement).value).getTime()).toBe(AT - 5_678);
  expect(await publish()).toMatchObject({ id: 7, publish_ms: AT });
  unmount();
  render(<NewsEditor versions={[article]} lang="en" onClose={() => {}} />);
  date('2031-05-06T07:08');
  expect(await publish()).toMatchObject({ id: 7, publish_ms: new Date('2031-05-06T07:08').getTime() });
});

test('without a date an article is published now', async () => {
  render(<NewsEditor versions={[article]} lang="en" onClose={() => {}} />);
  date('');
  expect(await publish()).not.toHaveProperty('publish_ms');
});

test('every further press and every language is the same new article', async () => {
  render(<NewsEditor versions={[]} lang="en" onClose={() => {}} />);
  title('Fees');
  const first = await publish();
  expect([first.id, first.publish_ms]).toEqual([undefined, undefined]);
  await screen.findByRole('button', { name: 'English ✓' });
  title('New fees');
  expect(await publish()).toMatchObject({ id: 20, title: 'New fees', publish_ms: AT });
  fireEvent.click(screen.getByRole('button', { name: 'Deutsch' }));
  title('Gebühren');
  expect(await publish('Deutsch')).toMatchObject({ lang: 'deyu', title: 'Gebühren', publish_ms: AT });
  expect(post.mock.calls.every(([, sent], n) => n === 0 || sent.id >= 20)).toBe(true);
});

test('an article gets a language it lacks, and one that it has is not written anew from nothing', async () => {
  render(<NewsEditor versions={[article, { ...article, id: 8, lang: 'deyu', title: 'Gebühren', content: '<p>b</p>' }]} lang="en" onClose={() => {}} />);
  fireEvent.click(screen.getByRole('button', { name: 'Deutsch ✓' }));
  expect(await publish('Deutsch')).toMatchObject({ id: 8, lang: 'deyu', title: 'Gebühren', content: '<p>b</p>' });
  fireEvent.click(screen.getByRole('button', { name: 'Français' }));
  title('Frais');
  expect(await publish('Français')).toMatchObject({ id: 7, c_id: 4, lang: 'fayu', title: 'Frais', content: '', publish_ms: AT });
});
