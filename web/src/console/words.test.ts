import { expect, test } from 'vitest';
import { Refusal } from '../lib/errors';
import { told } from './words';

test('a first log-in that nobody released yet says who releases it', () => {
  expect(told(new Refusal('E_STATE', '', { state: 'not_released' }))).toBe('Your first log-in has to be released by the person who proposed you.');
  expect(told(new Refusal('E_STATE', '', { state: 'frozen' }))).toMatch(/^Its state does not allow this.* \(state: frozen\)$/);
});
