import { t, useLocale } from '../../lib/i18n';
import { amount, formatPercent, isZero, neg, sign, type Amount, type Kind } from '../../lib/money';
import { href } from '../../lib/nav';
import { CONTRACTS, OPTIONS, SPOT, TRUST } from '../../lib/wire';
import { amountText } from '../../ui/Figures';
import { Group, Row } from '../../ui/Layout';
import type { AccountLine } from './model';
import css from './Assets.module.css';

const COLOUR = { [SPOT]: css.change, [CONTRACTS]: css.lever, [TRUST]: css.trust, [OPTIONS]: css.micro };

/** The accounts' shares as one bar. */
export function Split({ lines }: { lines: readonly AccountLine[] }) {
  const locale = useLocale();
  const filled = lines.filter((line) => sign(line.total) > 0);
  if (!filled.length) return null;
  const label = filled.map(({ account, percent }) => t('assets.share', { account: t(`account.${account}`), percent: formatPercent(amount(percent), locale) })).join(', ');
  return (
    <div className={css.split} role="img" aria-label={label}>
      {filled.map(({ account, percent }) => (
        <i key={account} className={COLOUR[account]} style={{ flexGrow: percent === '0' ? 1 : percent }} />
      ))}
    </div>
  );
}

/** Spot, Contracts, Plans, Options: free, frozen, open and total in USDT; also payments for new coins, and debt of loans. */
export function AccountRows({ lines, committed, owed, hidden }: { lines: readonly AccountLine[]; committed: Amount; owed: Amount; hidden: boolean }) {
  const locale = useLocale();
  const text = (value: Amount, kind: Kind = 'balance') => (hidden ? '••••' : amountText({ value, code: 'USDT', bare: true, kind }, locale));
  const result = (value: Amount, signed: boolean) => (hidden ? '••••' : amountText({ value, code: 'USDT', bare: true, kind: 'result', signed }, locale));
  const parts = ({ free, frozen: held, open }: AccountLine) => {
    // Rounded up like the margin it is part of, so that free and frozen add up to the balance.
    const frozen = text(held, 'cost');
    if (!isZero(open)) return t('assets.freeFrozenOpen', { free: text(free), frozen, open: result(open, true) });
    return isZero(held) ? t('assets.free', { free: text(free) }) : t('assets.freeFrozen', { free: text(free), frozen });
  };
  return (
    <section className={css.accounts} aria-label={t('assets.accounts')}>
      <Group>
        {lines.map((line) => (
          <Row
            key={line.account}
            lead={<i className={`${css.bar} ${COLOUR[line.account]}`} />}
            title={t(`account.${line.account}`)}
            sub={parts(line)}
            value={text(line.total)}
            href={href('assets/tradeAccount', { account: line.account })}
            chevron
          />
        ))}
        {sign(committed) > 0 && <Row lead={<i className={css.bar} />} title={t('explain.newCoins')} value={text(committed)} href={href('publication/index', { tab: 'mine' })} chevron />}
        {sign(owed) > 0 && <Row lead={<i className={css.bar} />} title={t('menu.loans')} value={result(neg(owed), false)} href={href('index/jied')} chevron />}
      </Group>
    </section>
  );
}
