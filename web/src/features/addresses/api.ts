import { api } from '../../lib/http';

interface NewAddress {
  coin: number;
  chain: string;
  address: string;
  label: string;
  password: string;
  code: string;
  otp: string | undefined;
}
export function addAddress({ coin, chain, address, label, password, code, otp }: NewAddress) {
  return api.post('wallet/addaddress', { currency_id: coin, netType: chain, address, pay_password: password, code, ...(label && { notes: label }), ...(otp && { otp }) }, { quiet: true, kept: 'address' });
}

export const removeAddress = (id: number) => api.post('wallet/deladdress', { address_id: id }, { quiet: true, kept: 'address' });
