import { useState } from 'react';
import { useRecommended } from '../../data/coins';
import { useTotal } from '../../data/total';
import { t, useLocale } from '../../lib/i18n';
import { amount, isZero, trim } from '../../lib/money';
import { go } from '../../lib/nav';
import { read, write } from '../../lib/storage';
import { Button } from '../../ui/Button';
import { amountText } from '../../ui/Figures';
import { Sheet } from '../../ui/Sheet';
import { Note } from '../../ui/Status';

const KEY = 'meridian.recommended';

/**
 * A new coin that the house recommends, shown once per device to a member who began this visit with money and has nothing open now, so
 * that it covers neither first steps nor a menu.
 */
export default function Recommended() {
  const locale = useLocale();
  const offering = useRecommended().data;
  const { all: total } = useTotal();
  const [funded, setFunded] = useState<boolean>();
  const [seen, setSeen] = useState(() => read<{ ids: number[] }>(KEY).ids ?? []);
  if (total && funded === undefined) setFunded(!isZero(total));
  const [interrupts, setInterrupts] = useState<boolean>();
  if (offering && funded && interrupts === undefined) setInterrupts(document.querySelector('dialog[open]') !== null);
  if (!offering || !funded || interrupts !== false) return null;
  const close = () => {
    const ids = [...seen, offering.id].slice(-50);
    write(KEY, { ids });
    setSeen(ids);
  };
  const supply = amountText({ value: trim(amount(offering.num)), code: offering.new_currency_name }, locale);
  const price = amountText({ value: offering.change_rate, code: 'USDT', full: true }, locale);
  return (
    <Sheet
      open={!seen.includes(offering.id)}
      onClose={close}
      title={offering.recommend_title}
      footer={
        <>
          <Button onClick={close}>{t('coins.notNow')}</Button>
          <Button
            kind="commit"
            onClick={() => {
              close();
              go('publication/details', { id: offering.id });
            }}
          >
            {t('coins.details')}
          </Button>
        </>
      }
    >
      <p>{t('coins.offered', { amount: supply, price })}</p>
      <Note tone="caution">
        <b>{t('coins.noteTitle')}</b> {t('coins.note')}
      </Note>
    </Sheet>
  );
}
