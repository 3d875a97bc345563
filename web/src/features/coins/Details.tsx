import { config } from '../../data/config';
import type { Offering } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { locale, t } from '../../lib/i18n';
import { amount, approximate, make, max, mul, rescale, sign, sub, type Amount } from '../../lib/money';
import { go } from '../../lib/nav';
import { serverNow } from '../../lib/time';
import { Button, IconButton, TextLink } from '../../ui/Button';
import { shareText } from '../../ui/copy';
import { amountText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card, Screen } from '../../ui/Layout';
import { RichText } from '../../ui/RichText';
import { CostLines, Note, Timeline, type Step } from '../../ui/Status';
import { worthAt } from './formulas';
import { Head, Subscribed } from './Card';
import { freeAt, issueOf, lockOf, paperOf, partsOf, shareNow } from './model';
import { NamedOffering } from './NamedOffering';
import { balance, barePrice, coins, day, exactly, lockText, partText, percent, price, stateText, utcDay } from './text';
import css from './Coins.module.css';

const isLaunched = ({ state }: Offering) => state === 'launched' || state === 'ended';

/** Opening, close, launch, and when the first coin can be sold. */
export function Dates({ offering }: { offering: Offering }) {
  const now = serverNow();
  const { send_start_ms: start, send_end_ms: end, online_time_ms: launch } = offering;
  const launched = isLaunched(offering);
  const free = freeAt(launch, lockOf(offering).first);
  // A cancelled offering has no launch any more.
  const over = offering.state === 'cancelled';
  const opened = now >= start && offering.state !== 'upcoming';
  const at = (reached: boolean, current: boolean): Step['state'] => (reached ? 'done' : current ? 'now' : 'next');
  return (
    <Timeline
      horizontal
      steps={[
        { title: day(start), text: t(opened ? 'coins.opened' : 'coins.opens'), state: at(opened, true) },
        { title: day(end), text: t(now >= end ? 'coins.closedOn' : 'coins.closes'), state: at(now >= end, opened) },
        ...(over
          ? []
          : [
              { title: day(launch), text: t(launched ? 'coins.launched' : 'coins.launch'), state: at(launched, now >= end) },
              { title: utcDay(free), text: lockText(offering).sell, state: at(launched && now >= free, launched) },
            ]),
      ]}
    />
  );
}

/** Which part of the coins becomes free on which day (N-6). */
function Schedule({ offering }: { offering: Offering }) {
  return (
    <Card tight>
      <h2 className="h3">{t('coins.releases')}</h2>
      <CostLines lines={partsOf(offering).map(({ day: days, part }) => ({ label: utcDay(freeAt(offering.online_time_ms, days)), value: partText(part) }))} />
    </Card>
  );
}

/** The stake of the examples. */
const stakeOf = (offering: Offering) => max(amount('400.000000'), amount(offering.buy_num));

/**
 * What a stake would become at a fifth of the issue price, at the issue price, and at seven fifths of it, with what comes back at the present
 * demand; the real price is unknown.
 */
function Cases({ offering }: { offering: Offering }) {
  const issue = issueOf(offering);
  const stake = stakeOf(offering);
  const { tokens, refund } = shareNow(offering, stake, stake);
  const rows = [
    { name: 'falls', times: '0.2', look: css.falls },
    { name: 'flat', times: '1', look: undefined },
    { name: 'rises', times: '1.4', look: css.rises },
  ] as const;
  const full = mul(stake, amount('1.6'), 6);
  return (
    <Card>
      <h2 className="h3">{t('coins.could', { amount: balance(stake, 'USDT') })}</h2>
      <p className="lab t2">{t('coins.nobody', { tokens: coins(make(tokens, issue.scale), offering.new_currency_name) })}</p>
      {rows.map(({ name, times, look }) => {
        const then = mul(amount(offering.change_rate), amount(times));
        const worth = make(worthAt(issue, tokens, rescale(then, 8).units) + refund, 6);
        return (
          <div key={name} className={css.case}>
            <div className="lab t2 num">
              {t(`coins.${name}`)}
              <div className="cap t3">{barePrice(then)}</div>
            </div>
            <div className={css.meter} aria-hidden="true">
              <i className={look} style={{ width: `${Math.min(100, (approximate(worth) / approximate(full)) * 100)}%` }} />
              <u />
            </div>
            <div>
              <div className="b num">{amountText({ value: worth, code: 'USDT', bare: true }, locale())}</div>
              <div className={`cap num ${name === 'falls' ? 'caution' : 't2'}`}>{amountText({ value: sub(worth, stake), code: 'USDT', kind: 'result', signed: true, bare: true }, locale())}</div>
            </div>
          </div>
        );
      })}
      {sign(amount(offering.predict_rate)) !== 0 && <p className="cap t3">{t('coins.issuer', { rate: percent(offering.predict_rate) })}</p>}
    </Card>
  );
}

/** N-3 and N-4 with the present figures: what a payment would get if it were the last one. */
export function Allocation({ offering, paid, value, coin }: { offering: Offering; paid: Amount; value: Amount; coin: string }) {
  const { tokens, charge, refund, over } = shareNow(offering, paid, value);
  const { scale } = issueOf(offering);
  return (
    <Card>
      <h2 className="h3">{t('coins.share.title')}</h2>
      <p className={`lab t2 ${css.para}`}>{t('coins.share.rule')}</p>
      <p className={`lab m ${css.para}`}>{t(over ? 'coins.share.over' : 'coins.share.under')}</p>
      <CostLines
        lines={[
          { label: t('coins.paid'), value: exactly(paid, coin) },
          { label: t('coins.got'), value: coins(make(tokens, scale), offering.new_currency_name) },
          { label: t('coins.charged'), value: exactly(make(charge, paid.scale), coin) },
          { label: t('coins.refund'), value: exactly(make(refund, paid.scale), coin), total: true },
        ]}
      />
    </Card>
  );
}

/** The issuer's white paper, with the name of the page's owner. */
function WhitePaper({ offering }: { offering: Offering }) {
  const paper = paperOf(offering);
  if (!paper) return null;
  return (
    <Card tight>
      <CostLines
        lines={[
          {
            label: t('coins.whitePaper'),
            value: (
              <TextLink href={paper.url} target="_blank" rel="noopener noreferrer">
                {paper.host}
              </TextLink>
            ),
          },
        ]}
      />
      <p className="cap t3">{t('coins.whitePaperNote')}</p>
    </Card>
  );
}

function Page({ offering }: { offering: Offering }) {
  useNow(30_000);
  const trades = (config()?.markets ?? []).some(({ symbol }) => symbol === `${offering.new_currency_name}/USDT`);
  const { first, last } = lockOf(offering);
  const open = offering.state === 'open';
  const cancelled = offering.state === 'cancelled';
  const stake = stakeOf(offering);
  const share = (
    <IconButton label={t('trade.shareOrder')} onClick={() => void shareText(`${offering.new_currency_name}: ${t('coins.issued', { price: price(offering.change_rate) })}. ${location.href}`)}>
      <Icon name={icons.share} />
    </IconButton>
  );
  const footer = (
    <div className={css.foot}>
      {open && <Note tone="caution">{t('coins.risk', { date: lockText(offering).from })}</Note>}
      {open ? (
        <Button kind="commit" wide onClick={() => go('publication/purchase', { id: offering.id })}>
          {t('coins.subscribe')}
        </Button>
      ) : trades ? (
        <Button kind="commit" wide onClick={() => go('trade/kline', { symbol: `${offering.new_currency_name}/USDT` })}>
          {t('coins.trade', { code: offering.new_currency_name })}
        </Button>
      ) : (
        <p className="lab t2 center">{stateText(offering)}</p>
      )}
    </div>
  );
  return (
    <Screen title={t('coins.one')} end={share} footer={footer}>
      <div className={css.page}>
        <div>
          <Head offering={offering} />
        </div>
        <Dates offering={offering} />
        {first < last && !cancelled && <Schedule offering={offering} />}
        <Card tight>
          <Subscribed offering={offering} />
        </Card>
        {(open || offering.state === 'upcoming') && (
          <>
            <Cases offering={offering} />
            <Allocation offering={offering} paid={stake} value={stake} coin="USDT" />
          </>
        )}
        <Card tight>
          <CostLines
            lines={[
              { label: t('coins.payWith'), value: offering.pay_currencies.map(({ name }) => name).join(', ') },
              { label: t('coins.fee'), value: t('assets.feeFree') },
              { label: t('ui.cancel'), value: t('coins.noCancel') },
              { label: t('coins.most'), value: balance(offering.user_cap, 'USDT') },
            ]}
          />
        </Card>
        {offering.introduction && (
          <Card>
            <RichText html={offering.introduction} />
          </Card>
        )}
        <WhitePaper offering={offering} />
      </div>
    </Screen>
  );
}

/** A new coin, with dates and cases instead of promises. */
export default function Details() {
  return <NamedOffering>{(offering) => <Page offering={offering} />}</NamedOffering>;
}
