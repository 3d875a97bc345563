/** What a search field does: codes hold the text anywhere, names at the start of a word. "eth" is Ethereum and not Tether. */
export function finds(text: string, code: string, names: string): boolean {
  const wanted = text.trim().toLowerCase();
  return code.toLowerCase().includes(wanted) || ` ${names.toLowerCase()}`.includes(` ${wanted}`);
}
