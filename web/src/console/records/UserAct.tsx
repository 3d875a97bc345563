import { useState } from 'react';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { ops, type UserRow } from '../api';
import { ActDialog } from '../kit/Act';
import { Select } from '../kit/Fields';
import type { UserAct as Act } from '../model/areas';

interface Props {
  kind: Act;
  user: UserRow;
  onClose: () => void;
  onDone: () => void;
}

const LEVELS = [
  { value: '1', label: 'Basic' },
  { value: '2', label: 'Advanced' },
] as const;

export function UserAct({ kind, user, onClose, onDone }: Props) {
  const advanced = user.review_status2 === 2;
  const [scope, setScope] = useState<'all' | 'withdraw'>(user.status === 1 ? 'all' : 'withdraw');
  const [level, setLevel] = useState<'1' | '2'>(advanced ? '2' : '1');
  const proposed = (id: number) => {
    toast(`Proposal ${id} made. A second person must confirm.`);
    onDone();
  };
  if (kind === 'freeze')
    return (
      <ActDialog
        subject={user}
        title={`Freeze user ${user.id}`}
        label={scope === 'all' ? 'Freeze everything' : 'Freeze withdrawals'}
        grave
        reason={{ label: 'Reason, shown to the user', templates: ['Your account may be in foreign hands', 'You asked us to freeze it', 'We need to check a payment'] }}
        onClose={onClose}
        send={({ id }, reason) => ops.post('user/freeze', { id, scope, reason })}
        onDone={() => {
          toast(`User ${user.id} is frozen`);
          onDone();
        }}
      >
        <Note>It acts at once and needs one person. Unfreezing takes two.</Note>
        <Select
          label="Scope of the freeze"
          value={scope}
          onValue={setScope}
          options={[
            { value: 'withdraw', label: 'Withdrawals only' },
            { value: 'all', label: 'Everything: opening, transfers and withdrawals' },
          ]}
        />
      </ActDialog>
    );
  if (kind === 'end_sessions')
    return (
      <ActDialog
        subject={user}
        title={`End all sessions of user ${user.id}`}
        label="End all sessions"
        reason={{ label: 'Reason, shown to the user', templates: ['Your account may be in foreign hands', 'You asked us to sign you out everywhere'] }}
        onClose={onClose}
        send={({ id }, reason) => ops.post('user/end_sessions', { id, reason })}
        onDone={({ data }) => {
          toast(`${data.revoked} sessions ended`);
          onDone();
        }}
      >
        <Note>The user is signed out on every device and can log in again with the password. A freeze ends the sessions too.</Note>
      </ActDialog>
    );
  if (kind === 'unfreeze')
    return (
      <ActDialog
        subject={user}
        title={`Propose to unfreeze user ${user.id}`}
        label="Propose to unfreeze"
        reason={{ label: 'Reason', templates: ['The user proved who they are', 'The payment was checked'] }}
        onClose={onClose}
        send={({ id }, reason) => ops.post('user/unfreeze', { id, reason })}
        onDone={({ message }) => proposed(message.id)}
      >
        <p>A second person must confirm. It lifts our freeze and one that the user set until support lifts it. A freeze that the user set with an end lasts until then.</p>
      </ActDialog>
    );
  return (
    <ActDialog
      subject={user}
      title={`Propose to revoke the identity of user ${user.id}`}
      label="Propose to revoke"
      grave
      reason={{ label: 'Reason, shown to the user', templates: ['The document has expired', 'The document turned out to be false'] }}
      onClose={onClose}
      send={({ id }, reason) => ops.post('user/kyc_revoke', { id, level: level === '2' ? 2 : 1, reason })}
      onDone={({ message }) => proposed(message.id)}
    >
      <p>A second person must confirm. Open objects stay as they are.</p>
      <Select label="Level" value={level} onValue={setLevel} options={LEVELS.filter(({ value }) => (value === '1' ? user.review_status === 2 : advanced))} />
    </ActDialog>
  );
}
