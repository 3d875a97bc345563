/** Why the rules of a country close a product: they are known, or the country is not. */
export type Forbidden = 'country' | 'unknown';

/** Whether a member may begin anything with a product now, whatever it is. */
export interface ProductContext {
  loggedIn: boolean;
  online: boolean;
  /** The account is frozen for everything except closing. */
  frozen: boolean;
  /** Neither the product nor the pair, where it has one, is paused. A product that is only forbidden counts as open. */
  open: boolean;
  /** The rules of the member's country close the product. */
  forbidden: Forbidden | undefined;
}
