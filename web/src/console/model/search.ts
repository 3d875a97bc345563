/** Rows whose text contains every word. */
export function holding<T>(rows: readonly T[], text: string, words: (row: T) => readonly string[]): T[] {
  const wanted = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (!wanted.length) return [...rows];
  return rows.filter((row) => {
    const said = words(row).join('\n').toLowerCase();
    return wanted.every((word) => said.includes(word));
  });
}
