import { useEffect, useState } from 'react';
import { useBalance } from '../../data/balances';
import { useCommitments } from '../../data/coins';
import { useCommit } from '../../data/commit';
import { useCoin, useConfig } from '../../data/config';
import { draft } from '../../data/draft';
import { useFirstUse } from '../../data/firstUse';
import { requireLogin } from '../../data/session';
import { useProductContext } from '../../data/productContext';
import { useTicker } from '../../data/tickers';
import type { Commitment, Offering } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { t, useLocale, withProductWords } from '../../lib/i18n';
import { add, amount, make, sign, zero, type Amount } from '../../lib/money';
import { useReadOn } from '../../lib/named';
import { href } from '../../lib/nav';
import { useReview } from '../../lib/review';
import { serverNow } from '../../lib/time';
import { SPOT } from '../../lib/wire';
import { AmountField, useAmountInput, type AmountText, type Typed } from '../../ui/AmountField';
import { Button, TextLink } from '../../ui/Button';
import { Checkbox, Chip, Chips } from '../../ui/Choice';
import { Card, Screen } from '../../ui/Layout';
import { LazySheet } from '../../ui/LazySheet';
import { ReceiptFooter } from '../../ui/ReceiptFooter';
import { CostLines } from '../../ui/Status';
import type { Reviewed, subscribe } from './api';
import { BuyReview, Outcome, Receipt } from './BuyReview';
import { Allocation, Dates } from './Details';
import { wantedFor } from './formulas';
import { issueOf, mostOf, validate, valueOf, type OrderContext } from './model';
import { NamedOffering } from './NamedOffering';
import { balance, bare, coins, exactly, lockText, price, reasonText } from './text';
import css from './Coins.module.css';

const risk = withProductWords(() => import('../../ui/FirstUse'));
const kept = draft<Typed>();
type Pay = { id: number; name: string };

/** What the member has committed before, once all of it was read. */
function useBefore(offering: Offering): Amount | undefined {
  const query = useCommitments();
  const { data, hasNextPage } = query;
  useReadOn(true, query);
  if (!data || hasNextPage) return undefined;
  return data.pages.flatMap((page) => page.order_list).reduce((sum, row) => (row.config_id === offering.id ? add(sum, amount(row.value)) : sum), zero(6));
}

function useOrderContext(offering: Offering, coin: number): OrderContext {
  const wallet = useBalance(SPOT, coin);
  useNow(1_000);
  return {
    ...useProductContext('subscription'),
    available: wallet && amount(wallet.avail),
    before: useBefore(offering),
    now: serverNow(),
  };
}

const draftOf = (offering: Offering, coin: number) => `${offering.id} ${coin}`;

function useBuying(offering: Offering, coin: Pay, field: AmountText) {
  const key = draftOf(offering, coin.id);
  const index = useTicker(`${coin.name}/USDT`)?.index_price;
  const value = field.value && valueOf(field.value, coin.name, index);
  const [ticked, setTicked] = useState(false);
  const [asking, setAsking] = useState(false);
  const [bought, setBought] = useState<Commitment>();
  const first = useFirstUse('subscription');
  const context = useOrderContext(offering, coin.id);
  const review = useReview<Reviewed>(field.value && { id: offering.id, paid: field.value, coin: { id: coin.id, name: coin.name } });
  const commit = useCommit<Awaited<ReturnType<typeof subscribe>>>('subscription', review.shown, review.close);
  const reason = commit.busy ? undefined : validate(offering, field.parsed, value, ticked, context);
  const most = mostOf(offering, coin.name, index, context);
  // A payment that is being sent, or was made, is not kept as input.
  useEffect(() => kept.keep(commit.busy || bought ? undefined : field.typed, key), [commit.busy, bought, field.typed, key]);
  return { value, most, ticked, setTicked, asking, setAsking, bought, setBought, first, context, commit, review, reason };
}

/** Where missing money can come from. */
function Missing({ coin }: { coin: number }) {
  const sandbox = useConfig()?.mode === 'sandbox';
  return (
    <div className={css.fix}>
      <TextLink href={sandbox ? href('assets/deposit/paper', { coin }) : href('assets/deposit/index')}>{t(sandbox ? 'transfer.getMore' : 'assets.deposit')}</TextLink>
      <TextLink href={href('assets/flashpair')}>{t('convert.title')}</TextLink>
    </div>
  );
}

/** A payment coin with its free balance. */
function PayChip({ coin, on, onPick }: { coin: Pay; on: boolean; onPick: (id: number) => void }) {
  const wallet = useBalance(SPOT, coin.id);
  return (
    <Chip on={on} onClick={() => onPick(coin.id)}>
      {coin.name} {wallet && <span className="num">{bare(wallet.avail, coin.name)}</span>}
    </Chip>
  );
}

function Form({ offering }: { offering: Offering }) {
  useLocale();
  const [picked, setPicked] = useState(offering.currency_id);
  const coin: Pay = offering.pay_currencies.find(({ id }) => id === picked) ?? { id: offering.currency_id, name: offering.currency_name };
  const scale = useCoin(coin.id)?.scale ?? 6;
  const { field, input, shown, touch, onBlocked } = useAmountInput(scale, kept.read(draftOf(offering, coin.id)));
  const { value, most, ticked, setTicked, asking, setAsking, bought, setBought, first, context, commit, review, reason } = useBuying(offering, coin, field);
  const token = offering.new_currency_name;
  const issue = issueOf(offering);
  const text = reason && reasonText(reason, coin.name, scale);
  const typed = field.value && sign(field.value) > 0 ? field.value : undefined;
  if (bought) {
    return (
      <Screen title={token} footer={<ReceiptFooter href={href('publication/index', { tab: 'mine' })} label={t('coins.tab.mine')} />}>
        <div className={css.page}>
          <Receipt order={bought} offering={offering} />
        </div>
      </Screen>
    );
  }
  const footer = (
    <div className={css.foot}>
      <Checkbox checked={ticked} onChange={(event) => setTicked(event.target.checked)}>
        {lockText(offering).tick}
      </Checkbox>
      {reason?.name === 'guest' ? (
        <Button kind="commit" wide onClick={() => requireLogin()}>
          {text}
        </Button>
      ) : (
        <Button kind="commit" wide loading={commit.busy} reason={text} onBlocked={onBlocked} onClick={() => (first.needed ? setAsking(true) : review.open())}>
          {t('plans.review', { amount: typed ? exactly(typed, coin.name) : '' })}
        </Button>
      )}
    </div>
  );
  return (
    <Screen title={token} footer={footer}>
      <div className={css.page}>
        {offering.pay_currencies.length > 1 && (
          <Chips label={t('coins.payWith')}>
            {offering.pay_currencies.map(({ id, name }) => (
              <PayChip key={id} coin={{ id, name }} on={id === coin.id} onPick={setPicked} />
            ))}
          </Chips>
        )}
        <AmountField
          ref={input}
          label={t('coins.amount')}
          field={field}
          unit={coin.name}
          available={most}
          aside={context.available && t('coins.free', { amount: balance(context.available, coin.name) })}
          error={shown(reason?.name !== 'tick' ? text : undefined)}
          hint={value && coin.name !== 'USDT' ? t('coins.worthAbout', { amount: balance(value, 'USDT') }) : undefined}
          onBlur={touch}
        />
        {reason?.name === 'short' && <Missing coin={coin.id} />}
        {typed && value && (
          <>
            <Card tight>
              <CostLines
                lines={[
                  { label: t('coins.getMost'), value: coins(make(wantedFor(issue, value.units), issue.scale), token) },
                  { label: t('coins.price'), value: price(offering.change_rate) },
                ]}
              />
            </Card>
            <Outcome paid={typed} coin={coin} />
            <Allocation offering={offering} paid={typed} value={value} coin={coin.name} />
          </>
        )}
        <Dates offering={offering} />
      </div>
      <BuyReview offering={offering} review={review} commit={commit} reason={reason} value={value} available={context.available} onDone={setBought} />
      <LazySheet
        load={risk}
        product="subscription"
        open={asking}
        onClose={() => setAsking(false)}
        text={first.text}
        onDone={() => {
          first.accept();
          setAsking(false);
          review.open();
        }}
      />
    </Screen>
  );
}

/** How much to pay for a new coin, and with which coin. */
export default function Buy() {
  return <NamedOffering>{(offering) => <Form key={offering.id} offering={offering} />}</NamedOffering>;
}
