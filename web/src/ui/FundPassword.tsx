import type { Ref } from 'react';
import { t } from '../lib/i18n';
import { href } from '../lib/nav';
import { TextLink } from './Button';
import { CodeField } from './Secret';

interface Props {
  value: string;
  onValue: (digits: string) => void;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

/** The six digits that protect money leaving the account. */
export function FundPasswordField({ value, onValue, error, ...rest }: Props) {
  return (
    <CodeField
      {...rest}
      secret
      label={t('funding.fundPassword')}
      value={value}
      onValue={onValue}
      error={error}
      aside={<TextLink href={href('settings/security/changePayPassword')}>{t('funding.forgot')}</TextLink>}
    />
  );
}
