import { useEffect, useEffectEvent, useState } from 'react';
import { readOpenOptions } from '../../data/options';
import type { OptionOrder } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amount } from '../../lib/money';
import { href } from '../../lib/nav';
import { clock } from '../../lib/time';
import { amountText, priceText } from '../../ui/Figures';
import { OptionSide } from '../../ui/OptionRow';
import { netAt } from './model';
import { leftText, resultText, sideText, stateOf } from './text';
import css from './Option.module.css';

const R = 21.5;
const ROUND = 2 * Math.PI * R;
const SOON = 10_000;
/** The result comes as an event; if it does not, it is requested. */
const ASK = 3_000;
const LONG = 10_000;

function Ring({ left, whole, settled }: { left: number; whole: number; settled: boolean }) {
  const text = leftText(left);
  return (
    <svg className={css.ring} width="48" height="48" viewBox="0 0 48 48" fill="none" role="timer" aria-live="off" aria-label={settled ? t('options.settled') : t('options.left', { left: text })}>
      <circle cx="24" cy="24" r={R} stroke="var(--surface-3)" strokeWidth="3" />
      {left > 0 && (
        <circle cx="24" cy="24" r={R} stroke={left <= SOON ? 'var(--caution)' : 'var(--accent)'} strokeWidth="3" strokeLinecap="round" strokeDasharray={`${Math.min(1, left / whole) * ROUND} ${ROUND}`} transform="rotate(-90 24 24)" />
      )}
      {settled ? <path d="M17 24.500l5 5 9-10" stroke="var(--text-1)" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" /> : <text x="24" y="28.500" textAnchor="middle" className={text.length > 5 ? css.small : css.count}>{text}</text>}
    </svg>
  );
}

interface Props {
  option: OptionOrder;
  /** Server time. */
  now: number;
  /** The pair's price; undefined while it is stale. */
  price: string | undefined;
}

/** A running option with its countdown, and its result once it has one. */
export function Running({ option, now, price }: Props) {
  const locale = useLocale();
  const { status, number, currency_name: code, delivery_time_ms: end } = option;
  const left = end - now;
  const settled = status === 3;
  const net = settled ? (option.fact_profits ?? undefined) : price && left > 0 ? netAt(option, amount(price)) : undefined;
  const label = settled ? stateOf(option).text : left > 0 ? t('options.ifNow') : t('options.settling');
  return (
    <li>
      <a className={css.running} href={href('option/detail', { order: option.id })}>
        <Ring left={left} whole={option.seconds * 1000} settled={settled} />
        <span className="grow">
          <span className={css.runningHead}>
            <OptionSide type={option.type} />
            <span className="b num">{amountText({ value: number, code, bare: true }, locale)}</span>
            <span className="cap t3">{code}</span>
          </span>
          <span className={`cap t2 num ${css.block}`}>
            {!settled && left < -LONG ? t('options.settlingLong', { time: clock(end, locale, true) }) : t('options.opened', { price: priceText(option.open_price, undefined, locale), time: clock(end, locale, true) })}
          </span>
        </span>
        <span className="right">
          <span className={`cap t3 ${css.block}`}>{label}</span>
          {net !== undefined && <span className="b num">{resultText(net, code, true)}</span>}
        </span>
      </a>
    </li>
  );
}

/** Announces the last ten seconds and each result to screen readers. Requests results that do not come. */
export function Follow({ options, now }: { options: readonly OptionOrder[]; now: number }) {
  const [news, setNews] = useState('');
  const [states, setStates] = useState<ReadonlyMap<number, 'soon' | 'settled' | ''>>(new Map());
  const next = new Map(options.map((option) => [option.id, option.status === 3 ? 'settled' : option.delivery_time_ms - now <= SOON ? 'soon' : ''] as const));
  const changed = options.filter(({ id }) => next.get(id) !== states.get(id));
  if (changed.length || next.size !== states.size) {
    setStates(next);
    const told = changed.flatMap((option) => {
      const state = next.get(option.id);
      if (state === 'soon' && states.has(option.id)) return t('options.soon', { direction: sideText(option.type) });
      return state === 'settled' ? t('options.ended', { direction: sideText(option.type), net: resultText(option.fact_profits ?? undefined, option.currency_name) }) : [];
    });
    if (told.length) setNews(told.join(' '));
  }
  const due = options.some(({ status, delivery_time_ms: end }) => status === 1 && end < now - 1_000);
  const ask = useEffectEvent(() => void readOpenOptions());
  useEffect(() => {
    if (!due) return;
    const timer = setInterval(ask, ASK);
    return () => clearInterval(timer);
  }, [due]);
  return (
    <p className="vh" role="status">
      {news}
    </p>
  );
}
