import type { Product } from '../generated/api';

/** Products with pages of their own that this app has screens for. A server may offer more, over its interface. */
export const BUILT: ReadonlySet<Product> = new Set();
