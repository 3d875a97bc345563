import type { Address, Coin } from '../../generated/api';
import { plain } from '../../lib/search';

export interface AssetGroup {
  coin: number;
  code: string;
  rows: Address[];
}

/** Addresses by coin, in the order of the coins; the search covers label, address and network. */
export function groupByAsset(rows: readonly Address[], coins: readonly Pick<Coin, 'id' | 'code'>[], text: string): AssetGroup[] {
  const wanted = plain(text.trim());
  const fits = (row: Address) => plain(`${row.notes} ${row.address} ${row.nettype}`).includes(wanted);
  return coins.map(({ id, code }) => ({ coin: id, code, rows: rows.filter((row) => row.currency === id && fits(row)) })).filter((shelf) => shelf.rows.length > 0);
}
