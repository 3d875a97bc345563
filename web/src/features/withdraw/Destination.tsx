import type { Address, Card } from '../../generated/api';
import { ends, shortAddress, shortCard } from '../../lib/address';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { date, dateTime } from '../../lib/time';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Row } from '../../ui/Layout';
import shared from '../../ui/Form.module.css';
import css from './Withdraw.module.css';

/** Where the money goes: a stored address or a bank card. */
export interface Goal {
  id: number;
  /** Number of the card, for cards only. */
  card: number | undefined;
  chain: string | undefined;
  /** Label of the address, or the bank. */
  name: string;
  /** Whole address, or the visible part of the card. */
  text: string;
  usable_at_ms: number;
  added: number;
}

export const ofAddress = ({ id, nettype, notes, address, usable_at_ms, created_at_ms }: Address): Goal => ({
  id,
  card: undefined,
  chain: nettype,
  name: notes || shortAddress(address),
  text: address,
  usable_at_ms,
  added: created_at_ms,
});

export const ofCard = ({ id, bank_name, real_name, bank_account, usable_at_ms, create_time_ms }: Card): Goal => ({
  id,
  card: id,
  chain: undefined,
  name: bank_name,
  text: `${real_name}, ${shortCard(bank_account)}`,
  usable_at_ms,
  added: create_time_ms,
});

/** First and last six characters of an address, and since when it is stored. */
function Kept({ goal: { text, added } }: { goal: Goal }) {
  const locale = useLocale();
  const [head, middle, tail] = ends(text);
  return (
    <>
      <b>{head}</b>
      {middle && '…'}
      <b>{tail}</b>
      {' · '}
      {t('funding.added', { date: date(added, locale) })}
    </>
  );
}

/** The chosen destination; a tap opens the list. */
export function Destination({ goal, bank, coin, now }: { goal: Goal | undefined; bank: boolean; coin: number; now: number }) {
  const locale = useLocale();
  const book = bank ? href('bankbind/index', { pick: 1 }) : href('user/address/index', { pick: 1, coin });
  const create = bank ? href('bankbind/addbank', { pick: 1 }) : href('user/address/create', { pick: 1, coin });
  return (
    <div>
      <div className="lab t2 m">{t('withdraw.to')}</div>
      <div className={css.pick}>
        {goal ? (
          <Row
            lead={
              <span className={css.disc}>
                <Icon name={bank ? icons.bank : icons.addressBook} size={18} />
              </span>
            }
            title={
              <span className={shared.title}>
                {goal.name}
                {goal.chain && <span className={shared.tag}>{goal.chain}</span>}
              </span>
            }
            sub={goal.usable_at_ms > now ? <span className="caution">{t('withdraw.usableFrom', { time: dateTime(goal.usable_at_ms, locale) })}</span> : bank ? goal.text : <Kept goal={goal} />}
            href={book}
            chevron
          />
        ) : (
          <Row lead={<Icon name={icons.plus} />} title={t(bank ? 'cards.addFirst' : 'addresses.addFirst')} sub={t(bank ? 'cards.addFirstText' : 'addresses.emptyText')} href={create} chevron />
        )}
      </div>
    </div>
  );
}
