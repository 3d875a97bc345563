import { withJournalWords } from '../../lib/i18n';
import { later } from '../Later';

/** What is said below a chart: whose prices they are, and where some are of others or missing. It comes behind the chart, with its words. */
export const ChartNotes = later(withJournalWords(() => import('./NoteLines')), 0);
