import { ends, inFours } from '../lib/address';
import css from './AddressText.module.css';

/** A whole address: its ends stand out, and it is read out in fours. */
export function AddressText({ address }: { address: string }) {
  const [head, middle, tail] = ends(address);
  return (
    <span className={`code ${css.address}`}>
      <span className="vh">{inFours(address)}</span>
      <span aria-hidden="true">
        <b>{head}</b>
        {middle}
        <b>{tail}</b>
      </span>
    </span>
  );
}

/** The same in fours, to be compared before money leaves. */
export const AddressInFours = ({ address }: { address: string }) => <span className={`code ${css.fours}`}>{inFours(address)}</span>;
