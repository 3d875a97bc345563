/** Keys of the console; the help sheet shows this list, so the two cannot differ. */
export const KEYS = [
  { keys: ['J', 'K'], does: 'Next, previous row' },
  { keys: ['Enter'], does: 'Open the row' },
  { keys: ['A'], does: 'Approve: opens the confirmation' },
  { keys: ['R'], does: 'Reject: opens the confirmation' },
  { keys: ['H'], does: 'Hold: leave undecided, go on' },
  { keys: ['1', '2', '3'], does: 'Picture of the case' },
  { keys: ['Z'], does: 'Zoom the picture' },
  { keys: ['/'], does: 'Search' },
  { keys: ['U'], does: 'Refresh now' },
  { keys: ['Esc'], does: 'Close' },
  { keys: ['?'], does: 'This list' },
] as const;

export type KeyName = 'j' | 'k' | 'Enter' | 'a' | 'r' | 'h' | '1' | '2' | '3' | 'z' | '/' | 'u' | 'Escape' | '?';
export type Bindings = Partial<Record<KeyName, () => void>>;

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  isComposing: boolean;
  repeat: boolean;
}

/** The action of a key press. A key typed into a field or handled by a control does nothing here. */
export function bound(event: Pressed, bindings: Bindings, where: { writing: boolean; control: boolean }): (() => void) | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined;
  const key = (event.key.length === 1 ? event.key.toLowerCase() : event.key) as KeyName;
  if (where.writing) return undefined;
  if (key === 'Enter' && where.control) return undefined;
  // A held key only moves; it never opens or decides.
  if (event.repeat && key !== 'j' && key !== 'k') return undefined;
  return bindings[key];
}
