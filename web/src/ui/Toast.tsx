import { useEffect, useRef, useState } from 'react';
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

/** For copies, saves and refusals; money results get a receipt. */
export function toast(text: string, options: { icon?: IconName; action?: Message['action'] } = {}): void {
  const message: Message = { id: nextId++, text, icon: options.icon ?? 'check', ...(options.action && { action: options.action }) };
  useToasts.setState(({ messages }) => ({ messages: [...messages.filter((m) => m.text !== text).slice(-1), message] }));
}

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

/** One polite region above everything, open sheets included. */
export function Toasts() {
  const messages = useToasts((state) => state.messages);
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = region.current;
    if (!element?.showPopover) return;
    // Shown anew, so that it lies above a dialog that was opened later.
    if (messages.length) {
      if (element.matches(':popover-open')) element.hidePopover();
      element.showPopover();
    } else if (element.matches(':popover-open')) element.hidePopover();
  }, [messages]);
  return (
    <div ref={region} popover="manual" className={css.region} role="status" aria-live="polite">
      {messages.map((message) => (
        <ToastRow key={message.id} message={message} />
      ))}
    </div>
  );
}
