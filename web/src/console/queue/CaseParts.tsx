import { useState, type ReactNode } from 'react';
import { ends } from '../../lib/address';
import { Button } from '../../ui/Button';
import { Icon, type IconName } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { copyText } from '../kit/copy';
import type { Json, QueueItem } from '../api';
import { Facts as FactList, Section } from '../kit/Screen';
import { stamp, timed } from '../kit/States';
import { caseNumber } from '../model/areas';
import { checkText, foundBy, hidesReason, isMine, sortedChecks, stateText, tally, turn, type Found } from '../model/queue';
import { attempts, pastLoans, thread } from '../model/lists';
import { exact, flat, groups, inCase, isDestination, isTime, label, leaf, path } from '../model/values';
import { useOperatorName } from '../reads';
import { useMe } from '../session';
import css from './queue.module.css';

/** Compared by eye: groups of four, with the first and last six characters emphasised. */
export function Destination({ text }: { text: string }) {
  const [head, middle, tail] = ends(text);
  return (
    <span className={css.destination}>
      <span className="vh">{groups(text).join(' ')}</span>
      <span aria-hidden="true">
        <b>{head}</b>
        {middle}
        <b>{tail}</b>
      </span>
      <button type="button" aria-label="Copy" onClick={() => void copyText(text)}>
        <Icon name={icons.copy} size={14} />
      </button>
    </span>
  );
}

export function fieldValue(name: string, value: Json): ReactNode {
  if (isTime(leaf(name), value)) return stamp(value);
  if (isDestination(name, value)) return <Destination text={value} />;
  return inCase(name, value);
}

const text = (value: Json | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The amounts that leave or arrive, and their destination, shown first. The full list below has them to the last digit. */
export function Amounts({ item: { fields, row } }: { item: QueueItem }) {
  const amount = text(fields.amount) ?? text(fields.claimed);
  if (amount === undefined) return null;
  const unit = text(fields.currency_name) ?? (row.kind === 'bank_deposit' ? 'USD' : '');
  const received = text(fields.payout_usd) ?? text(fields.received);
  const arrives = received ?? text(fields.credited);
  const money = fields.payout_usd ? 'USD' : row.kind === 'bank_deposit' ? 'USDT' : unit;
  const to = text(fields.destination);
  return (
    <div className={css.amounts}>
      <div>
        <span className="cap t2">{row.kind === 'withdrawal' ? 'Leaves Spot' : row.kind === 'loan' ? 'Lent' : 'Claimed'}</span>
        <p className="h1 num">
          {exact(amount)} <small>{unit}</small>
        </p>
      </div>
      {arrives !== undefined && (
        <div className="right">
          <span className="cap t2">{received === undefined ? 'Credited' : 'User receives'}</span>
          <p className="h3 num">
            {exact(arrives)} <small>{money}</small>
          </p>
        </div>
      )}
      {to !== undefined && (
        <div className={css.whole}>
          <Destination text={to} /> <span className="t2">{text(fields.network)}</span>
        </div>
      )}
    </div>
  );
}

/** All fields exactly as they are signed: nothing rounded, nothing omitted. */
export function Facts({ item: { fields, row } }: { item: QueueItem }) {
  return (
    // A request or a chat is not decided, so its version is no number for people.
    <Section title="All that is decided" aside={row.hash && `version ${row.version}`}>
      <FactList facts={[['User', `${row.user_mask}, number ${row.user_id}`], ...flat(fields).map(([name, value]) => [path(name), fieldValue(name, value)] as const)]} />
      {row.hash && (
        <p className={`${css.hash} code t2`}>
          Hash that a decision signs
          <br />
          {row.hash}
        </p>
      )}
    </Section>
  );
}

const SPEAKERS: Record<string, string> = { user: 'User', support: 'Support', system: 'System' };

/** A ticket or a chat, oldest first. */
export function Thread({ item: { fields } }: { item: QueueItem }) {
  const said = thread(fields);
  if (!said.length) return null;
  return (
    <Section title="Messages" aside={`${said.length}`}>
      <ol className={css.thread}>
        {said.map(({ from, content, at }, n) => (
          <li key={n} className={from === 'user' ? undefined : css.ours}>
            <span className="cap t2">
              {SPEAKERS[from] ?? from}, {stamp(at)}
            </span>
            <p>{content}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The member's other submissions for identification, newest first. */
export function Attempts({ item: { fields } }: { item: QueueItem }) {
  const nameOf = useOperatorName();
  const others = attempts(fields);
  if (!others.length) return null;
  return (
    <Section title="Other attempts" aside={`${others.length}`}>
      <ol className={css.history}>
        {others.map(({ id, level, status, changed, approvedBy, reason }) => (
          <li key={id}>
            <time className="num t2" dateTime={new Date(changed).toISOString()}>
              {stamp(changed)}
            </time>
            <div>
              {caseNumber('identity', id)}, {level} level: {label(status).toLowerCase()}
              {approvedBy.length > 0 && `, approved by ${approvedBy.map(nameOf).join(' and ')}`}
              {reason && <q>{reason}</q>}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** How the member's other loans went, newest first. */
export function PastLoans({ item: { fields } }: { item: QueueItem }) {
  const others = pastLoans(fields);
  if (!others.length) return null;
  return (
    <Section title="Other loans" aside={`${others.length}`}>
      <ol className={css.history}>
        {others.map(({ id, lent, days, state, overdue, applied, due, ended }) => (
          <li key={id}>
            <time className="num t2" dateTime={new Date(applied).toISOString()}>
              {stamp(applied)}
            </time>
            <div>
              {caseNumber('loan', id)}, {lent} for {days} days: {state}
              {overdue > 0 && (
                <>
                  , <b>{overdue === 1 ? '1 overdue day' : `${overdue} overdue days`}</b>
                </>
              )}
              {due !== undefined && <div className="cap t2">due {stamp(due)}{ended !== undefined && `, ended ${stamp(ended)}`}</div>}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const MARKS: Readonly<Record<Found, IconName>> = { passed: 'check', failed: 'warn', unknown: icons.clock };

export function Checks({ item: { checks } }: { item: QueueItem }) {
  if (!checks.length) return null;
  return (
    <Section title="Checks, made now" aside={tally(checks)}>
      <ul className={css.checks}>
        {sortedChecks(checks).map((check) => {
          const found = foundBy(check);
          return (
            <li key={check.name} className={css[found]}>
              <Icon name={MARKS[found]} size={16} />
              <div>
                <b>{checkText(check)}</b> <span>{found === 'unknown' ? 'not known yet' : timed(check.detail)}</span>
                {found !== 'unknown' && <span className="vh">{found === 'passed' ? ', passed' : ', needs a person'}</span>}
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

const ORDINALS = ['First', 'Second', 'Third'];

/** Dual control: who approved, and whether this operator can be the next. */
export function Approvers({ item: { row } }: { item: QueueItem }) {
  const me = useMe();
  const nameOf = useOperatorName();
  if (row.needs === 0) return null;
  const mine = isMine(row.approvals, me.id);
  const next = turn(row, me.id);
  return (
    <Section title="Approvals" aside={row.needs > 1 ? `${row.needs} different people` : 'one person'}>
      <ol className={css.approvers}>
        {row.approvals.map(({ operator_id, at_ms }, n) => (
          <li key={operator_id} className={css.given}>
            <i aria-hidden="true">
              <Icon name="check" size={14} />
            </i>
            <div>
              <b>
                {ORDINALS[n]}: {nameOf(operator_id)}
              </b>
              <span>{stamp(at_ms)}</span>
            </div>
          </li>
        ))}
        {next !== 'done' && (
          <li className={mine ? undefined : css.yours}>
            <i aria-hidden="true">{row.approvals.length + 1}</i>
            <div>
              <b>{mine ? 'Needs another' : `${row.needs > 1 ? ORDINALS[row.approvals.length] : 'Decision'}: you`}</b>
              <span>{mine ? 'You approved. A second person must look for themselves.' : 'You have not approved this before. You can decide if your role allows it.'}</span>
            </div>
          </li>
        )}
      </ol>
      {next === 'done' && <p className="t2">{stateText(row, me.id)}</p>}
    </Section>
  );
}

export function History({ item: { history, row, checks } }: { item: QueueItem }) {
  const me = useMe();
  const nameOf = useOperatorName();
  const [open, setOpen] = useState(false);
  if (!history.length) return null;
  return (
    <Section title="History">
      <ol className={css.history}>
        {history.map((line, n) => (
          <li key={n}>
            <time className="num t2" dateTime={new Date(line.at_ms).toISOString()}>
              {stamp(line.at_ms)}
            </time>
            <div>
              {label(line.action)} {line.operator_id === null ? 'by the system or the user' : `by ${nameOf(line.operator_id)}`}
              {line.reason &&
                (hidesReason(line, row, checks, me.id) && !open ? (
                  <Button kind="text" small onClick={() => setOpen(true)}>
                    Show first reason
                  </Button>
                ) : (
                  <q>{line.reason}</q>
                ))}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
