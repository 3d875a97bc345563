import { expect, test } from 'vitest';
import { Refusal, wayOn } from './refusal';

const path = (code: string) => wayOn(new Refusal(code, ''))?.path;

test('who is refused for what he is gets a way on', () => {
  expect([path('E_KYC_BASIC'), path('E_KYC_ADVANCED')]).toEqual(['verification/index', 'verification/index']);
  expect(path('E_COUNTRY')).toBe('help-center');
});

test('who typed something wrong stays where he is', () => {
  expect([path('E_AMOUNT'), wayOn(new Error('lost'))]).toEqual([undefined, undefined]);
});
