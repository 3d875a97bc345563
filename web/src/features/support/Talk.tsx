import { useState } from 'react';
import { usePrivatePicture } from '../../data/files';
import type { Message } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { dateTime } from '../../lib/time';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Sheet } from '../../ui/Sheet';
import css from './Support.module.css';

function Picture({ address, number }: { address: string; number: number }) {
  const { url, isError } = usePrivatePicture(address);
  const [open, setOpen] = useState(false);
  const name = t('tickets.picture', { number });
  return (
    <>
      <button type="button" className={css.picture} aria-label={name} onClick={() => url && setOpen(true)}>
        {url ? <img src={url} alt="" /> : <Icon name={isError ? 'warn' : icons.clock} size={20} />}
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title={name}>
        {/* The title identifies it. */}
        <img className={css.large} src={url} alt="" />
      </Sheet>
    </>
  );
}

const AUTHORS = { me: 'tickets.me', support: 'tickets.support', system: 'tickets.system' } as const;

/** Messages in the order they were written; a screen reader announces new ones. */
export function Talk({ messages }: { messages: readonly Message[] }) {
  const locale = useLocale();
  return (
    <ol className={css.talk} aria-live="polite">
      {messages.map((message) => (
        <li key={message.id} className={message.from === 'me' ? `${css.message} ${css.mine}` : css.message}>
          <div className="cap t2 m">{t(AUTHORS[message.from])}</div>
          <p>{message.content}</p>
          {message.imgs.length > 0 && (
            <div className={css.pictures}>
              {message.imgs.map((address, n) => (
                <Picture key={address} address={address} number={n + 1} />
              ))}
            </div>
          )}
          <div className="cap t2 num right">{dateTime(message.created_at_ms, locale)}</div>
        </li>
      ))}
    </ol>
  );
}
