import { useEffect, useState } from 'react';
import { locale } from '../lib/i18n';
import { translateInput } from '../lib/money';
import { useAmountInput, type Typed } from './AmountField';

interface Drafts {
  read: (name: string) => Typed | undefined;
  keep: (typed: Typed | undefined, name: string) => void;
}

/** The amount of a form whose coin can change: what was kept for a coin is offered with that coin only. Nothing is kept of what was `sent`. */
export function useKeptAmount(drafts: Drafts, coin: { id: number; scale: number } | undefined, sent: boolean) {
  const name = String(coin?.id);
  const kept = drafts.read(name);
  const amount = useAmountInput(coin?.scale ?? 0, kept);
  const { text, typed, setText } = amount.field;
  const [shown, setShown] = useState(name);
  if (shown !== name) {
    setShown(name);
    if (text === '' && kept) setText(translateInput(kept.text, kept.locale, locale()));
  }
  useEffect(() => drafts.keep(sent ? undefined : typed, name), [drafts, sent, typed, name]);
  return amount;
}
