import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { create } from 'zustand';
import { Icon, type IconName } from './Icon';
import css from './Toast.module.css';

interface Message {
  id: number;
  text: string;
  icon: IconName;
  action?: { label: string; run: () => void };
}
const useToasts = create<{ messages: Message[] }>(() => ({ messages: [] }));
let nextId = 1;

const remove = (id: number) => useToasts.setState(({ messages }) => ({ messages: messages.filter((m) => m.id !== id) }));

/** For copies, saves and refusals; results that move money get a receipt. */
export function toast(text: string, options: { icon?: IconName; action?: Message['action'] } = {}): void {
  const message: Message = { id: nextId++, text, icon: options.icon ?? 'check', ...(options.action && { action: options.action }) };
  useToasts.setState(({ messages }) => ({ messages: [...messages.filter((m) => m.text !== text).slice(-1), message] }));
}

/** Takes away whatever is shown. */
export const clearToasts = () => useToasts.setState({ messages: [] });

const LIFE = 4_000;

function ToastRow({ message }: { message: Message }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => remove(message.id), LIFE);
    return () => clearTimeout(timer);
  }, [held, message.id]);
  const hold = { onMouseEnter: () => setHeld(true), onMouseLeave: () => setHeld(false), onFocus: () => setHeld(true), onBlur: () => setHeld(false) };
  return (
    <div className={css.toast} {...hold}>
      <span className={message.icon === 'warn' ? 'caution' : undefined}>
        <Icon name={message.icon} size={18} />
      </span>
      <span className="grow">{message.text}</span>
      {message.action && (
        <button
          type="button"
          className={css.action}
          onClick={() => {
            message.action?.run();
            remove(message.id);
          }}
        >
          {message.action.label}
        </button>
      )}
    </div>
  );
}

/** Everything below an open dialog is inert, so a message there could be neither read nor tapped. */
const topmost = (): Element => [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;

/** The element that messages belong in, while there are any; dialogs open and close meanwhile. */
function usePlace(any: boolean): Element {
  const [place, setPlace] = useState(topmost);
  useLayoutEffect(() => {
    if (!any) return;
    const follow = () => setPlace(topmost());
    follow();
    const watcher = new MutationObserver(follow);
    watcher.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['open'] });
    return () => watcher.disconnect();
  }, [any]);
  return place;
}

/** One polite region above everything, inside the topmost dialog. */
export function Toasts() {
  const messages = useToasts((state) => state.messages);
  const region = useRef<HTMLDivElement>(null);
  const any = messages.length > 0;
  const place = usePlace(any);
  // A live region announces only what is added to it, so it exists before its messages.
  const [ready, setReady] = useState<Element>();
  useEffect(() => {
    const timer = setTimeout(() => setReady(any ? place : undefined));
    return () => clearTimeout(timer);
  }, [any, place]);
  useEffect(() => {
    const element = region.current;
    // Its dialog may have just been removed; it is shown at its next place.
    if (!element?.isConnected || !element.showPopover) return;
    // Shown again, so that it is above a dialog that was opened later.
    if (any) {
      if (element.matches(':popover-open')) element.hidePopover();
      element.showPopover();
    } else if (element.matches(':popover-open')) element.hidePopover();
  }, [any, messages, place]);
  return createPortal(
    <div ref={region} popover="manual" className={css.region} role="status" aria-live="polite">
      {ready === place && messages.map((message) => <ToastRow key={message.id} message={message} />)}
    </div>,
    place,
  );
}
