import { t, useLocale } from '../../lib/i18n';
import { sign, type Kind } from '../../lib/money';
import { amountText, CoinDisc } from '../../ui/Figures';
import { Row } from '../../ui/Layout';
import type { CoinLine } from './model';

const HIDDEN = '••••';

/** A coin of the spot account: total, and either its value or its frozen part. */
export function CoinRow({ line, hidden, onOpen }: { line: CoinLine; hidden: boolean; onOpen: () => void }) {
  const locale = useLocale();
  const { code, name, total, free, frozen, value } = line;
  const text = (of: CoinLine['value'], unit: string, kind: Kind = 'balance') => (hidden ? HIDDEN : amountText({ value: of, code: unit, kind }, locale));
  const held = sign(frozen) > 0;
  return (
    <Row
      lead={<CoinDisc code={code} />}
      title={code}
      sub={held ? t('assets.frozenPart', { amount: text(frozen, code, 'cost') }) : name === code ? undefined : name}
      value={hidden ? HIDDEN : amountText({ value: total, code, bare: true }, locale)}
      valueSub={<span className="t2">{held ? t('assets.free', { free: text(free, code) }) : text(value, 'USDT')}</span>}
      onClick={onOpen}
    />
  );
}
