const LIFE = 600_000;

/** What was typed survives leaving the page, a logout included, for ten minutes; it is never stored. */
export function draft<T>() {
  let kept: { value: T | undefined; at: number } = { value: undefined, at: 0 };
  return {
    read: () => (Date.now() - kept.at < LIFE ? kept.value : undefined),
    keep: (value: T | undefined) => {
      kept = { value, at: Date.now() };
    },
  };
}
