import { useOnline } from '../lib/online';
import type { ProductContext } from '../lib/productContext';
import { useForbidden, useProduct } from './config';
import { useFrozen, useLoggedIn } from './session';

/** Whether the member may begin anything with a product now, whatever it is. */
export function useProductContext(product: Parameters<typeof useProduct>[0]): ProductContext {
  const forbidden = useForbidden(product);
  const offered = useProduct(product);
  return { loggedIn: useLoggedIn(), online: useOnline(), frozen: useFrozen(), open: offered || forbidden !== undefined, forbidden };
}
