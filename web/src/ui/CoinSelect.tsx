import { CoinDisc } from './Figures';
import { Select } from './Picker';

interface Props {
  label: string;
  coins: readonly { id: number; code: string; name: string }[];
  value: number | undefined;
  onValue: (id: number) => void;
}

/** Select one of the coins, shown by disc, code and name. */
export const CoinSelect = ({ label, coins, value, onValue }: Props) => (
  <Select
    label={label}
    value={value}
    onValue={onValue}
    options={coins.map(({ id, code, name }) => ({ value: id, label: code, aside: name === code ? undefined : name, lead: <CoinDisc code={code} size="sm" /> }))}
  />
);
