import { expect, test } from 'vitest';
import { isAbout, TOPICS, topicsOf } from './model';

test('an article belongs to the topic of the page it links to, and a topic without articles is not offered', () => {
  const linked = [{ link: 'assets/deposit/index' }, { link: 'bankbind/index' }, { link: null }, { link: 'index/index' }];
  expect(topicsOf(linked).map(({ name }) => name)).toEqual(['deposit', 'withdraw']);
  expect(linked.map((article) => TOPICS.filter((topic) => isAbout(topic, article)).length)).toEqual([1, 1, 0, 0]);
});

test.each([
  ['trade/index', 'trade'],
  ['option/detail', 'trade'],
  ['lever/index', 'trade'],
  ['assets/flashpair', 'trade'],
  ['finance/index', 'plans'],
  ['publication/index', 'plans'],
  ['index/jied', 'plans'],
])('an article about %s belongs to the topic %s alone', (link, name) => {
  expect(TOPICS.filter((topic) => isAbout(topic, { link })).map((topic) => topic.name)).toEqual([name]);
});
