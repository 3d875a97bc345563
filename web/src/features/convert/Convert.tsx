import { useState } from 'react';
import { useBalance } from '../../data/balances';
import { useCommit } from '../../data/commit';
import { useCoins, useConfig } from '../../data/config';
import { draft } from '../../data/draft';
import { requireLogin } from '../../data/session';
import { useProductContext } from '../../data/productContext';
import type { FlashQuote } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amount, sign, wire, rescale } from '../../lib/money';
import { href, idInAddress, usePlace } from '../../lib/nav';
import { refusalText } from '../../lib/refusal';
import { SPOT } from '../../lib/wire';
import { AmountField, type Typed } from '../../ui/AmountField';
import { Button, ButtonLink, IconButton } from '../../ui/Button';
import { CoinSelect } from '../../ui/CoinSelect';
import { CommitNote } from '../../ui/CommitNote';
import { UNKNOWN } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import { useKeptAmount } from '../../ui/keptAmount';
import { Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { CostLines, Note } from '../../ui/Status';
import { refreshConversions, useConvertible, useQuote, type acceptQuote, type Quoted, type QuoteRequest } from './api';
import { Held } from './Held';
import { History } from './History';
import { begin, choose, convertible, validate, type Convertible, type Pair } from './model';
import { ReviewSheet } from './ReviewSheet';
import { balanceText, costLines, rateTexts, reasonText } from './text';
import css from './Convert.module.css';

const kept = draft<Typed>();

/** The held rate and its cost; until there is one, space for it. */
function Rate({ quoted, from, to, onAsk }: { quoted: Quoted; from: Convertible; to: Convertible; onAsk: () => void }) {
  useLocale();
  if (quoted.step === 'none') return null;
  if (quoted.step === 'refused') {
    return (
      <div role="alert">
        <Note tone="caution">
          {refusalText(quoted.error)}{' '}
          <Button kind="text" small onClick={onAsk}>
            {t('convert.ask')}
          </Button>
        </Note>
      </div>
    );
  }
  const { quote } = quoted;
  return (
    <>
      {quoted.step === 'held' ? <Held until={quoted.quote.expires_ms} /> : <p className={`${css.held} lab t2`}>{t(quoted.step === 'asking' ? 'convert.fresh' : 'convert.paused')}</p>}
      {quote && (
        <>
          <div className={`${css.rates} lab t2 num`}>
            {rateTexts(quote, from, to).map((text) => (
              <span key={text}>{text}</span>
            ))}
          </div>
          <CostLines lines={costLines(quote, from, to)} />
        </>
      )}
    </>
  );
}

function Form({ left, right }: { left: readonly Convertible[]; right: readonly Convertible[] }) {
  const { query } = usePlace();
  const sandbox = useConfig()?.mode === 'sandbox';
  const [pair, setPair] = useState<Pair>(() => begin(left.map(({ id }) => id), right.map(({ id }) => id), idInAddress(query.get('from')), idInAddress(query.get('to'))));
  const from = left.find(({ id }) => id === pair.from);
  const to = right.find(({ id }) => id === pair.to && id !== pair.from);
  const balance = useBalance(SPOT, from?.id);
  const available = balance && amount(balance.avail);
  const context = { ...useProductContext('flash'), available };
  const [review, setReview] = useState<{ quote: FlashQuote; shown: boolean }>();
  const hide = () => review && setReview({ ...review, shown: false });
  const commit = useCommit<Awaited<ReturnType<typeof acceptQuote>>>('convert', review?.shown, hide);
  const { field, input, shown: complaintOf, touch, onBlocked, clear } = useKeptAmount(kept, from, commit.state.step === 'done' || commit.busy);
  const reasons = commit.busy ? [] : validate(field.parsed, from, to, context);
  const reason = reasons[0];
  const wanted: QuoteRequest | undefined = !reason && from && to && field.value ? { from: from.id, to: to.id, amount: wire(rescale(field.value, from.scale)) } : undefined;
  const { quoted, ask } = useQuote(wanted, review?.shown === true);

  const look = async () => {
    const quote = await ask();
    if (quote) setReview({ quote, shown: true });
  };
  const close = () => {
    hide();
    if (!commit.busy) commit.reset();
  };
  const shown = 'quote' in quoted ? quoted.quote : undefined;
  const footer =
    reason?.name === 'guest' ? (
      <Button kind="commit" wide onClick={() => requireLogin()}>
        {t('convert.guest')}
      </Button>
    ) : reason?.name === 'unknown' ? (
      <ButtonLink kind="commit" wide href={href('verification/index')}>
        {t('errors.E_KYC_BASIC')}
      </ButtonLink>
    ) : quoted.step === 'expired' ? (
      <Button kind="commit" wide onClick={() => void ask()}>
        {t('convert.ask')}
      </Button>
    ) : (
      <Button
        kind="commit"
        wide
        loading={commit.busy}
        reason={reason ? reasonText(reason, from) : quoted.step === 'held' ? undefined : t('convert.fresh')}
        onBlocked={onBlocked}
        onClick={() => quoted.step === 'held' && setReview({ quote: quoted.quote, shown: true })}
      >
        {t('convert.review')}
      </Button>
    );
  const short = reasons.some(({ name }) => name === 'insufficient');
  const complaint = reason && ['format', 'decimals', 'min', 'max', 'insufficient'].includes(reason.name) ? reasonText(reason, from) : undefined;
  return (
    <Screen help title={t('convert.title')} footer={footer} onRefresh={refreshConversions}>
      <div className={css.form}>
        <div className={css.sides}>
          <section className={css.side} aria-label={t('convert.from')}>
            <CoinSelect label={t('convert.from')} coins={left} value={from?.id} onValue={(id) => setPair(choose('from', id, pair))} />
            <AmountField
              ref={input}
              label={t('convert.amount')}
              field={field}
              unit={from?.code ?? ''}
              available={available}
              aside={t('convert.free', { amount: available ? balanceText(available, from?.code ?? '') : UNKNOWN })}
              error={complaintOf(complaint)}
              onBlur={touch}
            />
            {short && available && (
              <div className={css.fix}>
                {sign(available) > 0 && (
                  <Button small onClick={() => field.set(available)}>
                    {t('convert.use', { amount: balanceText(available, from?.code ?? '') })}
                  </Button>
                )}
                <ButtonLink small href={href(sandbox ? 'assets/deposit/paper' : 'assets/deposit/index', { coin: from?.id })}>
                  {t(sandbox ? 'home.paperMoney' : 'assets.deposit')}
                </ButtonLink>
              </div>
            )}
          </section>
          <div className={css.swap}>
            <IconButton label={t('convert.swap')} onClick={() => setPair({ from: pair.to, to: pair.from })}>
              <Icon name="transfer" />
            </IconButton>
          </div>
          <section className={css.side} aria-label={t('convert.to')}>
            <CoinSelect label={t('convert.to')} coins={right} value={to?.id} onValue={(id) => setPair(choose('to', id, pair))} />
            <div className={css.got}>
              <span className="lab t2">{t('convert.receive')}</span>
              <span className="h2 num">{shown && to ? balanceText(shown.net, to.code) : UNKNOWN}</span>
            </div>
          </section>
        </div>
        {from && to && <Rate quoted={quoted} from={from} to={to} onAsk={() => void ask()} />}
        <CommitNote state={review?.shown ? { step: 'idle' } : commit.state} unknown={() => t('convert.unknown')} />
        {context.frozen && (
          <Note tone="caution" icon="lock">
            {t('errors.E_ACCOUNT_FROZEN')}
          </Note>
        )}
      </div>
      {context.loggedIn && <History />}
      {review && from && to && (
        <ReviewSheet
          open={review.shown}
          onClose={close}
          quote={review.quote}
          expired={quoted.step !== 'held' || quoted.quote !== review.quote}
          from={from}
          to={to}
          available={available}
          commit={commit}
          onFresh={look}
          onDone={() => {
            clear();
            void refreshConversions();
          }}
        />
      )}
    </Screen>
  );
}

/** Converts one coin to another at a rate that is shown first and held for ten seconds. */
export default function Convert() {
  useLocale();
  const config = useConfig();
  const coins = useCoins();
  const query = useConvertible();
  const sides = query.data && coins.length > 0 ? { left: convertible(query.data.left, coins), right: convertible(query.data.right, coins) } : undefined;
  const absent = config !== undefined && !config.products.some(({ product }) => product === 'flash');
  if (sides && !absent) return <Form {...sides} />;
  return (
    <Screen help title={t('convert.title')}>
      {absent ? <EmptyState icon="refresh" title={t('convert.absent')} /> : <ListState query={{ ...query, data: undefined }} errorTitle={t('convert.coinsError')} errorText={t('convert.errorText')} rows={6}>
        {() => null}
      </ListState>}
    </Screen>
  );
}
