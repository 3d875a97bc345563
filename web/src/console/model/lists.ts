import type { Fields, Json } from '../api';
import { isMap, label, shown } from './values';

/** Lists within a case, from the fields of the wire. */

/** A message in a ticket or a chat. */
export interface Said {
  from: string;
  content: string;
  at: number;
}
export function thread(fields: Fields): Said[] {
  const all = Array.isArray(fields.messages) ? fields.messages : [];
  return all.filter(isMap).map(({ from, content, at_ms }) => ({ from: shown(from), content: typeof content === 'string' ? content : '', at: typeof at_ms === 'number' ? at_ms : 0 }));
}

/** Another submission of the same member. */
export interface Attempt {
  id: number;
  level: string;
  status: string;
  changed: number;
  approvedBy: number[];
  reason: string;
}
export function attempts(fields: Fields): Attempt[] {
  const all = Array.isArray(fields.past) ? fields.past : [];
  return all.filter(isMap).map(({ id, level, status, changed_at_ms, approved_by, reason }) => ({
    id: typeof id === 'number' ? id : 0,
    level: level === 1 ? 'basic' : 'advanced',
    status: shown(status),
    changed: typeof changed_at_ms === 'number' ? changed_at_ms : 0,
    approvedBy: Array.isArray(approved_by) ? approved_by.filter((by) => typeof by === 'number') : [],
    reason: typeof reason === 'string' ? reason : '',
  }));
}

/** Another loan of the same member. */
export interface PastLoan {
  id: number;
  lent: string;
  days: number;
  state: string;
  overdue: number;
  applied: number;
  due: number | undefined;
  ended: number | undefined;
}
export function pastLoans(fields: Fields): PastLoan[] {
  const all = Array.isArray(fields.past_loans) ? fields.past_loans : [];
  const number = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined);
  return all.filter(isMap).map((one) => ({
    id: number(one.id) ?? 0,
    lent: `${shown(one.amount)} ${shown(one.currency_name)}`,
    days: number(one.day) ?? 0,
    state: typeof one.end === 'string' ? `${shown(one.state)}, ${label(one.end).toLowerCase()}` : label(shown(one.state)).toLowerCase(),
    overdue: number(one.overdue_days) ?? 0,
    applied: number(one.applied_at_ms) ?? 0,
    due: number(one.due_at_ms),
    ended: number(one.ended_at_ms),
  }));
}
