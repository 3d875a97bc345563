import { toggleHidden, useHidden } from '../../data/appearance';
import { useWallet } from '../../data/balances';
import { t, type Key } from '../../lib/i18n';
import { amount, isZero } from '../../lib/money';
import { exists, href } from '../../lib/nav';
import { ButtonLink } from '../../ui/Button';
import { BigAmount } from '../../ui/Figures';
import { Icon, type IconName } from '../../ui/Icon';
import { Card } from '../../ui/Layout';
import { Skeleton } from '../../ui/ListState';
import css from './Home.module.css';

function actions(sandbox: boolean): { path: string; icon: IconName; label: Key }[] {
  const all: { path: string; icon: IconName; label: Key }[] = [
    ...(sandbox ? [{ path: 'assets/deposit/index', icon: 'deposit' as const, label: 'home.paperMoney' as const }] : []),
    { path: 'assets/transfer/index', icon: 'transfer', label: 'home.transfer' },
    { path: 'index/orderlist', icon: 'list', label: 'home.orders' },
  ];
  return all.filter(({ path }) => exists(path));
}

/** Total value, and what can be done with money. */
export function Value({ sandbox }: { sandbox: boolean }) {
  const hidden = useHidden((state) => state.hidden);
  const wallet = useWallet();
  const total = wallet.data?.total_usdt;
  const empty = total !== undefined && isZero(amount(total));
  const offered = actions(sandbox);
  return (
    <>
      <div className="flex between">
        <div className="flex gap1 lab t2 m">
          {t('home.total')}
          <button type="button" className={css.eye} aria-label={t(hidden ? 'home.show' : 'home.hide')} onClick={toggleHidden}>
            <Icon name={hidden ? 'eyeOff' : 'eye'} size={18} />
          </button>
        </div>
      </div>
      {total === undefined && wallet.isPending ? <Skeleton width={220} height={46} /> : <BigAmount value={total} code="USDT" hidden={hidden} />}
      {wallet.isError && <p className="lab caution">{t('home.walletError')}</p>}
      {total !== undefined && <p className="lab t3">{t('home.estimate')}</p>}
      {empty && sandbox && exists('assets/deposit/index') && (
        <div className={css.card}>
          <Card>
            <h2 className="h3">{t('home.addMoney')}</h2>
            <p className="lab t2">{t('home.addMoneyText')}</p>
            <div className={css.cardAction}>
              <ButtonLink kind="commit" wide href={href('assets/deposit/index')}>
                {t('home.paperMoney')}
              </ButtonLink>
            </div>
          </Card>
        </div>
      )}
      {offered.length > 0 && (
        <nav className={css.quick} aria-label={t('home.actions')}>
          {offered.map(({ path, icon, label }) => (
            <a key={path} href={href(path)}>
              <i>
                <Icon name={icon} />
              </i>
              {t(label)}
            </a>
          ))}
        </nav>
      )}
    </>
  );
}
