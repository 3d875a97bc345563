import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/http';
import { languageCode } from '../../lib/i18n';
import { sent, type CardForm } from './model';

/** Banks to choose from, and the number of stored cards. */
export const useBanks = () => useQuery({ queryKey: ['me', 'funding', 'banks', languageCode()], queryFn: async () => (await api.query('user/cash_info')).message });

export function addCard(form: CardForm, holder: string, abroad: boolean, bank: number | undefined) {
  return api.post('user/cash_save', { ...sent(form, abroad), real_name: holder, is_international: abroad ? 1 : 0, ...(bank !== undefined && { bank_id: bank }) }, { quiet: true, kept: 'card' });
}

export const removeCard = (id: number) => api.post('user/cash_del', { id }, { quiet: true, kept: 'card' });
