import { useState, type ReactNode } from 'react';
import { Checkbox } from '../../ui/Choice';
import { Field } from '../../ui/Field';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { ops, type Fields } from '../api';
import { ActDialog, NEW } from '../kit/Act';
import { Select } from '../kit/Fields';
import { Facts } from '../kit/Screen';
import { timed } from '../kit/States';
import { chosen, coinProblems, coinValues, inWords, newCoin, newPair, OTHER_ACCOUNTS, pairProblems, pairValues, type Form, type Listed, type Problems, type Words } from '../model/listing';
import { accountWord } from '../model/values';
import { refresh, useConfig } from '../reads';
import css from './control.module.css';

interface Inputs {
  form: Form;
  problems: Problems;
  set: (name: string) => (text: string) => void;
}

/** A figure of the form, with its error once something was typed. */
function Figure({ name, label, hint, after, form, problems, set }: Inputs & { name: string; label: string; hint?: string; after?: string }) {
  const text = form[name] ?? '';
  return (
    <Field
      label={label}
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      hint={hint}
      after={after && <span className="t2">{after}</span>}
      error={text ? problems[name] : undefined}
      value={text}
      onChange={(event) => set(name)(event.target.value)}
    />
  );
}

/** What two operators will sign, as the second one reads it. */
export function SignedWords({ words }: { words: Words }) {
  return (
    <section className={css.card} aria-label="In words">
      <h3>{words.title}</h3>
      <p className="h3 num">{words.first}</p>
      <Facts facts={words.lines.map(([name, text]) => [name, timed(text)] as const)} />
    </section>
  );
}

interface ListingProps {
  kind: 'coin' | 'pair';
  title: string;
  values: Fields;
  labels: Readonly<Record<string, string>>;
  problems: Problems;
  onClose: () => void;
  children: ReactNode;
}

function Listing({ kind, title, values, labels, problems, onClose, children }: ListingProps) {
  const open = Object.keys(problems);
  // An incomplete form has no text to sign.
  const words = open.length ? undefined : inWords({ kind, ...values });
  return (
    <ActDialog
      subject={NEW}
      wide
      title={title}
      label={`Propose the ${kind}`}
      blocked={open.length ? `Check ${open.map((name) => labels[name] ?? name).join(', ')}` : undefined}
      reason={{ label: 'Reason', templates: ['Members ask for it', 'Agreed with the issuer'] }}
      onClose={onClose}
      send={(_, reason) => ops.post('catalog/propose', { kind, values, reason })}
      onDone={({ message }) => {
        toast(`Proposal ${message.id} made. A second person must confirm.`);
        refresh();
        onClose();
      }}
    >
      {children}
      {words && <SignedWords words={words} />}
    </ActDialog>
  );
}

const DECIMALS = Array.from({ length: 9 }, (_, n) => ({ value: String(n), label: String(n) }));
const COIN_LABELS = { code: 'Code', faucet_max: 'Paper money at once' };

/** A coin that is not listed yet. The server chooses its number. */
export function ListCoin({ onClose }: { onClose: () => void }) {
  const { data } = useConfig();
  const [form, setForm] = useState<Form>(newCoin);
  if (!data) return null;
  const set = (name: string) => (text: string) => setForm({ ...form, [name]: text });
  const problems = coinProblems(form, data);
  return (
    <Listing kind="coin" title="List a coin" values={coinValues(form)} labels={COIN_LABELS} problems={problems} onClose={onClose}>
      <Note>Code and decimals never change later. Deposits stay closed until two people agree on a network of the coin.</Note>
      <div className={css.grid}>
        <Field
          label={COIN_LABELS.code}
          hint="2 to 12 capital letters and digits, for example SOL"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={12}
          error={form.code ? problems.code : undefined}
          value={form.code ?? ''}
          onChange={(event) => set('code')(event.target.value)}
        />
        <Select label="Decimals" options={DECIMALS} value={form.scale ?? ''} onValue={set('scale')} />
        {data.mode === 'sandbox' && <Figure name="faucet_max" label={COIN_LABELS.faucet_max} hint="Most that one call of the sandbox gives" form={form} problems={problems} set={set} />}
      </div>
      <fieldset className={css.choices}>
        <legend className="t2">Accounts beside the spot account</legend>
        {OTHER_ACCOUNTS.map((account) => (
          <Checkbox key={account} checked={form[account] === '1'} onChange={(event) => set(account)(event.target.checked ? '1' : '')}>
            {accountWord(account)}
          </Checkbox>
        ))}
      </fieldset>
    </Listing>
  );
}

const PAIR_LABELS = {
  base: 'Traded coin',
  quote: 'Priced in',
  tick: 'Price step',
  step: 'Quantity step',
  min_qty: 'Smallest order',
  max_qty: 'Largest order',
  min_notional: 'Smallest order value',
  max_notional: 'Largest order value',
  maker_fee: 'Maker fee',
  taker_fee: 'Taker fee',
  buy_low: 'Buy orders from',
  buy_high: 'Buy orders to',
  sell_low: 'Sell orders from',
  sell_high: 'Sell orders to',
  issue_price: 'Issue price',
  index_tick: 'Step of the index',
  sources: 'Price sources',
};
const FIRST = [
  { value: 'issue', label: 'An issue price' },
  { value: 'index', label: 'An index of price sources' },
];

/** A pair of two listed coins that is not traded yet. */
export function ListPair({ onClose }: { onClose: () => void }) {
  const { data } = useConfig();
  return data ? <Pair listed={data} onClose={onClose} /> : null;
}

function Pair({ listed, onClose }: { listed: Listed; onClose: () => void }) {
  const [form, setForm] = useState<Form>(() => newPair(listed));
  const set = (name: string) => (text: string) => setForm({ ...form, [name]: text });
  const problems = pairProblems(form, listed);
  const coins = listed.currencies.map(({ code }) => ({ value: code, label: code }));
  const figure = (name: Exclude<keyof typeof PAIR_LABELS, 'base' | 'quote' | 'sources'>, after: string | undefined, hint?: string) => (
    <Figure key={name} name={name} label={PAIR_LABELS[name]} form={form} problems={problems} set={set} {...(after && { after })} {...(hint && { hint })} />
  );
  const { base, quote } = form;
  return (
    <Listing kind="pair" title="List a pair" values={pairValues(form, listed)} labels={PAIR_LABELS} problems={problems} onClose={onClose}>
      <Note>Price step and quantity step never change later. Fees and the other limits can be changed by two people.</Note>
      {base && problems.base && <Note tone="caution">{problems.base}</Note>}
      {base && problems.quote && <Note tone="caution">{problems.quote}</Note>}
      <div className={css.grid}>
        <Select label={PAIR_LABELS.base} options={[{ value: '', label: 'Choose a coin' }, ...coins]} value={base ?? ''} onValue={set('base')} />
        <Select label={PAIR_LABELS.quote} options={coins} value={quote ?? ''} onValue={set('quote')} />
        {figure('tick', quote, 'Smallest difference of two prices')}
        {figure('step', base, 'Smallest difference of two quantities')}
        {figure('min_qty', base)}
        {figure('max_qty', base)}
        {figure('min_notional', quote)}
        {figure('max_notional', quote)}
        {figure('maker_fee', '%')}
        {figure('taker_fee', '%')}
        {figure('buy_low', '%', 'Lowest limit price, of the present price')}
        {figure('buy_high', '%', 'Highest limit price, of the present price')}
        {figure('sell_low', '%')}
        {figure('sell_high', '%')}
        <Select label="First price" hint={form.first === 'index' ? 'Such a pair opens two days after you propose it' : 'It counts until the first trade'} options={FIRST} value={form.first ?? ''} onValue={set('first')} />
        {form.first === 'index' ? figure('index_tick', quote) : figure('issue_price', quote)}
      </div>
      {form.first === 'index' && (
        <fieldset className={css.choices}>
          <legend className="t2">
            {PAIR_LABELS.sources}, at least {listed.index.quorum}
          </legend>
          {listed.index.sources.map((name) => (
            <Checkbox key={name} checked={chosen(form, listed).includes(name)} onChange={(event) => set(`source.${name}`)(event.target.checked ? '1' : '')}>
              {name}
            </Checkbox>
          ))}
        </fieldset>
      )}
    </Listing>
  );
}
