/** A text in comparable form: no case, no Latin accents. "Élan" becomes "elan", and both Turkish i become one, in either case. */
export const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll('ı', 'i');

/** How a search field matches: codes contain the text anywhere, names at the start of a word. "eth" finds Ethereum and not Tether. */
export function finds(text: string, code: string, names: string): boolean {
  const wanted = plain(text.trim());
  return plain(code).includes(wanted) || ` ${plain(names)}`.includes(` ${wanted}`);
}
