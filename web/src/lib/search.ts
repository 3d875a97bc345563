/** A text as it is compared: no case, no Latin accents. "Élan" is "elan", and both Turkish i are one, in either case. */
export const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll('ı', 'i');

/** What a search field does: codes hold the text anywhere, names at the start of a word. "eth" is Ethereum and not Tether. */
export function finds(text: string, code: string, names: string): boolean {
  const wanted = plain(text.trim());
  return plain(code).includes(wanted) || ` ${plain(names)}`.includes(` ${wanted}`);
}
