import { useEffect } from 'react';
import { refreshFunding, useAddresses, useWithdrawals } from '../../data/funding';
import { useCommit } from '../../data/commit';
import { useReview, type Confirmed, type Review } from '../../lib/review';
import { useOnline } from '../../lib/online';
import type { WithdrawRow } from '../../generated/api';
import { shortAddress, shortCard } from '../../lib/address';
import { useNow } from '../../lib/clock';
import { t, useLocale, type Key } from '../../lib/i18n';
import { back, go, usePlace } from '../../lib/nav';
import { dateTime, serverNow, stamp } from '../../lib/time';
import { AddressText } from '../../ui/AddressText';
import { Button, IconButton, TextLink } from '../../ui/Button';
import { CommitNote } from '../../ui/CommitNote';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import { copyText, shareText } from '../../ui/copy';
import { amountText, BigAmount } from '../../ui/Figures';
import { Icon, type IconName } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card, Header, Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { ReceiptHelp } from '../../ui/ReceiptNumber';
import { Sheet } from '../../ui/Sheet';
import { CostLines, Note, Timeline } from '../../ui/Status';
import shared from '../../ui/Form.module.css';
import { cancel } from './api';
import { explorer, isOpen, stages, timeLeft } from './model';
import css from './Withdraw.module.css';

const TITLES: Record<WithdrawRow['state'], { title: Key; icon: IconName; look: string | undefined }> = {
  under_review: { title: 'withdraw.state.review', icon: icons.clock, look: '' },
  passed: { title: 'withdraw.state.passed', icon: icons.clock, look: '' },
  sent: { title: 'withdraw.state.sent', icon: 'check', look: css.sent },
  rejected: { title: 'withdraw.state.rejected', icon: 'close', look: css.ended },
  cancelled: { title: 'withdraw.state.cancelled', icon: 'close', look: css.ended },
  returned: { title: 'withdraw.state.returned', icon: 'warn', look: css.ended },
};

/** The promised time: until when, and how long that still is. */
function Promise12({ row }: { row: WithdrawRow }) {
  const locale = useLocale();
  useNow(10_000);
  const left = timeLeft(row.expected_at_ms, serverNow());
  const by = t('withdraw.by', { time: dateTime(row.expected_at_ms, locale) });
  if (!isOpen(row.state)) return null;
  return left ? (
    <p className="lab t2 num" role="timer">
      {by} {t('withdraw.timeLeft', left)}
    </p>
  ) : (
    <Note tone="caution">{t('withdraw.late')}</Note>
  );
}

type Cancelled = Pick<WithdrawRow, 'id' | 'number' | 'name'>;

function CancelSheet({ review }: { review: Review<Cancelled> }) {
  const locale = useLocale();
  const online = useOnline();
  const { state, busy, run } = useCommit<unknown>('cancellation', review.shown, review.close);
  const send = (one: Confirmed<Cancelled>) =>
    run(() => cancel(one), {
      done: async () => {
        await refreshFunding();
        review.close();
      },
    });
  return (
    <Sheet
      open={review.shown}
      onClose={review.close}
      title={t('withdraw.cancelTitle')}
      footer={
        <>
          <Button onClick={review.close}>{t('withdraw.keep')}</Button>
          {(busy || !review.gone) && (
            <Button kind="commit" loading={busy} reason={busy ? undefined : online ? staleReason(review) : t('withdraw.needsConnection')} onClick={() => review.confirm(send)}>
              {t('withdraw.cancel')}
            </Button>
          )}
        </>
      }
    >
      <div className={shared.stack}>
        <ReviewNote review={review} busy={busy} />
        {review.value && <p className="t2">{t('withdraw.cancelText', { amount: amountText({ value: review.value.number, code: review.value.name }, locale) })}</p>}
        <CommitNote state={state} />
      </div>
    </Sheet>
  );
}

function Receipt({ row }: { row: WithdrawRow }) {
  const locale = useLocale();
  // It can be cancelled until the first approval.
  const cancelling = useReview<Cancelled>(row.state === 'under_review' ? { id: row.id, number: row.number, name: row.name } : undefined);
  const kept = useAddresses().data?.find((one) => one.address === row.address && one.nettype === row.netType);
  const { title, icon, look } = TITLES[row.state];
  const code = row.name;
  const full = (value: string) => amountText({ value, code, full: true }, locale);
  const over = ['rejected', 'cancelled', 'returned'].includes(row.state);
  const place = row.is_bank || !row.tx ? undefined : explorer(row.netType, row.tx);
  const inTime = row.expected_at_ms > serverNow();
  const by = inTime ? t('withdraw.by', { time: dateTime(row.expected_at_ms, locale) }) : '';
  // The promise covers only our part; a bank takes its own days after it.
  const times: Partial<Record<Key, string>> = {
    'withdraw.stage.requested': dateTime(row.create_time_ms, locale),
    'withdraw.stage.arrives': row.is_bank ? t('deposit.bankTime') : by,
  };
  const steps = stages(row).map(({ title: name, text, state }) => ({
    title: t(name, { network: row.netType }),
    text: text === 'withdraw.stage.sentBankText' ? `${by} ${t(text)}` : text ? t(text) : times[name],
    state,
  }));
  const copied = (text: string, label: string) => (
    <span className={shared.line}>
      {text}
      <IconButton label={label} onClick={() => void copyText(text)}>
        <Icon name={icons.copy} size={18} />
      </IconButton>
    </span>
  );
  return (
    <Screen
      header={
        <Header
          start={<span />}
          end={
            <>
              <IconButton label={t('deposit.share')} onClick={() => void shareText([t(title), full(row.number), `${t('withdraw.number')} ${row.id}`].join('\n'))}>
                <Icon name={icons.share} />
              </IconButton>
              <IconButton label={t('ui.close')} onClick={back}>
                <Icon name="close" />
              </IconButton>
            </>
          }
        />
      }
      onRefresh={refreshFunding}
      footer={
        <div className={shared.two}>
          {row.state === 'under_review' && <Button onClick={cancelling.open}>{t('withdraw.cancel')}</Button>}
          <Button kind="commit" onClick={() => go('assets/index')}>
            {t('ui.done')}
          </Button>
        </div>
      }
    >
      <div className={css.hero} role="status">
        <span className={`${css.mark} ${look}`}>
          <Icon name={icon} size={32} />
        </span>
        <h1 className="h2">{t(title)}</h1>
        {over ? <BigAmount value={row.number} code={code} /> : <BigAmount value={row.payout_usd ?? row.real_number} code={row.payout_usd ? 'USD' : code} />}
        {!over && !row.is_bank && <p className="lab t2">{t('withdraw.toOn', { label: kept?.notes || shortAddress(row.address), network: row.netType })}</p>}
        <Promise12 row={row} />
        {over && <p className="t2">{t('withdraw.freeAgain', { amount: full(row.number) })}</p>}
      </div>
      <div className={css.parts}>
        {row.reason && <Note tone="danger">{t('withdraw.reason', { reason: row.reason })}</Note>}
        <Card>
          <Timeline steps={steps} />
        </Card>
        <Card>
          <CostLines
            lines={[
              { label: t('assets.amount'), value: full(row.number) },
              // Nothing was charged for a withdrawal that did not leave, and nothing arrives.
              ...(over
                ? []
                : [
                    { label: t(row.is_bank ? 'withdraw.fee' : 'withdraw.networkFee'), value: full(row.rate) },
                    ...(row.payout_usd ? [{ label: t('withdraw.afterFee'), value: full(row.real_number) }] : []),
                    { label: t('withdraw.receive'), value: row.payout_usd ? amountText({ value: row.payout_usd, code: 'USD' }, locale) : full(row.real_number), total: true },
                  ]),
              ...(row.netType ? [{ label: t('funding.network'), value: row.netType }] : []),
              { label: t(row.is_bank ? 'cards.card' : 'addresses.address'), value: row.is_bank ? shortCard(row.address) : <AddressText address={row.address} /> },
              ...(row.tx ? [{ label: t(row.is_bank ? 'deposit.reference' : 'deposit.tx'), value: <span className="code">{copied(row.tx, t('deposit.copyLine', { name: t('deposit.tx') }))}</span> }] : []),
              ...(row.notes ? [{ label: t('withdraw.remark'), value: row.notes }] : []),
              { label: t('transfer.time'), value: stamp(row.create_time_ms, locale) },
              { label: t('withdraw.number'), value: copied(String(row.id), t('transfer.copyNumber')) },
            ]}
          />
          {place && (
            <TextLink href={place} target="_blank" rel="noopener noreferrer">
              {t('withdraw.explorer')}
            </TextLink>
          )}
        </Card>
        <ReceiptHelp id={row.id} of="withdrawal" />
      </div>
      <CancelSheet review={cancelling} />
    </Screen>
  );
}

/** Where the money is now. */
export default function Detail() {
  useLocale();
  const id = usePlace().query.get('id');
  const query = useWithdrawals();
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const row = query.data?.pages.flatMap((page) => page.data).find((one) => String(one.id) === id);
  const searching = !row && hasNextPage && !isFetchNextPageError;
  // An old one may be on a later page.
  useEffect(() => {
    if (searching && !isFetchingNextPage) void fetchNextPage();
  }, [searching, isFetchingNextPage, fetchNextPage]);
  if (row) return <Receipt row={row} />;
  return (
    <Screen title={t('withdraw.plain')}>
      <ListState query={{ ...query, data: query.data && !searching ? true : undefined }} errorTitle={t('records.error')} errorText={t('assets.errorText')} rows={6}>
        {() => <EmptyState icon="search" title={t('withdraw.notFound')} text={t('withdraw.notFoundText')} />}
      </ListState>
    </Screen>
  );
}
