import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Longer than a double tap, ms. */
const SECOND_TAP = 400;

/** Protects the buttons of a new step: the second tap of a double tap was meant for the previous ones. Keys are not delayed. */
export function useSecondTap(shown: boolean, step = ''): RefObject<HTMLDivElement | null> {
  const buttons = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = buttons.current;
    if (!shown || !element) return;
    element.style.pointerEvents = 'none';
    const timer = setTimeout(() => (element.style.pointerEvents = ''), SECOND_TAP);
    return () => clearTimeout(timer);
  }, [shown, step]);
  return buttons;
}
