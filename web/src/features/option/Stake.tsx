import { useConfig } from '../../data/config';
import type { OptionPreset } from '../../generated/api';
import { t } from '../../lib/i18n';
import { amount, cmp, trim, wire, type Amount } from '../../lib/money';
import { href } from '../../lib/nav';
import { OPTIONS } from '../../lib/wire';
import { AmountField, type AmountText } from '../../ui/AmountField';
import { TextLink } from '../../ui/Button';
import { Chip } from '../../ui/Choice';
import { bounds, type Draft } from './model';
import { balanceText } from './text';
import css from './Option.module.css';

const PRESETS = ['10', '25', '50', '100'];
/** Money amounts; never a share of the account, and never the maximum. */
export function presets({ coin, duration, direction }: Draft, numbers: readonly OptionPreset[]): Amount[] {
  const limit = duration && bounds(duration, coin.id, direction);
  const texts = /^USD[TC]$/.test(coin.code) ? PRESETS : numbers.slice(1, 5).map(({ number }) => number);
  return texts.map(amount).filter((one) => !limit || (cmp(one, limit.min) >= 0 && cmp(one, limit.max) <= 0));
}

interface StakeProps {
  draft: Draft;
  presets: readonly Amount[];
  field: AmountText;
  input: React.RefObject<HTMLInputElement | null>;
  onBlur: () => void;
  available: Amount | undefined;
  short: boolean;
  error: string | undefined;
}

/** The stake: its field, money amounts, and where missing money can come from. */
export function Stake({ draft, presets, field, input, onBlur, available, short, error }: StakeProps) {
  const { coin, duration, direction } = draft;
  const limit = duration && bounds(duration, coin.id, direction);
  const sandbox = useConfig()?.mode === 'sandbox';
  const range = limit && t('options.range', { min: balanceText(trim(limit.min), ''), max: balanceText(trim(limit.max), '') });
  return (
    <>
      <fieldset disabled={!duration} className={css.stake}>
        <AmountField
          ref={input}
          label={t('options.stake')}
          aside={available && t('options.free', { amount: balanceText(available, coin.code) })}
          field={field}
          unit={coin.code}
          placeholder={range ?? t('options.chooseEnd')}
          error={error}
          onBlur={onBlur}
        />
        <div className={css.presets}>
          {presets.map((one) => (
            <Chip key={wire(one)} on={field.value !== undefined && cmp(field.value, one) === 0} disabled={!duration} onClick={() => field.set(one)}>
              {balanceText(trim(one), '')}
            </Chip>
          ))}
        </div>
      </fieldset>
      {short && (
        <div className={css.shortage}>
          <TextLink href={href('assets/transfer/index', { to: OPTIONS })}>{t('trade.transfer')}</TextLink>
          {sandbox && <TextLink href={href('assets/deposit/paper', { account: OPTIONS, coin: coin.id })}>{t('trade.paperMoney')}</TextLink>}
        </div>
      )}
    </>
  );
}
