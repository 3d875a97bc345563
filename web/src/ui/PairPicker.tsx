import { t, useLocale } from '../lib/i18n';
import { CoinDisc, PairName } from './Figures';
import { PickerSheet } from './Picker';

interface Props {
  open: boolean;
  onClose: () => void;
  symbols: readonly string[];
  symbol: string;
  onValue: (symbol: string) => void;
  /** The displayed price of a pair. */
  priceOf: (symbol: string) => string;
  searchable?: boolean;
}

/** Chooses another pair; each is shown with its price. */
export default function PairPicker({ symbols, symbol, priceOf, ...sheet }: Props) {
  useLocale();
  const options = symbols.map((name) => ({ value: name, label: <PairName symbol={name} />, lead: <CoinDisc code={name.split('/')[0] ?? ''} size="sm" />, aside: priceOf(name), search: name }));
  return <PickerSheet {...sheet} title={t('trade.choosePair')} value={symbol} options={options} />;
}
