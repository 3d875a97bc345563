import { useRef, useState, type FormEvent } from 'react';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Choice';
import { toast } from '../../ui/Toast';
import { ops, type QueueItem } from '../api';
import { Outcome, useAct } from '../kit/Act';
import { TextArea } from '../kit/Fields';
import css from './queue.module.css';

const MOST = 2000;

/** The answer to a ticket or a chat; earlier messages are in the details. */
export function Talk({ item: { row }, may, onSent }: { item: QueueItem; may: boolean; onSent: () => void }) {
  const [content, setContent] = useState('');
  const [close, setClose] = useState(false);
  const [tried, setTried] = useState(false);
  const sent = useRef({ content, close });
  const act = useAct<unknown>(() => {
    // What was typed meanwhile is the next answer.
    setContent((now) => (now === sent.current.content ? '' : now));
    setTried(false);
    toast(sent.current.close ? 'Sent and closed' : 'Sent');
    onSent();
  });
  if (!may) return <p className={`${css.act} t2`}>Your roles let you read this, not answer it.</p>;
  const length = [...content.trim()].length;
  const problem = length === 0 ? 'Write an answer' : length > MOST ? `${length - MOST} characters too many` : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problem || act.busy) return;
    const text = content.trim();
    sent.current = { content, close };
    void act.run((): Promise<unknown> => (row.kind === 'ticket' ? ops.post('ticket/reply', { id: row.id, content: text, close: close ? 1 : 0 }) : ops.post('chat/reply', { user_id: row.user_id, content: text })));
  };
  return (
    <form className={css.act} onSubmit={submit} noValidate>
      <TextArea label="Your answer, seen by the user" rows={3} value={content} onValue={setContent} aside={`${length} of ${MOST}`} error={tried ? problem : undefined} />
      {row.kind === 'ticket' && (
        <Checkbox checked={close} onChange={(event) => setClose(event.target.checked)}>
          Close the ticket with this answer
        </Checkbox>
      )}
      <Outcome state={act.state} />
      <div className={css.buttons}>
        <Button kind="commit" small type="submit" loading={act.busy}>
          {row.kind === 'ticket' && close ? 'Send and close' : 'Send answer'}
        </Button>
      </div>
    </form>
  );
}
