import { useState } from 'react';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Choice';
import { Field } from '../../ui/Field';
import { Note, StatusChip } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { ops, type Operator, type Role } from '../api';
import { ActDialog, NEW } from '../kit/Act';
import { Select } from '../kit/Fields';
import { ACTIONS, Screen, Table } from '../kit/Screen';
import { Nothing, Ready, stamp } from '../kit/States';
import type { AreaProps } from '../model/areas';
import { number } from '../route';
import { refresh, useOperatorName, useRead } from '../reads';
import { useMe } from '../session';
import css from './records.module.css';

const ROLES: readonly Role[] = ['support', 'verifier', 'treasury', 'market', 'auditor', 'admin'];

/** Who may log in here. A new operator, other roles and deactivation need two operators. */
export default function Operators({ may }: AreaProps) {
  const query = useRead('operators', {});
  const [open, setOpen] = useState<Operator | 'new' | 'role' | null>(null);
  const [letIn, setLetIn] = useState<Operator | null>(null);
  const me = useMe();
  const nameOf = useOperatorName();
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
          <Table label="Operators" head={['Number', 'Name', 'Roles', 'Same person as member', 'State', 'Last used', ACTIONS]}>
            {all.map((one) => (
              <tr key={one.id}>
                <td className="num">{one.id}</td>
                <td className="m">{one.name}</td>
                <td>{one.roles.join(', ')}</td>
                <td className="num">{one.linked_member || 'none'}</td>
                <td>
                  {one.active ? <StatusChip tone="done">Enabled</StatusChip> : <StatusChip tone="caution" icon="pause">Disabled</StatusChip>}
                  {!one.totp && <div className="cap t2">has not set up yet</div>}
                  {one.waits_for !== null && Boolean(one.totp) && <div className="cap t2">first log-in waits for {nameOf(one.waits_for)}</div>}
                </td>
                <td className="num">{one.last_at_ms === null ? 'never' : stamp(one.last_at_ms)}</td>
                <td className="right">
                  {may && one.waits_for === me.id && Boolean(one.totp) && (
                    <Button kind="commit" small onClick={() => setLetIn(one)} aria-label={`Release the first log-in of ${one.name}`}>
                      Release the first log-in
                    </Button>
                  )}
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
      {letIn && <Release operator={letIn} onClose={() => setLetIn(null)} />}
      {open === 'role' && <ReferralRole onClose={close} />}
      {open === 'new' && <Save operator={null} onClose={close} />}
      {open !== null && typeof open === 'object' && <Save operator={query.data?.find(({ id }) => id === open.id) ?? open} onClose={close} />}
    </Screen>
  );
}

const proposed = (id: number, onClose: () => void) => {
  toast(`Proposal ${id} made. A second person must confirm.`);
  refresh();
  onClose();
};

/** The last step for a new operator: their proposer has confirmed with them that the set-up was theirs. */
function Release({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  return (
    <ActDialog
      title={`Release the first log-in of ${operator.name}`}
      label="Release it"
      onClose={onClose}
      subject={{ id: operator.id, name: operator.name }}
      send={({ id }) => ops.post('operator/release', { id })}
      onDone={() => {
        toast(`${operator.name} can log in now`);
        refresh();
        onClose();
      }}
    >
      <p>The set-up link of {operator.name} was used. Ask the person, over a channel you trust, whether it was them: the person who used it logs in as {operator.name} from now on.</p>
    </ActDialog>
  );
}

const NO_MEMBER = 'none';

function blockedBy({ name, roles, active, linked, mail }: { name: string; roles: readonly Role[]; active: boolean; linked: string; mail: string | null }) {
  if ([...name.trim()].length < 2) return 'Enter a login name';
  if (roles.length === 0 && active) return 'Choose a role';
  if (!linked.trim()) return 'State the account as a member, or "none"';
  return mail !== null && !mail.includes('@') ? 'Enter the mail address of this person' : undefined;
}

function Save({ operator, onClose }: { operator: Operator | null; onClose: () => void }) {
  const present = (): { name: string; roles: readonly Role[]; active: boolean; linked: string } =>
    operator ? { name: operator.name, roles: operator.roles, active: Boolean(operator.active), linked: operator.linked_member || NO_MEMBER } : { name: '', roles: [], active: true, linked: '' };
  const [form, setForm] = useState(present);
  const [mail, setMail] = useState('');
  const { name, roles, active, linked } = form;
  const needsLink = active && !operator?.totp;
  const blocked = blockedBy({ name, roles, active, linked, mail: needsLink ? mail : null });
  return (
    <ActDialog
      subject={operator && { id: operator.id, name: operator.name, roles: operator.roles, active: operator.active, linked_member: operator.linked_member }}
      title={operator ? `Propose a change of ${operator.name}` : 'Propose an operator'}
      label={operator ? 'Propose the change' : 'Propose the operator'}
      blocked={blocked}
      reason={{ label: 'Reason', templates: operator ? ['Other duties', 'Left the team'] : ['New in the team'] }}
      onClose={onClose}
      onLook={() => setForm(present())}
      send={(one, reason) => ops.post('operator/save', { ...(one && { id: one.id }), name: name.trim(), roles: [...roles], active: active ? 1 : 0, linked_member: linked.trim().toLowerCase(), ...(needsLink && { mail: mail.trim() }), reason })}
      onDone={({ message }) => proposed(message.id, onClose)}
    >
      {!operator && <Note>Once a second person confirms, the link for the set-up goes to the mail address below. You then release the first log-in.</Note>}
      <Field label="Login name" autoComplete="off" spellCheck={false} maxLength={64} value={name} readOnly={operator !== null} onChange={(event) => setForm({ ...form, name: event.target.value })} />
      <Field label="Account number as a member, or none" autoComplete="off" spellCheck={false} maxLength={32} value={linked} onChange={(event) => setForm({ ...form, linked: event.target.value })} />
      {needsLink && <Field label="Mail address for the link" type="email" autoComplete="off" spellCheck={false} maxLength={254} value={mail} onChange={(event) => setMail(event.target.value)} />}
      <fieldset className={css.roles}>
        <legend className="t2">Roles</legend>
        {ROLES.map((role) => (
          <Checkbox key={role} checked={roles.includes(role)} onChange={(event) => setForm({ ...form, roles: event.target.checked ? [...roles, role] : roles.filter((one) => one !== role) })}>
            {role}
          </Checkbox>
        ))}
      </fieldset>
      {operator && (
        <Checkbox checked={active} onChange={(event) => setForm({ ...form, active: event.target.checked })}>
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
] as const;

function ReferralRole({ onClose }: { onClose: () => void }) {
  const [user, setUser] = useState('');
  const [role, setRole] = useState<(typeof REFERRAL)[number]['value']>('promoter');
  const id = number(user.trim());
  return (
    <ActDialog
      subject={NEW}
      title="Referral role of a user"
      label="Propose the role"
      blocked={id === null ? 'Enter the number of the user' : undefined}
      reason={{ label: 'Reason', templates: ['Agreed with the user'] }}
      onClose={onClose}
      send={(_, reason) => ops.post('user/role', { id: id ?? 0, role, reason })}
      onDone={({ message }) => proposed(message.id, onClose)}
    >
      <p>It sets the share of trading fees that this user gets for friends. It changes no right to trade.</p>
      <Field label="Number of the user" inputMode="numeric" autoComplete="off" value={user} onChange={(event) => setUser(event.target.value)} />
      <Select label="Role" options={REFERRAL} value={role} onValue={setRole} />
    </ActDialog>
  );
}
