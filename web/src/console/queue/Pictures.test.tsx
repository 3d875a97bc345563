import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { setServerTime } from '../../lib/time';
import type { QueueItem } from '../api';
import { stamp } from '../kit/States';
import { Pictures } from './Pictures';

const NOW = Date.UTC(2031, 4, 3, 12);
vi.mock('../session', () => ({ useMe: () => ({ name: 'vera' }), useSession: { getState: () => ({ token: '' }) } }));
vi.mock('../api', () => ({ pictureOf: () => new Promise(() => {}) }));

test('the mark over a picture has the time of the server, whatever the device says', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  setServerTime(NOW, 0);
  render(<Pictures item={{ files: [{ key: 'a', label: 'front' }], view_id: 1 } as unknown as QueueItem} />);
  expect(screen.getAllByText(`vera ${stamp(NOW)}`)).toHaveLength(6);
  vi.useRealTimers();
});
