/** The value of a decimal digit of any script: the ten digits of a script are consecutive. */
function digit(letter: string): string {
  let [at, value] = [letter.codePointAt(0) as number, 0];
  while (/\p{Nd}/u.test(String.fromCodePoint(--at))) value += 1;
  return String(value % 10);
}

/**
 * The typed text with ASCII digits and marks, also for full-width ones. The Arabic decimal mark, U+066B, stays, because it has one
 * meaning.
 */
export const plain = (text: string) => text.normalize('NFKC').replace(/。/g, '.').replace(/\u066c/g, ' ').replace(/\p{Nd}/gu, digit).trim();
