import { useState } from 'react';
import { Field } from '../../ui/Field';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { ops, type CatalogKind, type Fields, type Json } from '../api';
import { ActDialog, NEW } from '../kit/Act';
import { Select, TextArea } from '../kit/Fields';
import { editable, instantOf, isFlag, isInstant, label, like, TIE_RULES, utcMinute } from '../model/values';
import { refresh, useConfig, useRead, useServerNow } from '../reads';
import { Changes } from './Proposals';
import css from './control.module.css';

interface EditProps {
  kind: CatalogKind;
  /** `id` null for a new one. */
  row: { id: number | null; name: string; values: Fields };
  onClose: () => void;
}

/** Computed by the server from other values; not proposed. */
const DERIVED: Partial<Record<CatalogKind, string>> = { network: 'addresses' };
/** The rules for a product in the table of a country. */
const RULES = [
  { value: 'on', label: 'Open' },
  { value: 'advanced', label: 'Advanced identity first' },
  { value: 'off', label: 'Closed' },
];
const YES_NO = [
  { value: '1', label: 'Yes' },
  { value: '0', label: 'No' },
];
const TIES = Object.entries(TIE_RULES).map(([value, text]) => ({ value, label: `The ${text}` }));
const CHAINS = ['', 'BTC', 'ERC20', 'TRC20'].map((name) => ({ value: name, label: name || 'Choose a chain' }));
const DAY = 24 * 3_600_000;

/** The text of a value in its field, and back. */
const textOf = (name: string, value: Json | undefined): string => (isInstant(name) && typeof value === 'number' ? utcMinute(value) : editable(value));
function valueOf(name: string, sample: Json | undefined, text: string): ReturnType<typeof like> {
  if (!isInstant(name) || typeof sample !== 'number') return like(sample, text);
  const at = instantOf(text, sample);
  return at === undefined ? { ok: false } : { ok: true, value: at };
}

/** Local time of an input in milliseconds; an empty one means now. */
const instant = (text: string): number | null => (text ? new Date(text).getTime() : null);

export function Edit({ kind, row, onClose }: EditProps) {
  const names = Object.keys(row.values).filter((name) => name !== DERIVED[kind]);
  const present = (): Readonly<Record<string, string>> => Object.fromEntries(names.map((name) => [name, textOf(name, row.values[name])]));
  const [texts, setTexts] = useState(present);
  const [at, setAt] = useState('');
  const read = names.map((name) => ({ name, read: valueOf(name, row.values[name], texts[name] ?? '') }));
  const bad = read.filter(({ read }) => !read.ok).map(({ name }) => name);
  const values: Fields = Object.fromEntries(read.flatMap(({ name, read }) => (read.ok ? [[name, read.value]] : [])));
  const before: Fields = Object.fromEntries(names.map((name) => [name, row.values[name] ?? null]));
  const same = JSON.stringify(values) === JSON.stringify(before);
  const effective = instant(at);
  const now = useServerNow();
  const coins = useConfig().data?.currencies ?? [];
  const offerings = useRead('catalog', { kind: 'offering' }, { enabled: kind === 'white_paper' }).data ?? [];
  const slow = kind === 'index_source';
  const early = slow && (effective === null || effective < now + DAY);
  const missing = values.id === 0 ? 'Give it a number' : values.currency_id === 0 ? 'Choose a coin' : values.chain === '' ? 'Choose a chain' : values.offering_id === 0 ? 'Choose a new coin' : Object.keys(values).some((name) => isInstant(name) && values[name] === 0) ? 'Give every date' : undefined;
  const blocked = missing ?? (bad.length ? `Check ${bad.map((name) => label(name, kind)).join(', ')}` : same ? 'Nothing is changed' : early ? 'Price sources change after 24 hours at the earliest' : undefined);
  return (
    <ActDialog
      subject={row}
      wide
      title={row.id === null ? `Propose ${row.name}` : `Propose a change of ${row.name}`}
      label="Propose the change"
      blocked={blocked}
      reason={{ label: 'Reason' }}
      onClose={onClose}
      onLook={() => setTexts(present())}
      send={({ id }, reason) => ops.post('catalog/propose', { kind, ...(id !== null && { id }), values, ...(effective !== null && { effective_ms: effective }), reason })}
      onDone={({ message }) => {
        toast(`Proposal ${message.id} made. A second person must confirm.`);
        refresh();
        onClose();
      }}
    >
      <div className={css.grid}>
        {names.map((name) => {
          const sample = row.values[name];
          const set = (text: string) => setTexts({ ...texts, [name]: text });
          const error = bad.includes(name) ? 'Not in the form it had' : undefined;
          if (kind === 'country' && name !== 'country') return <Select key={name} label={label(name, kind)} options={RULES} value={texts[name] ?? ''} onValue={set} />;
          if (name === 'currency_id') return <Select key={name} label="Coin" options={[{ value: '0', label: 'Choose a coin' }, ...coins.map((coin) => ({ value: String(coin.id), label: coin.code }))]} value={texts[name] ?? ''} onValue={set} />;
          if (name === 'offering_id') return <Select key={name} label="New coin" options={[{ value: '0', label: 'Choose a new coin' }, ...offerings.map((one) => ({ value: String(one.id), label: one.name }))]} value={texts[name] ?? ''} onValue={set} />;
          if (isInstant(name)) return <Field key={name} label={label(name, kind)} type="datetime-local" value={texts[name] ?? ''} onChange={(event) => set(event.target.value)} error={error} />;
          if (name === 'tie_rule') return <Select key={name} label={label(name, kind)} options={TIES} value={texts[name] ?? ''} onValue={set} />;
          if (name === 'chain') return <Select key={name} label={label(name, kind)} options={CHAINS} value={texts[name] ?? ''} onValue={set} />;
          if (isFlag(name, sample)) return <Select key={name} label={label(name, kind)} options={YES_NO} value={texts[name] ?? ''} onValue={set} />;
          return typeof sample === 'object' && sample !== null ? (
            <TextArea key={name} label={label(name, kind)} spellCheck={false} value={texts[name] ?? ''} onValue={set} error={error} />
          ) : (
            <Field key={name} label={label(name, kind)} autoComplete="off" spellCheck={false} value={texts[name] ?? ''} onChange={(event) => set(event.target.value)} error={error} />
          );
        })}
        <Field label="Takes effect" type="datetime-local" hint={slow ? 'At least 24 hours from now, in your time zone' : 'Empty: as soon as it is confirmed. In your time zone'} value={at} onChange={(event) => setAt(event.target.value)} />
      </div>
      {!bad.length && !same && <Changes values={values} before={row.id === null ? null : before} kind={kind} />}
    </ActDialog>
  );
}

const PRODUCTS = [
  { value: 'spot', label: 'Spot' },
  { value: 'option', label: 'Options' },
  { value: 'contract', label: 'Contracts' },
  { value: 'subscription', label: 'New coins' },
  { value: 'deposit_coin', label: 'Coin deposits' },
  { value: 'deposit_bank', label: 'Bank deposits' },
  { value: 'flash', label: 'Conversions' },
  { value: 'plan', label: 'Plans' },
  { value: 'loan', label: 'Loans' },
];

/** One operator can pause openings. Closing, cancelling and withdrawing continue. */
export function Pause({ onClose }: { onClose: () => void }) {
  const markets = useConfig().data?.markets ?? [];
  const [product, setProduct] = useState('spot');
  const [pair, setPair] = useState('');
  const [on, setOn] = useState('1');
  const ofPair = product === 'spot';
  return (
    <ActDialog
      subject={NEW}
      title="Pause or resume"
      label={on === '1' ? 'Pause opening' : 'Resume opening'}
      grave={on === '1'}
      reason={{ label: 'Reason', templates: on === '1' ? ['Prices are not reliable', 'Maintenance', 'Under investigation'] : ['The cause is gone'] }}
      onClose={onClose}
      send={(_, reason) => ops.post('catalog/pause', { product, ...(ofPair && pair && { match_id: parseInt(pair, 10) }), on: on === '1' ? 1 : 0, reason })}
      onDone={() => {
        toast(on === '1' ? 'Paused' : 'Resumed');
        refresh();
        onClose();
      }}
    >
      <Note>It acts at once and stops opening only. Users can always close, cancel and withdraw.</Note>
      <div className={css.grid}>
        <Select label="Product" options={PRODUCTS} value={product} onValue={setProduct} />
        {ofPair && <Select label="Pair" options={[{ value: '', label: 'All pairs' }, ...markets.map((market) => ({ value: String(market.match_id), label: market.symbol }))]} value={pair} onValue={setPair} />}
        <Select
          label="What"
          options={[
            { value: '1', label: 'Pause opening' },
            { value: '0', label: 'Resume opening' },
          ]}
          value={on}
          onValue={setOn}
        />
      </div>
    </ActDialog>
  );
}
