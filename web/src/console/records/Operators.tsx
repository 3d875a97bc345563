import { useState } from 'react';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Choice';
import { Field } from '../../ui/Field';
import { Note, StatusChip } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { ops, type Operator, type Role } from '../api';
import type { AreaProps } from '../Desk';
import { ActDialog } from '../kit/Act';
import { Select } from '../kit/Fields';
import { ACTIONS, Screen, Table } from '../kit/Screen';
import { Nothing, Ready, stamp } from '../kit/States';
import { number } from '../route';
import { refresh, useRead } from '../reads';
import css from './records.module.css';

const ROLES: readonly Role[] = ['support', 'verifier', 'treasury', 'market', 'auditor', 'admin'];

/** Who may log in here. A new one, other roles and disabling take two people. */
export default function Operators({ may }: AreaProps) {
  const query = useRead('operators');
  const [open, setOpen] = useState<Operator | 'new' | 'role' | null>(null);
  const close = () => setOpen(null);
  return (
    <Screen
      title="Operators"
      at={query.dataUpdatedAt}
      actions={
        may && (
          <>
            <Button kind="line" small onClick={() => setOpen('role')}>
              Referral role of a user
            </Button>
            <Button kind="commit" small onClick={() => setOpen('new')}>
              Propose an operator
            </Button>
          </>
        )
      }
    >
      <Ready query={query} what="The operators" isEmpty={(all) => all.length === 0} empty={<Nothing title="No operators" />}>
        {(all) => (
          <Table label="Operators" head={['Number', 'Name', 'Roles', 'State', 'Last used', ACTIONS]}>
            {all.map((one) => (
              <tr key={one.id}>
                <td className="num">{one.id}</td>
                <td className="m">{one.name}</td>
                <td>{one.roles.join(', ')}</td>
                <td>
                  {one.active ? <StatusChip tone="done">Enabled</StatusChip> : <StatusChip tone="caution" icon="pause">Disabled</StatusChip>}
                  {!one.totp && <div className="cap t2">has not set up yet</div>}
                </td>
                <td className="num">{one.last_at_ms === null ? 'never' : stamp(one.last_at_ms)}</td>
                <td className="right">
                  {may && (
                    <Button kind="line" small onClick={() => setOpen(one)} aria-label={`Propose a change of ${one.name}`}>
                      Propose a change
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Ready>
      {open === 'role' && <ReferralRole onClose={close} />}
      {open === 'new' && <Save operator={null} onClose={close} />}
      {open !== null && typeof open === 'object' && <Save operator={open} onClose={close} />}
    </Screen>
  );
}

const proposed = (id: number, onClose: () => void) => {
  toast(`Proposal ${id} made. A second person must confirm.`);
  refresh();
  onClose();
};

function Save({ operator, onClose }: { operator: Operator | null; onClose: () => void }) {
  const [name, setName] = useState(operator?.name ?? '');
  const [roles, setRoles] = useState<readonly Role[]>(operator?.roles ?? []);
  const [active, setActive] = useState(operator ? Boolean(operator.active) : true);
  const blocked = [...name.trim()].length < 2 ? 'Enter a login name' : roles.length === 0 && active ? 'Choose a role' : undefined;
  return (
    <ActDialog
      title={operator ? `Propose a change of ${operator.name}` : 'Propose an operator'}
      label={operator ? 'Propose the change' : 'Propose the operator'}
      blocked={blocked}
      reason={{ label: 'Reason', templates: operator ? ['Other duties', 'Left the team'] : ['New in the team'] }}
      onClose={onClose}
      send={(reason) => ops.post('operator/save', { ...(operator && { id: operator.id }), name: name.trim(), roles: [...roles], active: active ? 1 : 0, reason })}
      onDone={({ message }) => proposed(message.id, onClose)}
    >
      {!operator && <Note>Once a second person confirms, that person sees the link for the set-up, this once.</Note>}
      <Field label="Login name" autoComplete="off" spellCheck={false} maxLength={64} value={name} readOnly={operator !== null} onChange={(event) => setName(event.target.value)} />
      <fieldset className={css.roles}>
        <legend className="t2">Roles</legend>
        {ROLES.map((role) => (
          <Checkbox key={role} checked={roles.includes(role)} onChange={(event) => setRoles(event.target.checked ? [...roles, role] : roles.filter((one) => one !== role))}>
            {role}
          </Checkbox>
        ))}
      </fieldset>
      {operator && (
        <Checkbox checked={active} onChange={(event) => setActive(event.target.checked)}>
          Enabled. A disabled operator is logged out at once.
        </Checkbox>
      )}
    </ActDialog>
  );
}

const REFERRAL = [
  { value: 'user', label: 'User' },
  { value: 'promoter', label: 'Promoter' },
  { value: 'partner', label: 'Partner' },
];

function ReferralRole({ onClose }: { onClose: () => void }) {
  const [user, setUser] = useState('');
  const [role, setRole] = useState('promoter');
  const id = number(user.trim());
  return (
    <ActDialog
      title="Referral role of a user"
      label="Propose the role"
      blocked={id === null ? 'Enter the number of the user' : undefined}
      reason={{ label: 'Reason', templates: ['Agreed with the user'] }}
      onClose={onClose}
      send={(reason) => ops.post('user/role', { id, role, reason })}
      onDone={({ message }) => proposed(message.id, onClose)}
    >
      <p>It sets the share of trading fees that this user gets for friends. It changes no right to trade.</p>
      <Field label="Number of the user" inputMode="numeric" autoComplete="off" value={user} onChange={(event) => setUser(event.target.value)} />
      <Select label="Role" options={REFERRAL} value={role} onValue={setRole} />
    </ActDialog>
  );
}
