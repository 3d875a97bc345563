import { t } from '../../lib/i18n';
import { exists, go, href } from '../../lib/nav';
import { TextLink } from '../../ui/Button';

/** What holds the frozen part, and the way to it. */
export function FrozenWhy({ inSheet = false }: { inSheet?: boolean }) {
  const link = (path: string, query: Record<string, string>, label: string) =>
    exists(path) && (
      <TextLink
        href={href(path, query)}
        onClick={(event) => {
          // A sheet is left behind, so that going back does not open it again.
          if (!inSheet) return;
          event.preventDefault();
          go(path, query);
        }}
      >
        {label}
      </TextLink>
    );
  return (
    <p className="lab t2">
      {t('assets.frozenWhy')} {link('index/orderlist', {}, t('assets.seeOrders'))} {link('assets/record', { tab: 'withdrawals' }, t('assets.seeWithdrawals'))}
    </p>
  );
}
