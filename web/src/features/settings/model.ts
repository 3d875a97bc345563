const UNITS = ['byte', 'kilobyte', 'megabyte'] as const;

/** 12.4 MB in the reader's language, at most one decimal. */
export function sizeText(bytes: number, locale: string): string {
  const step = bytes < 1_000 ? 0 : bytes < 999_950 ? 1 : 2;
  return new Intl.NumberFormat(locale, { style: 'unit', unit: UNITS[step] ?? 'byte', maximumFractionDigits: 1, numberingSystem: 'latn' }).format(bytes / 1_000 ** step);
}
