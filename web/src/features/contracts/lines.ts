import type { Position } from '../../generated/api';
import type { PriceLine } from '../../lib/priceLines';
import { t } from '../../lib/i18n';
import { wire } from '../../lib/money';
import { liquidationOf, sideOf } from '../../lib/position';
import { isHolding, stopOf, takeOf } from './position';

/** The chart's marks for the positions of a pair. */
export function linesOf(positions: readonly Position[], symbol: string): PriceLine[] {
  return positions
    .filter((position) => position.symbol === symbol && isHolding(position))
    .flatMap((position) => {
      const { id } = position;
      const [liquidation, stop, profit] = [liquidationOf(position), stopOf(position), takeOf(position)];
      const lines: PriceLine[] = [{ id: `p${id}.entry`, kind: 'entry', price: position.price, label: t(sideOf(position) === 'long' ? 'contracts.long' : 'contracts.short'), direction: sideOf(position) === 'long' ? 'up' : 'down' }];
      if (liquidation) lines.push({ id: `p${id}.liquidation`, kind: 'liquidation', price: wire(liquidation), label: t('contracts.liq') });
      if (stop) lines.push({ id: `p${id}.stopLoss`, kind: 'stopLoss', price: wire(stop), label: t('contracts.sl') });
      if (profit) lines.push({ id: `p${id}.takeProfit`, kind: 'takeProfit', price: wire(profit), label: t('contracts.tp') });
      return lines;
    });
}
