import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { SelfLimits } from '../../generated/api';
import { activate, withWords } from '../../lib/i18n';
import { LimitSheet } from './LimitSheet';

// jsdom has dialogs but cannot open them.
beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
afterEach(cleanup);

test.each([
  ['loss_day', '1.500,50'],
  ['leverage_max', '20'],
] as const)('the present %s stands in its field as the language writes numbers', async (field, text) => {
  await activate('deyu');
  await withWords(async () => ({}))();
  const limits = { loss_day: '1500.500000', leverage_max: 20, pending: [] } as unknown as SelfLimits;
  render(<LimitSheet field={field} title="Grenze" limits={limits} open onClose={() => {}} />);
  expect(screen.getByRole<HTMLInputElement>('textbox', { hidden: true }).placeholder).toBe(text);
});
