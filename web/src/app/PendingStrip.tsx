import { useEffect } from 'react';
import { askPending } from '../data/ask';
import { dismiss, isOpen, usePending, type Kind, type Pending } from '../data/pending';
import { has, t, useLocale } from '../lib/i18n';
import { href } from '../lib/nav';
import { onReturn } from '../lib/online';
import { IconButton, TextLink } from '../ui/Button';
import { Icon } from '../ui/Icon';
import * as icons from '../ui/icons';

const POLL = 5_000;

/** The page that shows the result once the write succeeded. */
const PLACES: Record<Kind, string> = {
  order: href('index/orderlist'),
  option: href('option/detail'),
  transfer: href('assets/transfer/record'),
  withdrawal: href('assets/record', { tab: 'withdrawals' }),
  cancellation: href('assets/record', { tab: 'withdrawals' }),
  deposit: href('assets/record', { tab: 'deposits' }),
  address: href('user/address/index'),
  card: href('bankbind/index'),
  contract: href('lever/index'),
  contractClose: href('lever/index'),
  convert: href('assets/flashpair'),
  loan: href('index/jied'),
  repayment: href('index/jied'),
  collateral: href('index/jied'),
  plan: href('finance/ordersPage'),
  redemption: href('finance/ordersPage', { tab: 'redeemed' }),
  subscription: href('publication/index', { tab: 'mine' }),
};

function Strip({ one, style }: { one: Pending; style: string | undefined }) {
  const { key, kind, state } = one;
  const what = t(`pending.kind.${kind}`);
  const unknown = state === 'unknown';
  const open = isOpen(one);
  return (
    <div className={style} data-known={unknown ? undefined : ''}>
      <Icon name={unknown ? icons.clock : state === 'done' ? 'check' : 'close'} size={18} />
      <span className="grow">
        {t(unknown ? 'pending.unknown' : state === 'done' ? 'pending.done' : 'pending.refused', { what })}{' '}
        <TextLink href={PLACES[kind]} onClick={open ? undefined : () => dismiss(key)}>
          {t('pending.view')}
        </TextLink>
      </span>
      {!open && (
        <IconButton label={t('ui.close')} onClick={() => dismiss(key)}>
          <Icon name="close" size={18} />
        </IconButton>
      )}
    </div>
  );
}

/** Uses the style of the strips, which loads with the first screen, so this part needs only its code. Shown on every page: writes with an
 * unknown outcome, and outcomes whose screen is gone. */
export default function PendingStrip({ style }: { style: string | undefined }) {
  useLocale();
  const all = usePending();
  const waiting = all.some(isOpen);
  useEffect(() => {
    if (!waiting) return;
    void askPending();
    const timer = setInterval(() => void askPending(), POLL);
    const stop = onReturn(() => void askPending());
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [waiting]);
  return (
    <div role="status">
      {all
        // Right after a change of language its texts are still loading.
        .filter(({ state }) => state !== 'sending' && has('pending.view'))
        .map((one) => (
          <Strip key={one.key} one={one} style={style} />
        ))}
    </div>
  );
}
