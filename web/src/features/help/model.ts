/** Articles whose title has every word of the search, in any order and case. */
export function matching<T extends { title: string }>(articles: readonly T[], text: string, locale: string): readonly T[] {
  const words = text.toLocaleLowerCase(locale).split(/\s+/).filter(Boolean);
  return articles.filter(({ title }) => {
    const lower = title.toLocaleLowerCase(locale);
    return words.every((word) => lower.includes(word));
  });
}
