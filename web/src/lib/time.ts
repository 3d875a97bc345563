/** Shows instants (UTC milliseconds) in the device's zone, or in UTC-4 if the device has none. */

/** A day in milliseconds. */
export const DAY = 86_400_000;

/** Unknown until the first answer of the server. */
let offset: number | undefined;
/** Round trip of the answer that gave the offset, ms; undefined before the first. */
let trip: number | undefined;

/** The time in an answer that took this long for the round trip. A slower answer that agrees with a faster one adds nothing. */
export function setServerTime(ms: number, took: number): void {
  const next = ms + took / 2 - Date.now();
  if (trip !== undefined && took > trip && Math.abs(next - (offset ?? 0)) <= took / 2) return;
  offset = next;
  trip = took;
}

/** The time of an event, a lower bound of the present. How long the event took is unknown, so it moves the clock only forward. */
export function heardServerTime(ms: number): void {
  offset = Math.max(offset ?? -Infinity, ms - Date.now());
}
/** The server's time at a moment of this device's clock. */
export const serverTime = (device: number) => device + (offset ?? 0);
export const serverNow = () => serverTime(Date.now());

export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'America/La_Paz';

const TAGS: Record<string, string> = { en: 'en-GB', th: 'th-u-ca-gregory' };
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formats in the device's zone unless the options name another, with Gregorian years and British English. */
export function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const zoned = { timeZone: deviceZone(), hourCycle: 'h23' as const, ...options };
  // Numbers follow the reader's region, dates the language.
  const [language = locale] = locale.split('-');
  const tag = TAGS[language] ?? (language === 'zh' ? locale : language);
  const key = tag + JSON.stringify(zoned);
  let found = formatters.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(tag, zoned);
    formatters.set(key, found);
  }
  return found;
}

/** 21:10 or 21:09:56. */
export const clock = (ms: number, locale: string, seconds = false) =>
  formatter(locale, { hour: '2-digit', minute: '2-digit', ...(seconds ? { second: '2-digit' } : {}) }).format(ms);

/** 20 Nov, 21:10. */
export const dateTime = (ms: number, locale: string) =>
  formatter(locale, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }).format(ms);

/** 20 Nov, 21:10 – 21:25. */
export const dateTimes = (from: number, to: number, locale: string) =>
  formatter(locale, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }).formatRange(from, to);

/** 20 Nov 2026. */
export const date = (ms: number, locale: string) => formatter(locale, { day: 'numeric', month: 'short', year: 'numeric' }).format(ms);

/** Receipts: 20 Nov 2026, 21:08:20 (UTC+7). */
export function stamp(ms: number, locale: string, zone = deviceZone()): string {
  const text = formatter(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone: zone,
  }).format(ms);
  return `${text} (${utcOffset(ms, zone)})`;
}

/** UTC, UTC+7, UTC−3:30: the zone's offset at that instant. */
export function utcOffset(ms: number, zone = deviceZone()): string {
  const name = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
    .formatToParts(ms)
    .find((part) => part.type === 'timeZoneName')?.value;
  return (name ?? 'UTC').replace('GMT', 'UTC').replace(/\+0$/, '').replace('-', '\u2212');
}

/** Groups rows by the device's day: 2026-11-20. */
export const dayKey = (ms: number) => formatter('sv', { year: 'numeric', month: '2-digit', day: '2-digit' }).format(ms);

/** The next 00:00 UTC, at which business days change. */
export const nextUtcDay = (ms: number) => (Math.floor(ms / DAY) + 1) * DAY;

/**
 * A refusal's wait, given in ms, as seconds and as minutes. Both are rounded up, so that a person does not retry too early; `long` is
 * about two minutes or more.
 */
export const waitOf = (ms: unknown) => (typeof ms === 'number' ? { seconds: Math.ceil(ms / 1000), minutes: Math.ceil(ms / 60_000), ...(ms > 119_000 && { long: 1 }) } : undefined);
