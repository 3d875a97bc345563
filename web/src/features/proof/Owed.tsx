import { useRef, useState } from 'react';
import type { Found } from '../../data/leaf';
import type { Liabilities } from '../../generated/api';
import { fetchCode } from '../../lib/code';
import { t, useLocale } from '../../lib/i18n';
import { abs, add, amount, isZero, wire } from '../../lib/money';
import { stamp } from '../../lib/time';
import { checkCut } from '../../lib/verify/figures';
import { Button } from '../../ui/Button';
import { amountText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import { Card } from '../../ui/Layout';
import { LazySheet } from '../../ui/LazySheet';
import { ListState, EmptyState } from '../../ui/ListState';
import { CostLines, Note, StatusChip, type Tone } from '../../ui/Status';
import { loadLeaf, useOwed } from './api';
import css from './Proof.module.css';

type Asset = Liabilities['assets'][number];

/** Sums are recorded at every full ten minutes. */
const INTERVAL_MS = 600_000;
const interval = (ms: number) => Math.floor(ms / INTERVAL_MS);

const TONE: Record<Found['state'], Tone> = { good: 'done', none: 'info', pending: 'caution', later: 'caution', bad: 'danger', broken: 'caution' };

/** Checks the member's balances one after the other, so that the first verdicts appear at once. */
function useFinding(cut: Liabilities) {
  const none = { of: cut.seq, all: new Map<number, Found>(), assets: cut.assets };
  const [found, setFound] = useState(none);
  const [running, setRunning] = useState(false);
  const busy = useRef(false);
  const find = async () => {
    if (busy.current) return;
    busy.current = true;
    setRunning(true);
    setFound(none);
    try {
      const { findBalance, leftOut } = await fetchCode(loadLeaf);
      const look = async (some: Asset[], assets: Asset[]) => {
        for (const { currency_id: coin } of some) {
          const one = await findBalance(coin, cut);
          // Coins that the member never had need no verdict.
          if (one.state !== 'none') setFound(({ all }) => ({ of: cut.seq, all: new Map(all).set(coin, one), assets }));
        }
      };
      await look(cut.assets, cut.assets);
      const left = await leftOut(cut);
      await look(left, [...cut.assets, ...left]);
    } finally {
      busy.current = false;
      setRunning(false);
    }
  };
  return { ...(found.of === cut.seq ? found : none), running, find };
}

/** Whether the displayed accounts add up to the sum of the house. */
function addUp({ pools, total, external }: Asset): boolean {
  try {
    checkCut(pools, total, external);
    return true;
  } catch {
    return false;
  }
}

/** What is owed of one coin, and the verdict on the member's part. */
function Coin({ asset, found, onOpen }: { asset: Asset; found: Found | undefined; onOpen: () => void }) {
  const locale = useLocale();
  const shown = (value: string) => amountText({ value, code: asset.currency_name, full: true }, locale);
  const house = wire(add(abs(amount(asset.external)), amount(`-${asset.total}`)));
  const lines = [
    { label: t('proof.owed.members'), value: new Intl.NumberFormat(locale).format(asset.users) },
    { label: t('proof.owed.total'), value: shown(asset.total) },
    ...(asset.pools ?? []).map(({ account, balance }) => ({ label: t(`proof.pools.${account}`), value: shown(balance) })),
    { label: t('proof.pools.title'), value: shown(house) },
    { label: t('proof.owed.cameIn'), value: shown(wire(abs(amount(asset.external)))) },
  ];
  const right = addUp(asset);
  return (
    <>
      <details className={css.pool}>
        <summary>
          <span className="grow">{asset.currency_name}</span>
          {!right && <StatusChip tone="danger">{t('proof.states.bad')}</StatusChip>}
          <span className="num">{shown(asset.total)}</span>
          <Icon name="forward" size={18} />
        </summary>
        <CostLines lines={lines} />
        {!right && <p className="lab t2">{t('proof.reasons.sum')}</p>}
        {!asset.pools && <p className="cap t2">{t('proof.owed.older')}</p>}
        <p className="lab t2">{t('proof.owed.root')}</p>
        <p className={`code cap ${css.key}`}>{asset.root}</p>
      </details>
      {found && (
        <div className={css.found}>
          <StatusChip tone={TONE[found.state]}>{t(`proof.owed.states.${found.state}`)}</StatusChip>
          {found.state === 'good' && <span className="num lab">{shown(found.checked.balance)}</span>}
          {(found.state === 'good' || found.state === 'bad') && (
            <Button kind="text" small onClick={onOpen} aria-label={`${t('proof.owed.details')}, ${asset.currency_name}`}>
              {t('proof.owed.details')}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function Cut({ cut, before, loggedIn, onEarlier, onNewest, isNewest }: { cut: Liabilities; before: Liabilities | null; loggedIn: boolean; onEarlier: () => void; onNewest: () => void; isNewest: boolean }) {
  const locale = useLocale();
  const count = new Intl.NumberFormat(locale);
  const { all, assets, running, find } = useFinding(cut);
  const [open, setOpen] = useState<Asset | null>(null);
  // The cut for which all was looked up; negative if something could not be read.
  const [looked, setLooked] = useState(0);
  const gap = before !== null && interval(cut.time_ms) - interval(before.time_ms) > 1;
  const look = async () => {
    await find().then(
      () => setLooked(cut.seq),
      () => setLooked(-cut.seq),
    );
  };
  const owed = assets.filter(({ total, currency_id: id }) => !isZero(amount(total)) || all.has(id));
  const shown = open && all.get(open.currency_id);
  return (
    <Card>
      <p className="t2 lab">{t('proof.owed.text')}</p>
      <p className="b">{t('proof.owed.at', { time: stamp(cut.time_ms, locale) })}</p>
      {gap && before && <Note tone="caution">{t('proof.owed.gap', { from: stamp(before.time_ms, locale), to: stamp(cut.time_ms, locale) })}</Note>}
      {owed.map((asset) => (
        <Coin key={asset.currency_id} asset={asset} found={all.get(asset.currency_id)} onOpen={() => setOpen(asset)} />
      ))}
      <div role="status">
        {running && <Note icon="refresh">{t('proof.owed.finding')}</Note>}
        {!running && looked === cut.seq && all.size === 0 && <Note>{t('proof.owed.nothing')}</Note>}
        {!running && looked === -cut.seq && <Note tone="caution">{t('proof.owed.brokenText')}</Note>}
        {!running && [...all.values()].some(({ state }) => state === 'later') && <Note tone="caution">{t('proof.owed.laterText')}</Note>}
        {!running && [...all.values()].some(({ state }) => state === 'pending') && <Note tone="caution">{t('proof.receipt.pendingText')}</Note>}
      </div>
      {isNewest &&
        (loggedIn ? (
          <Button kind="commit" wide loading={running} onClick={() => void look()}>
            {t('proof.owed.find')}
          </Button>
        ) : (
          <p className="t2 lab">{t('proof.owed.guest')}</p>
        ))}
      <div className={css.between}>
        {cut.previous_seq !== null && (
          <Button kind="text" small onClick={onEarlier}>
            {t('proof.owed.earlier')}
          </Button>
        )}
        {!isNewest && (
          <Button kind="text" small onClick={onNewest}>
            {t('proof.owed.newest')}
          </Button>
        )}
      </div>
      <p className="cap t2 num">
        {t('proof.pools.from', { from: count.format((cut.previous_seq ?? 0) + 1), to: count.format(cut.seq) })} · {t('proof.entry', { seq: count.format(cut.recorded_seq) })}
      </p>
      <p className="cap t2">{t('proof.owed.honest')}</p>
      <LazySheet load={loadLeaf} open={open !== null && shown !== undefined} found={shown ?? undefined} coin={open?.currency_name ?? ''} onClose={() => setOpen(null)} />
    </Card>
  );
}

/** What the venue owes its members, cut by cut, and the member's own part. */
export function Owed({ loggedIn }: { loggedIn: boolean }) {
  const [seq, setSeq] = useState<number>();
  const query = useOwed(seq);
  return (
    <ListState query={query} rows={3} errorTitle={t('proof.owed.error')} errorText={t('proof.log.errorText')}>
      {(data) =>
        data ? (
          <Cut cut={data.cut} before={data.before} loggedIn={loggedIn} isNewest={seq === undefined} onEarlier={() => setSeq(data.cut.previous_seq ?? undefined)} onNewest={() => setSeq(undefined)} />
        ) : (
          <EmptyState icon="info" title={t('proof.owed.none')} text={t('proof.owed.noneText')} />
        )
      }
    </ListState>
  );
}
