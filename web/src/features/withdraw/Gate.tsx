import type { ReactNode } from 'react';
import { useConfigQuery, useForbidden, useProduct } from '../../data/config';
import { useUser } from '../../data/session';
import type { AppConfig, UserCenter } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { ButtonLink } from '../../ui/Button';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';

interface Props {
  bank: boolean;
  children: (user: UserCenter, config: AppConfig) => ReactNode;
}

/** What money needs before it can leave: an open product, an account in order, a verified identity, a fund password. */
export function Gate({ bank, children }: Props) {
  useLocale();
  const user = useUser();
  const config = useConfigQuery();
  const open = useProduct(bank ? 'withdraw_bank' : 'withdraw_coin');
  const forbidden = useForbidden(bank ? 'withdraw_bank' : 'withdraw_coin');
  const frame = (content: ReactNode) => <Screen help title={t(bank ? 'withdraw.toBank' : 'withdraw.plain')}>{content}</Screen>;
  if (!config.data || !user.data) {
    const query = config.data ? user : config;
    return frame(
      <ListState query={{ ...query, data: undefined }} errorTitle={t('withdraw.error')} errorText={t('assets.errorText')} rows={6}>
        {() => null}
      </ListState>,
    );
  }
  if (forbidden === 'country') {
    return frame(
      <EmptyState icon={icons.globe} title={t('errors.E_COUNTRY')}>
        <ButtonLink small href={href('help-center')}>
          {t('menu.help')}
        </ButtonLink>
      </EmptyState>,
    );
  }
  if (!open && !forbidden) return frame(<EmptyState icon="pause" title={t('withdraw.closed')} text={t('withdraw.closedText')} />);
  if (user.data.status !== 0) {
    return frame(
      <EmptyState icon="lock" title={t('withdraw.frozenTitle')} text={t('withdraw.frozenText')}>
        <ButtonLink kind="commit" small href={href('settings/security/index')}>
          {t('profile.security')}
        </ButtonLink>
      </EmptyState>,
    );
  }
  if (user.data.review_status !== 2) {
    return frame(
      <EmptyState icon={icons.shield} title={t('withdraw.identityTitle')} text={t('withdraw.identityText')}>
        <ButtonLink kind="commit" small href={href('verification/index')}>
          {t('identity.title')}
        </ButtonLink>
      </EmptyState>,
    );
  }
  if (user.data.fund_password !== 1) {
    return frame(
      <EmptyState icon={icons.key} title={t('withdraw.passwordTitle')} text={t('withdraw.passwordText')}>
        <ButtonLink kind="commit" small href={href('settings/security/changePayPassword')}>
          {t('withdraw.passwordTitle')}
        </ButtonLink>
      </EmptyState>,
    );
  }
  return children(user.data, config.data);
}
