import { useState } from 'react';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { ops, type Observation } from '../api';
import type { Result } from '../../lib/http';
import { Outcome, useAct } from '../kit/Act';
import { Dialog } from '../kit/Dialog';
import { Select } from '../kit/Fields';
import { disagreeing, label } from '../model/values';
import { refresh, useConfig } from '../reads';
import css from './control.module.css';

const EMPTY = { tx: '', output: '', address: '', amount: '', confirmations: '' };
type Written = typeof EMPTY;
const HINTS: Record<keyof Written, string> = {
  tx: 'As the explorer of the chain shows it',
  output: 'Number of the output or of the log line, from 0',
  address: 'The address that received it',
  amount: 'Amount that arrived, with its decimal point',
  confirmations: 'Blocks on top of it, now',
};

/** Entered twice by the same operator, then once by another, so that a typing error credits no one. */
export function Entry({ onClose }: { onClose: () => void }) {
  const coins = useConfig().data?.currencies ?? [];
  const places = coins.flatMap((coin) => coin.networks.map(({ chain }) => ({ value: `${coin.id}/${chain}`, label: `${coin.code} on ${chain}` })));
  const [place, setPlace] = useState('');
  const [first, setFirst] = useState<Written>(EMPTY);
  const [second, setSecond] = useState<Written>(EMPTY);
  const [again, setAgain] = useState(false);
  const [tried, setTried] = useState(false);
  const act = useAct(({ message }: Result<Observation, unknown>) => {
    refresh();
    toast(message.state === 'matched' ? `Observation ${message.id} matches the entry of your colleague` : message.state === 'conflict' ? `Observation ${message.id} differs from the entry of your colleague` : `Observation ${message.id} entered. Another person must enter the same.`, message.state === 'conflict' ? { icon: 'warn' } : {});
    onClose();
  });
  const chosen = place || places[0]?.value || '';
  const [coin = '', chain = ''] = chosen.split('/');
  const form = again ? second : first;
  const set = again ? setSecond : setFirst;
  const wrong = again ? disagreeing(first, second) : [];
  const problem = (name: keyof Written): string | undefined => {
    const text = form[name].trim();
    if (!text) return 'Needed';
    if ((name === 'output' || name === 'confirmations') && !/^\d{1,9}$/.test(text)) return 'A whole number';
    if (name === 'amount' && !/^\d+(\.\d+)?$/.test(text)) return 'Digits and a point';
    return wrong.includes(name) ? 'Not what you entered before' : undefined;
  };
  const names = Object.keys(EMPTY) as (keyof Written)[];
  const next = () => {
    setTried(true);
    if (names.some(problem) || act.busy) return;
    if (!again) {
      setAgain(true);
      setTried(false);
      return;
    }
    void act.run(() =>
      ops.post('observation', { chain, tx: first.tx.trim(), output: parseInt(first.output, 10), address: first.address.trim(), currency_id: parseInt(coin, 10), amount: first.amount.trim(), confirmations: parseInt(first.confirmations, 10) }),
    );
  };
  return (
    <Dialog
      title={again ? 'Enter it a second time' : 'Enter a transfer by hand'}
      locked={act.busy}
      onClose={onClose}
      footer={
        <>
          {again && (
            <Button kind="line" small onClick={() => setAgain(false)}>
              Back to the first entry
            </Button>
          )}
          <Button kind="commit" small loading={act.busy} onClick={next}>
            {again ? 'Enter the observation' : 'Go on to the second entry'}
          </Button>
        </>
      }
    >
      <Note>{again ? 'From the explorer again, not from memory. Both entries must be the same.' : 'Look it up in an explorer you trust. You enter it twice; then a second person enters it too.'}</Note>
      {again ? <p className="t2">{places.find(({ value }) => value === chosen)?.label}</p> : <Select label="Coin and network" options={places} value={chosen} onValue={setPlace} />}
      <div className={css.grid} key={again ? 'second' : 'first'}>
        {names.map((name) => (
          <Field
            key={name}
            label={label(name)}
            hint={HINTS[name]}
            autoComplete="off"
            spellCheck={false}
            error={tried ? problem(name) : undefined}
            value={form[name]}
            onChange={(event) => set({ ...form, [name]: event.target.value })}
          />
        ))}
      </div>
      <Outcome state={act.state} />
    </Dialog>
  );
}
