import { useState } from 'react';
import { useCoins } from '../../data/config';
import { useCommit } from '../../data/commit';
import { refreshFunding, useAddresses } from '../../data/funding';
import { useReview } from '../../lib/review';
import type { Address } from '../../generated/api';
import { shortAddress } from '../../lib/address';
import { t, useLocale } from '../../lib/i18n';
import { href, replace, usePlace } from '../../lib/nav';
import { date, dateTime, serverNow } from '../../lib/time';
import { AddressInFours } from '../../ui/AddressText';
import { ButtonLink, IconButton } from '../../ui/Button';
import { SearchField } from '../../ui/Field';
import { CoinDisc } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Row, Screen, Section } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { RemovalSheet } from '../../ui/RemovalSheet';
import { toast } from '../../ui/Toast';
import shared from '../../ui/Form.module.css';
import { removeAddress } from './api';
import { groupByAsset } from './groupByAsset';

function Removal({ row, onClose }: { row: Address | undefined; onClose: () => void }) {
  const { state, busy, run } = useCommit<unknown>('address', true, onClose);
  const review = useReview(row, true);
  const send = ({ id }: Address) =>
    run(() => removeAddress(id), {
      done: async () => {
        await refreshFunding();
        toast(t('addresses.removed'));
        onClose();
      },
    });
  return (
    <RemovalSheet title={t('addresses.removeTitle')} review={review} busy={busy} state={state} onRemove={send} onClose={onClose}>
      {({ notes, nettype, address }) => (
        <>
          <p className="t2">
            {notes} {nettype}
          </p>
          <AddressInFours address={address} />
        </>
      )}
    </RemovalSheet>
  );
}

/** The list of withdrawal addresses. Opened with `pick=1`, it returns one to the withdrawal. */
export default function Addresses() {
  const locale = useLocale();
  const { query } = usePlace();
  const coins = useCoins();
  const book = useAddresses();
  const [text, setText] = useState('');
  const [removing, setRemoving] = useState<number>();
  const pick = query.get('pick') === '1';
  const only = query.get('coin');
  const wanted = pick && only ? coins.filter((coin) => String(coin.id) === only) : coins;
  const add = href('user/address/create', { ...(pick && { pick: 1 }), ...(only && { coin: only }) });
  const now = serverNow();
  const rows = book.data?.filter((row) => wanted.some((coin) => coin.id === row.currency));
  return (
    <Screen
      help
      title={t(pick ? 'addresses.pick' : 'addresses.title')}
      onRefresh={refreshFunding}
      footer={
        <ButtonLink kind="commit" wide href={add}>
          {t('addresses.add')}
        </ButtonLink>
      }
    >
      <ListState
        query={{ ...book, data: rows }}
        isEmpty={(data) => data.length === 0}
        empty={<EmptyState icon={icons.book} title={t('addresses.empty')} text={t('addresses.emptyText')} />}
        errorTitle={t('addresses.error')}
        errorText={t('assets.errorText')}
      >
        {(data) => {
          const found = groupByAsset(data, wanted, text);
          return (
            <>
              {data.length > 4 && (
                <div className={shared.search}>
                  <SearchField label={t('ui.search')} value={text} onValue={setText} />
                </div>
              )}
              {found.map((shelf) => (
                <section key={shelf.coin}>
                  <Section title={shelf.code} />
                  {shelf.rows.map((row) => {
                    const waits = row.usable_at_ms > now;
                    return (
                      <Row
                        key={row.id}
                        lead={<CoinDisc code={shelf.code} />}
                        title={
                          <span className={shared.title}>
                            {row.notes || shortAddress(row.address)}
                            <span className={shared.tag}>{row.nettype}</span>
                          </span>
                        }
                        sub={
                          <>
                            <span className="code">{shortAddress(row.address)}</span>
                            {' · '}
                            {waits ? <span className="caution">{t('withdraw.usableFrom', { time: dateTime(row.usable_at_ms, locale) })}</span> : t('funding.added', { date: date(row.created_at_ms, locale) })}
                          </>
                        }
                        {...(pick && { onClick: () => replace('assets/withdraw/index', { coin: row.currency, address: row.id }) })}
                        action={
                          !pick && (
                            <IconButton label={t('addresses.removeOne', { name: row.notes || shortAddress(row.address) })} onClick={() => setRemoving(row.id)}>
                              <Icon name={icons.trash} size={20} />
                            </IconButton>
                          )
                        }
                      />
                    );
                  })}
                </section>
              ))}
              {found.length === 0 && <EmptyState icon="search" title={t('ui.noMatch', { text })} />}
            </>
          );
        }}
      </ListState>
      {removing !== undefined && <Removal row={book.data?.find(({ id }) => id === removing)} onClose={() => setRemoving(undefined)} />}
    </Screen>
  );
}
