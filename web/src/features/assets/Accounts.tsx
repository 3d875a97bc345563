import { t, useLocale } from '../../lib/i18n';
import { amount, formatPercent, neg, sign, type Amount } from '../../lib/money';
import { href } from '../../lib/nav';
import { amountText } from '../../ui/Figures';
import { Group, Row } from '../../ui/Layout';
import type { AccountLine } from './model';
import css from './Assets.module.css';

/** The accounts' shares as one bar. */
export function Split({ lines }: { lines: readonly AccountLine[] }) {
  const locale = useLocale();
  const filled = lines.filter((line) => sign(line.total) > 0);
  if (!filled.length) return null;
  const label = filled.map(({ account, percent }) => t('assets.share', { account: t(`account.${account}`), percent: formatPercent(amount(percent), locale) })).join(', ');
  return (
    <div className={css.split} role="img" aria-label={label}>
      {filled.map(({ account, percent }) => (
        <i key={account} className={css[account]} style={{ flexGrow: percent === '0' ? 1 : percent }} />
      ))}
    </div>
  );
}

/** Spot, Contracts, Plans, Options: free, frozen and total in USDT; and what is owed of loans. */
export function AccountRows({ lines, owed, hidden }: { lines: readonly AccountLine[]; owed: Amount; hidden: boolean }) {
  const locale = useLocale();
  const text = (value: AccountLine['free']) => (hidden ? '••••' : amountText({ value, code: 'USDT', bare: true }, locale));
  return (
    <section className={css.accounts} aria-label={t('assets.accounts')}>
      <Group>
        {lines.map(({ account, total, free, frozen }) => (
          <Row
            key={account}
            lead={<i className={`${css.bar} ${css[account]}`} />}
            title={t(`account.${account}`)}
            sub={sign(frozen) > 0 ? t('assets.freeFrozen', { free: text(free), frozen: text(frozen) }) : t('assets.free', { free: text(free) })}
            value={text(total)}
            href={href('assets/tradeAccount', { account })}
            chevron
          />
        ))}
        {sign(owed) > 0 && <Row lead={<i className={css.bar} />} title={t('menu.loans')} value={hidden ? '••••' : amountText({ value: neg(owed), code: 'USDT', bare: true, kind: 'result' }, locale)} href={href('index/jied')} chevron />}
      </Group>
    </section>
  );
}
