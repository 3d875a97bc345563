import { useQuery } from '@tanstack/react-query';
import type { Alert } from '../generated/api';
import { api } from '../lib/http';
import { queryClient, refresh } from './query';
import { useLoggedIn } from './session';

/** The member's price alerts. A notice of the kind `alert` has them read again. */
const KEY = ['me', 'alert'];

export const useAlerts = () => useQuery({ queryKey: KEY, enabled: useLoggedIn(), queryFn: async () => (await api.get('alert/list')).message });

/** Sets an alert and returns it as the server has it; the form shows a refusal. */
export async function addAlert(match_id: number, direction: Alert['direction'], price: string): Promise<Alert> {
  const { message } = await api.post('alert/add', { match_id, direction, price }, { quiet: true });
  queryClient.setQueryData<Alert[]>(KEY, (rows = []) => [message, ...rows.filter(({ id }) => id !== message.id)]);
  await refresh(KEY);
  return message;
}

export async function deleteAlert(id: number): Promise<void> {
  await api.post('alert/del', { id });
  queryClient.setQueryData<Alert[]>(KEY, (rows = []) => rows.filter((row) => row.id !== id));
}
