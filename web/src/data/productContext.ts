import { useOnline } from '../lib/online';
import { useForbidden, useProduct, type Forbidden } from './config';
import { useFrozen, useLoggedIn } from './session';

export interface ProductContext {
  loggedIn: boolean;
  online: boolean;
  /** The account is frozen for everything except closing. */
  frozen: boolean;
  /** The product is not paused. One that is only forbidden counts as open. */
  open: boolean;
  /** The rules of the member's country close the product. */
  forbidden: Forbidden | undefined;
}

/** Whether the member may begin anything with a product now, whatever it is. */
export function useProductContext(product: Parameters<typeof useProduct>[0]): ProductContext {
  const forbidden = useForbidden(product);
  const offered = useProduct(product);
  return { loggedIn: useLoggedIn(), online: useOnline(), frozen: useFrozen(), open: offered || forbidden !== undefined, forbidden };
}
