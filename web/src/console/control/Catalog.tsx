import { useState } from 'react';
import { Button } from '../../ui/Button';
import { Note } from '../../ui/Status';
import { CATALOG_KINDS, type CatalogKind, type CatalogRow, type Fields } from '../api';
import { Facts, Screen } from '../kit/Screen';
import { Nothing, Ready, stamp } from '../kit/States';
import { has, type AreaProps } from '../model/areas';
import { isAbout } from '../model/signed';
import { entries, label, told, withCoins } from '../model/values';
import { LIVE, refreshConfig, useCoin, useRead, useSigned, useWaiting } from '../reads';
import { href } from '../route';
import { useMe } from '../session';
import { Edit, Pause } from './CatalogEdit';
import { ListCoin, ListPair } from './Listing';
import { Launch } from './Launch';
import { Retire } from './Retire';
import { Changes } from './Proposals';
import css from './control.module.css';

const TITLES: Record<CatalogKind, string> = { fee: 'Fees', market: 'Pairs', network: 'Networks, bank, keys', limit: 'Limits', index_source: 'Price sources', country: 'Countries', coin: 'Coins', option_duration: 'Options', contract: 'Contracts', plan: 'Plans', loan_product: 'Loans', offering: 'New coins', white_paper: 'White papers', flash: 'Conversions' };
/** New objects that can be proposed, by kind: the button and the values of the form. */
const NEW: Partial<Record<CatalogKind, readonly { button: string; name: string; values: Fields }[]>> = {
  network: [
    { button: 'Propose a receiving key', name: 'a receiving key', values: { chain: '', receiving_key: '' } },
    { button: 'Propose a network', name: 'a network of a coin', values: { currency_id: 0, chain: '', confirmations: 0, deposit_min: '', withdraw_min: '', withdraw_fee: '', deposit_on: 1, withdraw_on: 1 } },
    { button: 'Propose our bank account', name: 'our bank account', values: { bank_name: '', account_number: '', account_name: '' } },
  ],
  offering: [
    {
      button: 'Propose an offering',
      name: 'an offering of a new coin',
      values: {
        code: '',
        scale: 8,
        supply: '',
        price: '',
        pay: ['USDT'],
        start_ms: 0,
        close_ms: 0,
        launch_ms: 0,
        release: [{ day: 7, share: '100' }],
        min: '10',
        user_cap: '10000',
        oversub_factor: 10,
        tick: '0.0001',
        step: '0.01',
        min_qty: '0.01',
        max_qty: '1000000',
        min_notional: '5',
        max_notional: '1000000',
        maker_fee: '0.08',
        taker_fee: '0.1',
        band_buy: ['50', '105'],
        band_sell: ['95', '200'],
      },
    },
  ],
  white_paper: [{ button: 'Propose a white paper', name: 'the white paper of a new coin', values: { offering_id: 0, url: '' } }],
  country: [{ button: 'Propose a country', name: 'a country', values: { country: '', spot: 'off', option: 'off', contract: 'off', plan: 'off', subscription: 'off', loan: 'off', flash: 'off', deposit_coin: 'off', deposit_bank: 'off', withdraw_coin: 'off', withdraw_bank: 'off' } }],
  loan_product: [{ button: 'Propose a loan product', name: 'a loan product', values: { id: 0, currency_id: 0, day: 0, interest_rate: '', min_amount: '', max_amount: '', on: 1 } }],
  plan: [{ button: 'Propose a plan', name: 'a plan', values: { id: 0, currency_id: 0, day: 0, day_percent: '', damage_rate: '', save_min: '', save_max: '', agreement_version: 1, on: 1 } }],
};
/** The lists beside the values of a kind. */
const LISTS: Partial<Record<CatalogKind, 'coin' | 'pair'>> = { coin: 'coin', market: 'pair' };
/** Its terms may change before it opens, and it is launched once, after its close. */
const STATES: Record<NonNullable<CatalogRow['state']>, string> = { upcoming: 'not open yet', open: 'open', sold_out: 'sold out', allocated: 'closed, not launched yet', launched: 'launched', ended: 'launched, all coins released', cancelled: 'cancelled' };
const isKind = (text: string): text is CatalogKind => (CATALOG_KINDS as readonly string[]).includes(text);

/** The wire name for what all products of a kind share is "all". */
const nameOf = ({ name }: CatalogRow): string => (name === 'all' ? 'Shared terms' : name);

/** The values in force, with their version, and pending changes. A change needs two operators and acts on objects opened later. */
export default function Catalog({ id, may }: AreaProps) {
  const me = useMe();
  const kind: CatalogKind = isKind(id) ? id : 'fee';
  const query = useRead('catalog', { kind }, { every: LIVE });
  const waiting = useWaiting();
  const [codeOf, signed] = [useCoin(), useSigned()];
  const [open, setOpen] = useState<{ id: number | null; name: string; values: Fields } | 'pause' | 'coin' | 'pair' | null>(null);
  const [retired, setRetired] = useState<CatalogRow | null>(null);
  const [launched, setLaunched] = useState<CatalogRow | null>(null);
  const now = <T extends { id: number | null }>(row: T) => query.data?.find(({ id }) => id === row.id) ?? row;
  const lists = may ? LISTS[kind] : undefined;
  const pauses = has(me.roles, ['market', 'admin']);
  return (
    <Screen
      title="Catalog"
      note="Changes act on objects opened later. Open objects keep their terms."
      at={query.dataUpdatedAt}
      actions={
        <>
          {may &&
            NEW[kind]?.map(({ button, ...row }) => (
              <Button key={button} kind="line" small onClick={() => setOpen({ id: null, ...row })}>
                {button}
              </Button>
            ))}
          {lists && (
            <Button
              kind="line"
              small
              onClick={() => {
                refreshConfig();
                setOpen(lists);
              }}
            >
              List a {lists}
            </Button>
          )}
          {pauses && (
            <Button kind="line" small onClick={() => setOpen('pause')}>
              Pause or resume
            </Button>
          )}
        </>
      }
    >
      <nav className={css.bar} aria-label="Kind of values">
        {CATALOG_KINDS.map((name) => (
          <a key={name} className={css.tab} href={href('catalog', name)} aria-current={name === kind ? 'page' : undefined}>
            {TITLES[name]}
          </a>
        ))}
      </nav>
      <Ready query={query} what="The catalog" isEmpty={(rows) => rows.length === 0} empty={<Nothing title="Nothing of this kind" />}>
        {(rows) =>
          rows.map((row) => (
            <section key={row.id} className={css.object} aria-label={nameOf(row)}>
              <header>
                <h2 className="h3">{nameOf(row)}</h2>
                <span className="t2 grow">
                  version {row.version}
                  {row.since_ms === null ? ', since the beginning' : `, since ${stamp(row.since_ms)}`}
                  {row.state && `, ${STATES[row.state]}`}
                </span>
                {may && kind !== 'coin' && (row.state ?? 'upcoming') === 'upcoming' && (
                  <Button kind="line" small onClick={() => setOpen({ ...row, name: nameOf(row) })} aria-label={`Propose a change of ${nameOf(row)}`}>
                    Propose a change
                  </Button>
                )}
                {may && row.state === 'allocated' && (
                  <Button kind="line" small onClick={() => setLaunched(row)} aria-label={`Propose the launch of ${row.name}`}>
                    Propose its launch
                  </Button>
                )}
                {may && kind === 'market' && (
                  <Button kind="line" small onClick={() => setRetired(row)} aria-label={`Propose the end of ${row.name}`}>
                    Propose its end
                  </Button>
                )}
              </header>
              <Facts facts={entries(withCoins(row.values, codeOf)).map(([name, value]) => [label(name, kind), told(name, value)] as const)} />
              {waiting
                .filter((one) => isAbout(one, kind, row.id))
                .map((one) => (
                  <Note key={one.id}>
                    <a className={css.link} href={href('proposals', one.id)}>
                      P-{one.id}
                    </a>{' '}
                    waits for a second person: {signed(one).first}
                  </Note>
                ))}
              {row.coming.map(({ values, effective_ms, proposal_id }) => (
                <div key={proposal_id} className={css.card}>
                  <h3>
                    Coming {effective_ms === null ? '' : `at ${stamp(effective_ms)}`}, <a className={css.link} href={href('proposals', proposal_id)}>P-{proposal_id}</a>
                  </h3>
                  <Changes values={values} before={row.values} kind={kind} />
                </div>
              ))}
            </section>
          ))
        }
      </Ready>
      {open === 'coin' && <ListCoin onClose={() => setOpen(null)} />}
      {open === 'pair' && <ListPair onClose={() => setOpen(null)} />}
      {open === 'pause' && <Pause onClose={() => setOpen(null)} />}
      {launched && <Launch row={now(launched)} onClose={() => setLaunched(null)} />}
      {retired && <Retire row={now(retired)} onClose={() => setRetired(null)} />}
      {open !== null && typeof open === 'object' && <Edit kind={kind} row={now(open)} onClose={() => setOpen(null)} />}
    </Screen>
  );
}
