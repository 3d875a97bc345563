import { useRef, useState } from 'react';
import { useEndedOptions } from '../../data/options';
import { usePositionPages } from '../../data/positions';
import { useLoggedIn, useSession } from '../../data/session';
import type { OptionOrder, Position } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { fetchCode } from '../../lib/code';
import { api } from '../../lib/http';
import { wire } from '../../lib/money';
import { netOf, sideOf } from '../../lib/position';
import { dateTime } from '../../lib/time';
import { Button } from '../../ui/Button';
import { amountText } from '../../ui/Figures';
import { LazySheet } from '../../ui/LazySheet';
import { Group, Row } from '../../ui/Layout';
import { GuestPlate, ListState, EmptyState } from '../../ui/ListState';
import { StatusChip, type Tone } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import type { Asked, Verdict } from '../../ui/verify/check';
import css from './Proof.module.css';

// Not imported from `./api`, which the bundler would keep with the whole page.
const loadCheck = () => import('../../ui/verify/ReceiptCheck');

/** Products with receipts that can be checked. */
type Product = 'option' | 'contract';
const readReceipt = async ({ product, id }: { product: Product; id: number }): Promise<unknown> => (product === 'option' ? (await api.get('microtrade/receipt', { id })).message : (await api.get('lever/receipt', { id })).message);

/** One receipt of the member: of an option or of a contract. */
interface Own {
  product: Product;
  id: number;
  title: string;
  at: number;
  value: string;
  /** Its figures, which its receipt must have as well. */
  shown: Asked['shown'];
}
const keyOf = ({ product, id }: Pick<Own, 'product' | 'id'>) => `${product} ${id}`;

const asking = ({ shown }: Own): Asked => ({ userId: useSession.getState().user?.id, shown });
const verdictOn = async (own: Own): Promise<Verdict> => (await fetchCode(loadCheck)).verdictOf(await readReceipt(own), asking(own));

const TONE: Record<Verdict['state'], Tone> = { checking: 'info', pending: 'caution', broken: 'caution', good: 'done', bad: 'danger' };

/** Checks the receipts one after the other, so that the first verdicts appear at once. */
function useChecks() {
  const [told, setVerdict] = useState<ReadonlyMap<string, Verdict>>(new Map());
  const [running, setRunning] = useState<{ done: number; of: number } | null>(null);
  const busy = useRef(false);
  const check = async (all: readonly Own[]) => {
    if (busy.current) return;
    busy.current = true;
    const tell = (own: Own, verdict: Verdict) => setVerdict((known) => new Map(known).set(keyOf(own), verdict));
    try {
      for (const [done, own] of all.entries()) {
        setRunning({ done, of: all.length });
        tell(own, { state: 'checking' });
        tell(own, await verdictOn(own).catch((): Verdict => ({ state: 'broken' })));
      }
    } finally {
      busy.current = false;
      setRunning(null);
    }
  };
  return { told, running, check };
}

const signed = (value: string, code: string, locale: string) => amountText({ value, code, kind: 'result', signed: true }, locale);

const ofOption = (order: OptionOrder, locale: string): Own => ({
  product: 'option',
  id: order.id,
  title: `${order.symbol_name} ${order.type_name}`,
  at: order.complete_at_ms ?? order.created_at_ms,
  value: signed(order.fact_profits ?? '0', order.currency_name, locale),
  shown: { id: order.id, fact_profits: order.fact_profits },
});

/** An order that never filled has no result. */
function ofContract(position: Position, locale: string): Own {
  const net = netOf(position);
  const value = net ? signed(wire(net), position.symbol.split('/')[1] ?? '', locale) : t('contracts.state.cancelled');
  // The texts of positions share a file with everything that contracts need.
  const side = t(sideOf(position) === 'long' ? 'contracts.longTimes' : 'contracts.shortTimes', { multiple: position.multiple });
  const { id, status, returned, origin_caution_money, trade_fee } = position;
  const shown = { id, status, returned, origin_caution_money, trade_fee };
  return { product: 'contract', id, title: `${position.symbol} ${side}`, at: position.complete_time_ms ?? position.create_time_ms, value, shown };
}

interface ListProps {
  title: string;
  query: ReturnType<typeof useEndedOptions> | ReturnType<typeof usePositionPages>;
  rows: readonly Own[] | undefined;
  told: ReadonlyMap<string, Verdict>;
  empty: { title: string; text: string };
  onOpen: (own: Own) => void;
}

/** The receipts of one product. */
function List({ title, query, rows, told, empty, onOpen }: ListProps) {
  const locale = useLocale();
  return (
    <>
      <h3 className={`lab t2 m ${css.part}`}>{title}</h3>
      <ListState
        query={{ ...query, data: rows }}
        isEmpty={(all) => all.length === 0 && !query.hasNextPage}
        empty={<EmptyState icon="info" title={empty.title} text={empty.text} />}
        errorTitle={t('proof.mine.error')}
        errorText={t('proof.log.errorText')}
      >
        {(all) => (
          <>
            <Group>
              {all.map((own) => {
                const verdict = told.get(keyOf(own));
                return (
                  <Row
                    key={own.id}
                    title={own.title}
                    sub={dateTime(own.at, locale)}
                    value={own.value}
                    valueSub={verdict ? <StatusChip tone={TONE[verdict.state]}>{t(`proof.states.${verdict.state}`)}</StatusChip> : <span className="t2">{t('proof.mine.one')}</span>}
                    onClick={() => onOpen(own)}
                  />
                );
              })}
            </Group>
            {query.hasNextPage && (
              <div className={css.actions}>
                <Button kind="text" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {t('ui.showMore')}
                </Button>
              </div>
            )}
          </>
        )}
      </ListState>
    </>
  );
}

function Checks() {
  const locale = useLocale();
  const [options, contracts] = [useEndedOptions(), usePositionPages()];
  const ofOptions = options.data?.pages.flat().map((order) => ofOption(order, locale));
  const ofContracts = contracts.data?.pages.flat().flatMap((position) => (position.status === 3 || position.status === 4 ? ofContract(position, locale) : []));
  const all = [...(ofOptions ?? []), ...(ofContracts ?? [])];
  const { told, running, check } = useChecks();
  const [open, setOpen] = useState<{ own: Own; receipt: unknown } | null>(null);
  const show = async (own: Own) => {
    try {
      setOpen({ own, receipt: await readReceipt(own) });
    } catch {
      toast(t('proof.mine.error'));
    }
  };
  const list = { told, onOpen: (own: Own) => void show(own) };
  return (
    <>
      <List {...list} title={t('account.micro')} query={options} rows={ofOptions} empty={{ title: t('proof.mine.empty'), text: t('proof.mine.emptyText') }} />
      <List {...list} title={t('account.lever')} query={contracts} rows={ofContracts} empty={{ title: t('contracts.nonePast'), text: t('proof.mine.emptyText') }} />
      {/* A single receipt is checked in its row. */}
      {all.length > 1 && (
        <div className={css.actions}>
          <Button wide loading={running !== null} onClick={() => void check(all)}>
            {running ? t('proof.mine.progress', running) : t('proof.mine.all', { count: all.length })}
          </Button>
        </div>
      )}
      <LazySheet
        load={loadCheck}
        open={open !== null}
        receipt={open?.receipt}
        asked={open ? asking(open.own) : undefined}
        name={open ? `meridian-${open.own.product === 'option' ? 'receipt' : 'contract'}-${open.own.id}.json` : undefined}
        onClose={() => setOpen(null)}
        onAgain={() => open && void show(open.own)}
      />
    </>
  );
}

/** The member's ended options and contracts, each checked on this phone. */
export default function Mine() {
  return useLoggedIn() ? <Checks /> : <GuestPlate title={t('proof.mine.guest')} />;
}
