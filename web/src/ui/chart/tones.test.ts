import { expect, test } from 'vitest';
import { pitches } from './tones';

test('the lowest price is the lowest tone, the highest two octaves above it, and the middle one octave', () => {
  expect(pitches([100, 200, 150]).map(Math.round)).toEqual([220, 880, 440]);
});

test('a line that does not move is one tone', () => {
  expect(pitches([7, 7, 7]).map(Math.round)).toEqual([440, 440, 440]);
});

test('only the last sixty prices sound, and no price is no tone', () => {
  expect(pitches(Array.from({ length: 100 }, (_, n) => n))).toHaveLength(60);
  expect(Math.round(pitches(Array.from({ length: 100 }, (_, n) => n))[0] ?? 0)).toBe(220);
  expect(pitches([])).toEqual([]);
});
