import { useOfferings } from '../../data/coins';
import type { Commitment, Offering } from '../../generated/api';
import { commitmentState } from '../../lib/commitment';
import { t, useLocale } from '../../lib/i18n';
import { amount, make, sign, sub } from '../../lib/money';
import { href } from '../../lib/nav';
import { stamp } from '../../lib/time';
import { Button, ButtonLink } from '../../ui/Button';
import { ReceiptNumber } from '../../ui/ReceiptNumber';
import { Sheet } from '../../ui/Sheet';
import { CostLines, StatusChip, Timeline, type CostLine } from '../../ui/Status';
import { releasedAfter } from './formulas';
import { freeAt, scheduleOf } from './model';
import { coins, exactly, gain, percent, price, TONES, utcDay } from './text';
import css from './Coins.module.css';

/** Each release of the schedule with its day and share (N-6). */
function Releases({ row, offering }: { row: Commitment; offering: Offering }) {
  const all = amount(row.new_currency_num);
  const schedule = scheduleOf(offering);
  const released = amount(row.released_num).units;
  const steps = schedule.map(({ day }, n) => {
    const sum = releasedAfter(all.units, schedule, day);
    const part = make(sum - releasedAfter(all.units, schedule, schedule[n - 1]?.day ?? -1), all.scale);
    const done = sum <= released;
    return { title: coins(part, row.new_currency_name), text: offering.state === 'launched' || offering.state === 'ended' ? utcDay(freeAt(offering.online_time_ms, day)) : t('coins.dayAfter', { days: day }), state: done ? ('done' as const) : ('next' as const) };
  });
  return (
    <section>
      <h3 className={`h3 ${css.para}`}>{t('coins.releases')}</h3>
      <Timeline steps={steps} />
    </section>
  );
}

/** The state of a payment, as far as it is known. */
export function commitmentLines(row: Commitment, locale: string): CostLine[] {
  const { currency_name: coin, new_currency_name: token } = row;
  const allocated = row.exam_status !== 3;
  const got = sign(amount(row.new_currency_num)) > 0;
  return [
    { label: t('coins.paid'), value: exactly(row.amount, coin) },
    ...(coin === 'USDT' ? [] : [{ label: t('coins.worth'), value: exactly(row.value, 'USDT') }]),
    { label: t('coins.price'), value: price(row.change_rate) },
    ...(allocated
      ? [
          { label: t('coins.got'), value: coins(row.new_currency_num, token) },
          { label: t('coins.charged'), value: exactly(row.charge, coin) },
          { label: t('coins.refund'), value: exactly(row.refund, coin) },
        ]
      : []),
    ...(got
      ? [
          { label: t('coins.freed'), value: coins(row.released_num, token) },
          { label: t('coins.stillLocked'), value: coins(sub(amount(row.new_currency_num), amount(row.released_num)), token) },
          { label: t('coins.return'), value: `${gain(row.interest, 'USDT')} (${percent(row.interest_rate)})`, total: true },
        ]
      : []),
    { label: t('transfer.time'), value: stamp(row.created_at_ms, locale) },
  ];
}

/** The number of a payment, wherever it is shown. */
export function CommitmentNumber({ row }: { row: Commitment }) {
  const share = [row.new_currency_name, exactly(row.amount, row.currency_name), t(`coins.mine.${commitmentState(row)}`)];
  return <ReceiptNumber id={row.id} of="coin" label={t('trade.number')} copy={t('trade.copyNumber')} share={share} />;
}

interface Props {
  row: Commitment | undefined;
  open: boolean;
  onClose: () => void;
}

/** One payment: its allotment, what was returned, and when its coins become free. */
export default function CommitmentSheet({ row, open, onClose }: Props) {
  const locale = useLocale();
  const offering = useOfferings().data?.find(({ id }) => id === row?.config_id);
  if (!row) return null;
  const state = commitmentState(row);
  const token = row.new_currency_name;
  const trades = sign(amount(row.released_num)) > 0;
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={token}
      footer={
        <>
          {trades && <ButtonLink href={href('trade/kline', { symbol: `${token}/USDT` })}>{t('coins.trade', { code: token })}</ButtonLink>}
          <Button kind="commit" onClick={onClose}>
            {t('ui.done')}
          </Button>
        </>
      }
    >
      <div className={css.sheet}>
        <div>
          <StatusChip tone={TONES[state]}>{t(`coins.mine.${state}`)}</StatusChip>
        </div>
        <p className="t2 lab">{t(offering?.state === 'cancelled' ? 'coins.about.cancelled' : `coins.about.${state}`)}</p>
        <CostLines lines={commitmentLines(row, locale)} />
        {offering && sign(amount(row.new_currency_num)) > 0 && <Releases row={row} offering={offering} />}
        <CommitmentNumber row={row} />
      </div>
    </Sheet>
  );
}
