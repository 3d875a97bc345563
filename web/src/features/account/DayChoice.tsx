import { t } from '../../lib/i18n';
import { RadioMark } from '../../ui/Choice';
import { Radios } from '../../ui/Radios';
import css from './Account.module.css';

interface Props<T> {
  days: readonly T[];
  name: (days: T) => string;
  value: T;
  onValue: (value: T) => void;
}

/** A choice of how many days a member stops something of their own. */
export function DayChoice<T extends number>({ days, name, value, onValue }: Props<T>) {
  const content = (option: T) => (
    <>
      <RadioMark on={option === value} />
      <span className="grow">{name(option)}</span>
    </>
  );
  return <Radios label={t('security.freezeHow')} row={css.choice} options={days.map((option) => ({ value: option, content: content(option) }))} value={value} onValue={onValue} />;
}
