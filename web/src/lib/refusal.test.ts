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

test.each([
  ['en', 119_001, 'Too many requests. Wait 2 minutes.'],
  ['en', 119_000, 'Too many requests. Wait 119 seconds.'],
  ['en', 540_000, 'Too many requests. Wait 9 minutes.'],
  ['en', 540_001, 'Too many requests. Wait 10 minutes.'],
  ['deyu', 540_000, 'Zu viele Anfragen. Warten Sie 9 Minuten.'],
  ['jp', 540_000, 'リクエストが多すぎます。9分お待ちください。'],
] as const)('a long wait is told in minutes in %s (%d ms)', async (language, retry_ms, text) => {
  await activate(language);
  await vi.waitFor(() => expect(has('errors.E_RATE_MINUTES')).toBe(true));
  await vi.waitFor(() => expect(refusalText(new Refusal('E_RATE', '', { retry_ms }))).toBe(text));
});

test.each([
  ['en', { rule: 'chars' }, 'Some characters can’t be used. Type the text again.'],
  ['deyu', { rule: 'chars' }, 'Einige Zeichen sind nicht erlaubt. Geben Sie den Text neu ein.'],
  ['en', { rule: 'length' }, 'Check the marked fields.'],
] as const)('a text with characters that are not allowed says so in %s, whatever field it is in (%j)', async (language, data, text) => {
  await activate(language);
  await vi.waitFor(() => expect(has('errors.E_FIELD')).toBe(true));
  await vi.waitFor(() => expect(refusalText(new Refusal('E_FIELD', '', { field: 'nickname', ...data }))).toBe(text));
});
