import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { activate } from '../../lib/i18n';
import { Friends } from './Lists';

const FRIEND = { id: 1, account: '38****93', verified: 1, rebate: '0.201836', time_ms: 0 };
vi.mock('./api', () => ({ useInvitees: () => ({ data: { pages: [[FRIEND]] } }) }));
vi.mock('../../ui/Endless', () => ({ Endless: () => null }));

test('what a friend brought has the decimals of the total above it', async () => {
  await activate('en');
  expect(render(<Friends />).container.textContent).toContain('0.20\u00a0USDT');
});
