import type { ReactNode } from 'react';
import { useProduct } from '../../data/config';
import { useActivePair, usePriceAge } from '../../data/tickers';
import { t, useLocale, type Key } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { ButtonLink } from '../../ui/Button';
import { Change, CoinDisc, Price } from '../../ui/Figures';
import { Card } from '../../ui/Layout';
import { Note, StatusChip } from '../../ui/Status';
import css from './Explain.module.css';

const SYMBOL = 'BTC/USDT';

/** The live index that settles these products. */
function LivePrice({ children }: { children?: ReactNode }) {
  const pair = useActivePair(SYMBOL);
  const { age, stale } = usePriceAge(SYMBOL);
  if (!pair?.index_price) return null;
  return (
    <Card tight>
      <div className={css.live}>
        <CoinDisc code={pair.currency_name} />
        <div className={css.name}>
          <div className="b">{SYMBOL}</div>
          <div className="lab">
            <Change percent={pair.change} />
          </div>
        </div>
        <div className="right">
          <div className={stale ? 'h2 t2' : 'h2'}>
            <Price value={pair.index_price} digits={undefined} />
          </div>
          {stale ? (
            <StatusChip tone="caution">{age === null ? t('ui.notLive') : t('ui.age', { seconds: Math.floor(age / 1_000) })}</StatusChip>
          ) : (
            <span className="lab t2">{t('explain.indexPrice')}</span>
          )}
        </div>
      </div>
      {children}
    </Card>
  );
}

interface Props {
  /** "This server does not offer options." */
  absent: string;
  /** What the product is, in a sentence or two. */
  lead: string;
  /** Worst case first. */
  example: ReactNode;
  /** The rules, one sentence each. */
  steps: readonly Key[];
  /** Below the live price. */
  live?: ReactNode;
  /** False for a product that no index price settles. */
  priced?: boolean;
}

/** A product that this server does not offer: what it is, what it can cost, how it is settled. */
export function Explained({ absent, lead, example, steps, live, priced = true }: Props) {
  useLocale();
  const spot = useProduct('spot');
  return (
    <div className={css.page}>
      <Note>
        <b>{absent}</b> {t('explain.how')}
      </Note>
      {priced && <LivePrice>{live}</LivePrice>}
      <p className={css.lead}>{lead}</p>
      <Card>{example}</Card>
      <section>
        <h2 className="h3">{t('explain.settled')}</h2>
        <ol className={css.steps}>
          {steps.map((step) => (
            <li key={step}>{t(step)}</li>
          ))}
        </ol>
      </section>
      {spot && (
        <div className={css.next}>
          <p className="lab t2">{t('explain.spot')}</p>
          <ButtonLink small href={href('trade/index')}>
            {t('app.markets')}
          </ButtonLink>
        </div>
      )}
    </div>
  );
}
