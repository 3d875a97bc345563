import type { Offering } from '../../generated/api';
import { t } from '../../lib/i18n';
import { share, type Amount } from '../../lib/money';
import { CoinDisc } from '../../ui/Figures';
import { StatusChip, type Tone } from '../../ui/Status';
import { askedOf } from './model';
import { coins, lockText, price, stateText } from './text';
import css from './Coins.module.css';

const TONES: Record<Offering['state'], Tone> = { upcoming: 'info', open: 'info', sold_out: 'caution', allocated: 'info', launched: 'done', ended: 'done', cancelled: 'danger' };

/** The coin and its price, its dates, and how long it is locked. */
export function Head({ offering, children }: { offering: Offering; children?: React.ReactNode }) {
  return (
    <>
      <div className={css.head}>
        <CoinDisc code={offering.new_currency_name} />
        <div className="grow">
          <div className="h3">{offering.new_currency_name}</div>
          <div className="lab t2 num">{t('coins.issued', { price: price(offering.change_rate) })}</div>
        </div>
        {children}
      </div>
      <div className={css.chips}>
        <StatusChip tone={TONES[offering.state]}>{stateText(offering)}</StatusChip>
        <StatusChip tone="caution" icon="lock">
          {lockText(offering).days}
        </StatusChip>
      </div>
    </>
  );
}

const width = (part: Amount, whole: Amount) => `${share(part, whole) * 100}%`;

/** How much of the supply is asked for. */
export function Subscribed({ offering }: { offering: Offering }) {
  const { asked, supply } = askedOf(offering);
  return (
    <>
      <div className={`lab ${css.sold}`}>
        <span className="t2">{t('coins.subscribed')}</span>
        <span className="num m">{t('coins.of', { amount: coins(asked, ''), supply: coins(supply, offering.new_currency_name) })}</span>
      </div>
      <div className={css.bar} aria-hidden="true">
        <i style={{ width: width(asked, supply) }} />
      </div>
    </>
  );
}
