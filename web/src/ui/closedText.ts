import { t } from '../lib/i18n';

const KEYS = { country: 'errors.E_COUNTRY', unknown: 'errors.E_KYC_BASIC', identity: 'errors.E_KYC_BASIC', frozen: 'errors.E_ACCOUNT_FROZEN' } as const;

/** Why a member cannot begin anything with a product, whatever it is. */
export const closedText = (reason: keyof typeof KEYS): string => t(KEYS[reason]);
