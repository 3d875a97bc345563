import { withJournalWords } from '../../lib/i18n';
import { later } from '../Later';

/**
 * Notes below a chart: the source of its prices, and where prices come from others or are missing. Loads after the chart, with its texts.
 */
export const ChartNotes = later(withJournalWords(() => import('./NoteLines')), 0);
