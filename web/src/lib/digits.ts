/** The value of a decimal digit of any script: each has its ten in a row. */
function digit(letter: string): string {
  let [at, value] = [letter.codePointAt(0) as number, 0];
  while (/\p{Nd}/u.test(String.fromCodePoint(--at))) value += 1;
  return String(value % 10);
}

/** What was typed with the digits and marks of ASCII: also full-width ones. The decimal mark of Arabic, U+066B, stays: it means one thing everywhere. */
export const plain = (text: string) => text.normalize('NFKC').replace(/。/g, '.').replace(/\u066c/g, ' ').replace(/\p{Nd}/gu, digit).trim();
