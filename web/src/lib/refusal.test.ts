// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { activate, has } from './i18n';
import { Refusal, refusalText, wayOn } from './refusal';

const path = (code: string) => wayOn(new Refusal(code, ''))?.path;

test('who is refused for what they are gets a way on', () => {
  expect([path('E_KYC_BASIC'), path('E_KYC_ADVANCED')]).toEqual(['verification/index', 'verification/index']);
  expect(path('E_COUNTRY')).toBe('help-center');
});

test('who typed something wrong stays where they are', () => {
  expect([path('E_AMOUNT'), wayOn(new Error('lost'))]).toEqual([undefined, undefined]);
});

test.each([
  ['en', 'until 20 Nov, '],
  ['th', '20 พ.ย.'],
] as const)('until when something is locked is told in %s as everywhere', async (language, text) => {
  await activate(language);
  await vi.waitFor(() => expect(has('errors.E_FUNDPW_LOCKED')).toBe(true));
  const told = refusalText(new Refusal('E_FUNDPW_LOCKED', '', { until_ms: Date.UTC(2026, 10, 20, 12) }));
  expect(told).toContain(text);
  expect(told).not.toContain('2569');
});
