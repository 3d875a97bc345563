import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { add, amount, mul, parseInput, sub, zero, type Amount } from '../../lib/money';
import { validate, type ReasonName, type OrderContext } from './model';
import type { Draft, Market } from './order';

/** The app refuses an order for the same reason as the engine: both run the same scenarios. */

const FOLDER = new URL('../../../../crates/engine/tests/scenarios/spot/', import.meta.url);
/** The engine's refusals with the reasons of the form. Reasons that it cannot send, or leaves to the server, are omitted. */
const REASONS: Readonly<Record<string, readonly (ReasonName | undefined)[]>> = {
  OK: [undefined],
  E_AMOUNT: ['empty'],
  // To the engine, an empty trigger is not a multiple of the tick.
  E_TICK: ['tick', 'empty'],
  E_STEP: ['step'],
  E_QTY_MAX: ['qtyMax'],
  E_NOTIONAL_MIN: ['notionalMin'],
  E_NOTIONAL_MAX: ['notionalMax'],
  E_PRICE_STALE: ['stale'],
  E_BAND: ['band'],
  E_STOP_SIDE: ['stopSide'],
  E_POST_ONLY: ['postOnly'],
  E_MAX_ORDERS: ['maxOrders'],
  E_INSUFFICIENT: ['insufficient', 'insufficientSell'],
  E_NO_LIQUIDITY: ['noLiquidity'],
};
const RULES: Market['rules'] = {
  match_id: 1, symbol: 'BTC/USDT', currency_id: 1, legal_id: 3, price_digits: 1, tick: '0.1', qty_digits: 5, step: '0.00001', min_qty: '0.00001', max_qty: '100.00000000', min_notional: '5.000000',
  max_notional: '1000000.000000', maker_fee: '0.08', taker_fee: '0.1', band_buy: ['50', '105'], band_sell: ['95', '200'], index: 1, index_tick: '0.01', options: 1, status: 'open',
};
const ORDER = /^(\w+) (?:(buys|sells) (\S+) BTC\/USDT at (\S+)(?: stop (\S+))?(?: (gtc|ioc|fok|post_only))?(?: id (\w+))?|spends (\S+) BTC\/USDT) => (\w+)(?: (\w+))?$/;

interface Open {
  who: string;
  name: string | undefined;
  id: string | undefined;
  side: Draft['side'];
  price: string;
  held: Amount;
}

/** The state behind a member's form, as far as these scenarios change it. Their trades change no balance that matters. */
class World {
  reference: Amount | undefined;
  private readonly paid = new Map<string, Amount>();
  private open: Open[] = [];

  faucet(who: string, size: string, coin: string): void {
    this.paid.set(who + coin, add(this.paid.get(who + coin) ?? zero(), amount(size)));
  }
  cancel(who: string, gone: (one: Open) => boolean): void {
    this.open = this.open.filter((one) => one.who !== who || !gone(one));
  }
  /** Completed for the member who placed it. */
  end(name: string): void {
    this.open = this.open.filter((one) => one.name !== name);
  }
  place(one: Open): void {
    this.open.push(one);
  }
  private available(who: string, side: Draft['side']): Amount {
    const held = this.open.filter((one) => one.who === who && one.side === side).map((one) => one.held);
    return held.reduce(sub, this.paid.get(who + (side === 'buy' ? 'USDT' : 'BTC')) ?? zero());
  }
  first(who: string, draft: Draft): ReasonName | undefined {
    const level = (side: Draft['side']) => this.open.filter((one) => one.side === side).map((one): [string, string] => [one.price, '1']);
    const market: Market = { rules: RULES, base: { code: 'BTC', scale: 8 }, quote: { code: 'USDT', scale: 6 }, reference: this.reference, book: { seq: 1, bids: level('buy'), asks: level('sell') } };
    const context: OrderContext = {
      loggedIn: true, online: true, frozen: false, open: true, forbidden: undefined, stale: this.reference === undefined, available: this.available(who, draft.side),
      openOrders: this.open.filter((one) => one.who === who).length, maxOrders: 100,
    };
    return validate(draft, market, context)[0]?.name;
  }
}

const typed = (text: string | undefined, scale: number) => parseInput(text ?? '', 'en', scale);

describe.each(['refusals-2.4', 'max-orders-2.1'])('%s', (file) => {
  test('the form gives the first reason of the engine', () => {
    const world = new World();
    const [told, wanted]: [string[], string[]] = [[], []];
    for (const line of readFileSync(new URL(`${file}.txt`, FOLDER), 'utf8').split('\n')) {
      const [, size, coin] = /^faucet \w+ (\S+) (\w+) => OK$/.exec(line) ?? [];
      if (size && coin) world.faucet(line.split(' ')[1] ?? '', size, coin);
      const price = /^price BTC\/USDT (\S+) => OK$/.exec(line)?.[1];
      if (price) world.reference = amount(price);
      const [, who = '', what, name] = /^(\w+) cancels (all|id|\w+)(?: (?:base BTC|quote USDT|(?!quote|base)(\w+)))? => OK$/.exec(line) ?? [];
      if (who) world.cancel(who, (one) => what === 'all' || (what === 'id' ? one.id === name : one.name === what));
      const ended = /^order (\w+) (?:completed|cancelled) /.exec(line)?.[1];
      if (ended) world.end(ended);
      const order = ORDER.exec(line);
      if (!order) continue;
      const [, member = '', way, quantity, at, stop, tif = 'gtc', id, funds, answer = '', called] = order;
      const isMarket = at === 'market' || funds !== undefined;
      const side = way === 'sells' ? 'sell' : 'buy';
      const draft: Draft = { side, kind: isMarket ? 'market' : stop ? 'stop_limit' : 'limit', tif: tif as Draft['tif'], price: typed(isMarket ? '' : at, 1), size: typed(funds ?? quantity, funds === undefined ? 8 : 6), stop: typed(stop, 1) };
      const reasons = REASONS[answer];
      if (!reasons) continue;
      const said = world.first(member, draft);
      told.push(`${line}: ${said}`);
      wanted.push(`${line}: ${reasons.includes(said) ? said : reasons[0]}`);
      const rests = !isMarket && (tif === 'gtc' || tif === 'post_only');
      if (answer === 'OK' && rests && draft.price.ok && draft.size.ok) {
        world.place({ who: member, name: called, id, side, price: at ?? '', held: side === 'buy' ? mul(draft.size.value, draft.price.value) : draft.size.value });
      }
    }
    expect(told.length).toBeGreaterThan(30);
    expect(told).toEqual(wanted);
  });
});
