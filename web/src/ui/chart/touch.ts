/** A finger this far from where it touched down is dragging. */
const SLOP = 4;
/** After this time the finger moves the crosshair and no longer the page. */
const HOLD = 450;

/** Leaves vertical drags to the page, which the library would otherwise take; horizontal drags pan the chart. */
export function yieldVertical(container: HTMLElement): () => void {
  let start: { x: number; y: number; at: number } | undefined;
  let page = false;
  const down = ({ touches, timeStamp }: TouchEvent) => {
    const [touch] = touches;
    start = touch && touches.length === 1 ? { x: touch.clientX, y: touch.clientY, at: timeStamp } : undefined;
    page = false;
  };
  const move = (event: TouchEvent) => {
    const [touch] = event.touches;
    if (start && touch) {
      const [x, y] = [Math.abs(touch.clientX - start.x), Math.abs(touch.clientY - start.y)];
      if (x + y >= SLOP) {
        page = y > x && event.timeStamp - start.at < HOLD;
        start = undefined;
      }
    }
    if (page) event.stopPropagation();
  };
  container.addEventListener('touchstart', down, { capture: true, passive: true });
  container.addEventListener('touchmove', move, { capture: true, passive: true });
  return () => {
    container.removeEventListener('touchstart', down, { capture: true });
    container.removeEventListener('touchmove', move, { capture: true });
  };
}
