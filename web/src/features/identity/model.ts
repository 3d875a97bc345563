import type { BasicPaper, UserCenter, VerificationRow } from '../../generated/api';
import type { Key, Values } from '../../lib/i18n';
type Tone = 'info' | 'caution' | 'danger' | 'done';

export type Review = 0 | 1 | 2 | 3;

/** Texts and styles of the review states. */
export const REVIEWS: Record<Review, { text: Key; tone: Tone }> = {
  0: { text: 'identity.none', tone: 'info' },
  1: { text: 'funding.inReview', tone: 'info' },
  2: { text: 'identity.verified', tone: 'done' },
  3: { text: 'funding.rejected', tone: 'danger' },
};

/** Whether a level can be submitted now: the advanced one waits for the basic one. */
export const canSend = (level: 1 | 2, user: Pick<UserCenter, 'review_status' | 'review_status2'>): boolean =>
  level === 1 ? user.review_status === 0 || user.review_status === 3 : user.review_status === 2 && (user.review_status2 === 0 || user.review_status2 === 3);

export interface Details {
  country: string;
  name: string;
  card_id: string;
  address: string;
  residence_address: string;
  /** Whether the residence is the contact address. */
  same: boolean;
}
export const NO_DETAILS: Details = { country: '', name: '', card_id: '', address: '', residence_address: '', same: true };
export type Field = Exclude<keyof Details, 'same'>;
export interface Reason {
  field: Field;
  text: Key;
  values?: Values;
}
const LONGEST: Record<Field, number> = { country: 2, name: 100, card_id: 100, address: 300, residence_address: 300 };

/** The request: trimmed, with the residence filled in. */
export function sent({ same, ...details }: Details): Record<Field, string> {
  const residence = same ? details.address : details.residence_address;
  return { country: details.country, name: details.name.trim(), card_id: details.card_id.trim(), address: details.address.trim(), residence_address: residence.trim() };
}

/** The previous submission, to be corrected. */
export const detailsOf = (typed: BasicPaper): Details => ({ ...typed, same: typed.address === typed.residence_address });

/** Whether nothing is typed yet. */
export const isBlank = (details: Details): boolean => (Object.keys(LONGEST) as Field[]).every((field) => details[field] === '');

/** Why details cannot be sent yet. */
export function reasonsOf(details: Details): Reason[] {
  const values = sent(details);
  return (Object.keys(LONGEST) as Field[])
    .filter((field) => field !== 'residence_address' || !details.same)
    .flatMap((field): Reason[] => {
      if (values[field] === '') return [{ field, text: field === 'country' ? 'identity.needCountry' : 'funding.needed' }];
      return [...values[field]].length > LONGEST[field] ? [{ field, text: 'funding.tooLong', values: { max: LONGEST[field] } }] : [];
    });
}

/** The field that a refusal names. */
export const fieldOf = (named: unknown): Field | undefined => (Object.keys(LONGEST) as Field[]).find((field) => field === named);

export const SIDES = ['front', 'back', 'hand'] as const;
export type Side = (typeof SIDES)[number];

const NAMES: Record<Side, string> = { front: 'front_pic', back: 'reverse_pic', hand: 'hand_pic' };

/** The photo that a refusal names. */
export const sideOf = (named: unknown): Side | undefined => SIDES.find((side) => NAMES[side] === named);

/** Attempts, newest first. */
export const newestFirst = (rows: readonly VerificationRow[]) => rows.toSorted((a, b) => b.create_time_ms - a.create_time_ms || b.id - a.id);
