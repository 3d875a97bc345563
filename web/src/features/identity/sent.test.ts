// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { current, replace, startNav } from '../../lib/nav';
import { thenReview } from './sent';

const read = vi.hoisted(() => ({ done: () => {} }));
vi.mock('../../data/funding', () => ({ refreshFunding: () => new Promise<void>((done) => (read.done = done)) }));
startNav(() => true);

const go = async (path: string) => {
  replace(path);
  await vi.waitFor(() => expect(current().path).toBe(path));
};

test.each([
  ['stays', 'verification/index', async () => {}],
  ['leaves while the review is read', 'assets/index', () => go('assets/index')],
])('a member who %s comes to %s', async (_, last, meanwhile) => {
  await go('verification/basic');
  const sent = thenReview()();
  await meanwhile();
  read.done();
  await sent;
  await vi.waitFor(() => expect(current().path).toBe(last));
});
