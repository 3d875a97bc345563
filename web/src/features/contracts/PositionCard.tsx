import { usePriceAge } from '../../data/tickers';
import type { Position } from '../../generated/api';
import { t } from '../../lib/i18n';
import { sign, type Amount } from '../../lib/money';
import { liquidationOf, sideOf } from '../../lib/position';
import { Button } from '../../ui/Button';
import { CoinDisc, PairName } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import { Card } from '../../ui/Layout';
import { Arrow, Note, SideTag, StatusChip } from '../../ui/Status';
import { baseOf, positionSide, priceAt, quoteOf, sizeText } from '../../ui/positionText';
import { ifHit, liveOf, stopOf, takeOf } from './position';
import { Ruler } from './Ruler';
import type { Market } from './terms';
import { bare, cost, percentOf } from './text';
import css from './Contracts.module.css';

export const PEN = 'M5 19l1-4L16 5l3 3L9 18z';

/** Profit or loss at the present price: the figure, and its share of the margin. */
function Profit({ profit, percent }: { profit: Amount | undefined; percent: Amount | undefined }) {
  if (!profit) return <span className="h3 num t2">—</span>;
  const direction = sign(profit) > 0 ? 'up' : sign(profit) < 0 ? 'down' : 'even';
  return (
    <span className={`right num ${direction === 'even' ? 't2' : direction}`}>
      <span className="h3">{bare(profit, 'result')}</span>
      {percent && (
        <span className="lab flex gap1" style={{ justifyContent: 'flex-end' }}>
          <Arrow direction={direction} />
          {percentOf(percent, 'result')}
        </span>
      )}
    </span>
  );
}

function Warning({ position, live }: { position: Position; live: ReturnType<typeof liveOf> | undefined }) {
  const liquidation = liquidationOf(position);
  if (!liquidation) return null;
  if (live?.near && live.distance) {
    return (
      <div className={css.note}>
        <Note tone="caution">{t(stopOf(position) ? 'contracts.nearStopped' : 'contracts.near', { percent: percentOf(live.distance), price: priceAt(liquidation) })}</Note>
      </div>
    );
  }
  if (stopOf(position)) return null;
  return (
    <div className={css.note}>
      <Note tone="caution">{t('contracts.noStop', { price: priceAt(liquidation), margin: cost(position.caution_money, quoteOf(position)) })}</Note>
    </div>
  );
}

interface Props {
  position: Position;
  /** The index now; undefined while unknown. */
  mark: Amount | undefined;
  market: Market | undefined;
  onOpen: () => void;
  onEdit: () => void;
  onClose: () => void;
}

/** One open position with its live profit or loss and its actions. */
export function PositionCard({ position, mark, market, onOpen, onEdit, onClose }: Props) {
  const { age, stale } = usePriceAge(position.symbol);
  const live = mark && liveOf(position, mark, market?.quote.scale ?? 6);
  const [stop, profit] = [stopOf(position), takeOf(position)];
  const hit = (trigger: Amount | undefined) => t('contracts.ifHit', { result: bare(trigger && market && ifHit(position, market, trigger), 'result') });
  const figures: { label: string; value: string }[] = [
    { label: t('contracts.open'), value: priceAt(position.price) },
    { label: t('contracts.now'), value: mark ? priceAt(mark) : '—' },
    { label: t('contracts.value'), value: bare(live?.value) },
    { label: t('contracts.margin'), value: bare(position.caution_money, 'cost') },
    ...(profit ? [{ label: `${t('contracts.tp')} ${priceAt(profit)}`, value: hit(profit) }] : []),
    ...(stop ? [{ label: `${t('contracts.sl')} ${priceAt(stop)}`, value: hit(stop) }] : []),
  ];
  return (
    <Card tight aria-label={`${position.symbol}, ${positionSide(position)}, ${sizeText(position)}`}>
      <button type="button" className={css.top} onClick={onOpen} aria-label={t('contracts.details', { what: `${position.symbol} ${positionSide(position)}` })}>
        <CoinDisc code={baseOf(position)} />
        <span className={css.name}>
          <span className={css.title}>
            <span className="b">
              <PairName symbol={position.symbol} />
            </span>
            <SideTag direction={sideOf(position) === 'long' ? 'up' : 'down'}>{positionSide(position)}</SideTag>
          </span>
          <span className="lab t2 num">{sizeText(position)}</span>
        </span>
        <Profit profit={live?.profit} percent={live?.percent} />
      </button>
      {stale && (
        <p className={css.note}>
          <StatusChip tone="caution">{age === null ? t('ui.notLive') : t('ui.age', { seconds: Math.floor(age / 1000) })}</StatusChip>
        </p>
      )}
      {live && <Ruler position={position} mark={live.mark} gains={sign(live.profit) >= 0} />}
      <dl className={`${css.figures} num`}>
        {figures.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {live?.distance && !live.near && <p className={`${css.distance} cap t3 num`}>{t('contracts.distance', { percent: percentOf(live.distance) })}</p>}
      <Warning position={position} live={live} />
      <div className={css.buttons}>
        <Button small onClick={onEdit}>
          <span className="flex gap1">
            <Icon name={PEN} size={16} />
            {t(stop || profit ? 'contracts.edit' : 'contracts.addStop')}
          </span>
        </Button>
        <Button small kind="line" onClick={onClose}>
          {t('contracts.close')}
        </Button>
      </div>
    </Card>
  );
}
