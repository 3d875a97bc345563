import { useRef, useState } from 'react';
import type { OptionOrder } from '../../generated/api';
import { useEndedOptions } from '../../data/options';
import { t, useLocale } from '../../lib/i18n';
import { fetchCode } from '../../lib/code';
import { dateTime } from '../../lib/time';
import { Button } from '../../ui/Button';
import { amountText } from '../../ui/Figures';
import { LazySheet } from '../../ui/LazySheet';
import { Group, Row } from '../../ui/Layout';
import { GuestPlate, ListState, Plate } from '../../ui/ListState';
import { StatusChip, type Tone } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import type { Verdict } from '../../ui/verify/check';
import { loadCheck, readReceipt } from './api';
import css from './Proof.module.css';

const verdictOn = async (id: number): Promise<Verdict> => (await fetchCode(loadCheck)).verdictOf(await readReceipt(id));

const TONE: Record<Verdict['state'], Tone> = { checking: 'info', pending: 'caution', broken: 'caution', good: 'done', bad: 'danger' };

/** Checks the receipts one after the other, so that the first verdicts are there at once. */
function useChecks() {
  const [told, setVerdict] = useState<ReadonlyMap<number, Verdict>>(new Map());
  const [running, setRunning] = useState<{ done: number; of: number } | null>(null);
  const busy = useRef(false);
  const check = async (orders: readonly OptionOrder[]) => {
    if (busy.current) return;
    busy.current = true;
    const tell = (id: number, verdict: Verdict) => setVerdict((all) => new Map(all).set(id, verdict));
    try {
      for (const [done, { id }] of orders.entries()) {
        setRunning({ done, of: orders.length });
        tell(id, { state: 'checking' });
        tell(id, await verdictOn(id).catch((): Verdict => ({ state: 'broken' })));
      }
    } finally {
      busy.current = false;
      setRunning(null);
    }
  };
  return { told, running, check };
}

function Orders({ orders, told, onOpen }: { orders: readonly OptionOrder[]; told: ReadonlyMap<number, Verdict>; onOpen: (order: OptionOrder) => void }) {
  const locale = useLocale();
  return (
    <Group>
      {orders.map((order) => {
        const verdict = told.get(order.id);
        return (
          <Row
            key={order.id}
            title={`${order.symbol_name} ${order.type_name}`}
            sub={dateTime(order.complete_at_ms ?? order.created_at_ms, locale)}
            value={amountText({ value: order.fact_profits ?? '0', code: order.currency_name, kind: 'result', signed: true }, locale)}
            valueSub={verdict ? <StatusChip tone={TONE[verdict.state]}>{t(`proof.states.${verdict.state}`)}</StatusChip> : <span className="t2">{t('proof.mine.one')}</span>}
            onClick={() => onOpen(order)}
          />
        );
      })}
    </Group>
  );
}

function Checks() {
  const query = useEndedOptions();
  const orders = query.data?.pages.flat();
  const { told, running, check } = useChecks();
  const [open, setOpen] = useState<{ id: number; receipt: unknown } | null>(null);
  const show = async ({ id }: { id: number }) => {
    try {
      setOpen({ id, receipt: await readReceipt(id) });
    } catch {
      toast(t('proof.mine.error'));
    }
  };
  return (
    <>
      <ListState
        query={{ ...query, data: orders }}
        isEmpty={(data) => data.length === 0}
        empty={<Plate icon="info" title={t('proof.mine.empty')} text={t('proof.mine.emptyText')} />}
        errorTitle={t('proof.mine.error')}
        errorText={t('proof.log.errorText')}
      >
        {(data) => (
          <>
            <Orders orders={data} told={told} onOpen={(order) => void show(order)} />
            <div className={css.actions}>
              <Button wide loading={running !== null} onClick={() => void check(data)}>
                {running ? t('proof.mine.progress', running) : t('proof.mine.all', { count: data.length })}
              </Button>
              {query.hasNextPage && (
                <Button kind="text" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {t('ui.showMore')}
                </Button>
              )}
            </div>
          </>
        )}
      </ListState>
      <LazySheet
        load={loadCheck}
        open={open !== null}
        receipt={open?.receipt}
        name={open ? `meridian-receipt-${open.id}.json` : undefined}
        onClose={() => setOpen(null)}
        onAgain={() => open && void show(open)}
      />
    </>
  );
}

/** The member's settled options, each checked on this phone. */
export const Mine = ({ loggedIn }: { loggedIn: boolean }) => (loggedIn ? <Checks /> : <GuestPlate title={t('proof.mine.guest')} />);
