import { ends, inFours } from '../lib/address';
import css from './AddressText.module.css';

/** A whole address: its ends are emphasised, and it is read out in groups of four. */
export function AddressText({ address }: { address: string }) {
  const [head, middle, tail] = ends(address);
  // In two lines, each about equally long.
  const half = Math.max(0, Math.ceil(address.length / 2) - head.length);
  return (
    <span className={`code ${css.address}`}>
      <span className="vh">{inFours(address)}</span>
      <span aria-hidden="true">
        <b>{head}</b>
        {middle.slice(0, half)}
        <wbr />
        {middle.slice(half)}
        <b>{tail}</b>
      </span>
    </span>
  );
}

/** The same in groups of four, to be compared before money leaves. */
export const AddressInFours = ({ address }: { address: string }) => <span className={`code ${css.fours}`}>{inFours(address)}</span>;
