//! Whatever the catalog's check accepts, nothing overflows: random catalogs with figures at the ends of their ranges, and orders at the
//! ends of what they allow. An overflow panics.

#![allow(clippy::unwrap_used, reason = "a state that cannot be reached has failed")]
use engine::Engine;
use engine::amount::{MAX_AMOUNT, MAX_PRICE, MAX_RATE, Price, RATE_ONE, Rate, pow10};
use engine::catalog::funding::{BankTerms, FundingTerms, Limits};
use engine::catalog::{Asset, Catalog, IndexMarket, IndexOrigin, Market, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::event::Event;
use engine::funding::deposits::Claimed;
use engine::ids::{AssetId, Digest, MarketId, Seq, UserId};
use engine::index::{MarketQuotes, Quote};
use engine::reject::Reject;
use engine::reply::Reply;
use engine::spot::{OrderKind, PlaceSpotOrder, Side, TimeInForce};
use engine::time::Time;

const BASE: AssetId = AssetId(1);
const QUOTE: AssetId = AssetId(2);
const PAIR: MarketId = MarketId(1);
const MEMBERS: u64 = 24;

struct Venue {
    engine: Engine,
    events: Vec<Event>,
}

impl Venue {
    /// `None` if the catalog is refused.
    fn new(catalog: Catalog) -> Option<Venue> {
        let mut venue = Venue { engine: Engine::default(), events: Vec::new() };
        let genesis = Genesis { mode: Mode::Sandbox, catalog, endowments: Vec::new() };
        venue.run(Command::Genesis(Box::new(genesis))).ok()?;
        for user in 1..=MEMBERS {
            venue.run(Command::RegisterMember { user: UserId(user), house: false }).unwrap();
        }
        Some(venue)
    }

    fn run(&mut self, command: Command) -> Result<Reply, Reject> {
        let entry = Entry { seq: Seq(self.engine.seq().0 + 1), time: Time(1_767_225_600_000), request: None, command };
        self.engine.apply(&entry, &mut self.events).result
    }

    fn give(&mut self, user: u64, asset: AssetId, amount: u64) -> Result<Reply, Reject> {
        self.run(Command::SandboxFaucet { user: UserId(user), asset, wallet: Wallet::Spot, amount })
    }

    fn order(&mut self, user: u64, side: Side, kind: OrderKind) -> Result<Reply, Reject> {
        self.run(Command::PlaceSpotOrder(PlaceSpotOrder { user: UserId(user), market: PAIR, side, kind, client_order_id: None }))
    }

    fn limit(&mut self, user: u64, side: Side, price: Price, quantity: u64) -> Result<Reply, Reject> {
        self.order(user, side, OrderKind::Limit { price, quantity, time_in_force: TimeInForce::GoodTillCancelled })
    }

    fn available(&self, user: u64, asset: AssetId) -> u64 {
        self.engine.balance(UserId(user), Wallet::Spot, asset).unwrap().available
    }

    /// The largest quantity that this member can put into an order at this price.
    fn most(&self, user: u64, side: Side, price: Price) -> u64 {
        let facts = &self.engine.catalog().markets[0];
        let [base, quote] = [0, 1].map(|at| self.engine.catalog().assets[at].scale);
        let held = match side {
            Side::Buy => self.available(user, QUOTE).min(facts.max_notional),
            Side::Sell => facts.max_notional,
        };
        // Quote atoms of one step: at least one at any price on the tick.
        let of_step = u128::from(price.0) * u128::from(facts.step) / pow10(8) * pow10(quote) / pow10(base);
        let affordable = u128::from(held).checked_div(of_step).map_or(u64::MAX, |steps| u64::try_from(steps).unwrap());
        let own = if side == Side::Sell { self.available(user, BASE) / facts.step } else { u64::MAX };
        affordable.min(own).min(facts.max_quantity / facts.step).saturating_mul(facts.step)
    }

    fn cancel_all(&mut self) {
        for user in 1..=MEMBERS {
            self.run(Command::CancelAllSpotOrders { user: UserId(user), base: None, quote: None }).unwrap();
        }
    }

    /// It holds all invariants, and a restart gives the same state.
    fn check(&self) {
        self.engine.check_invariants().unwrap();
        let bytes = self.engine.snapshot();
        assert_eq!(Engine::restore(&bytes).unwrap().snapshot(), bytes);
    }
}

fn pair(tick: Price, step: u64, max_quantity: u64) -> Market {
    Market {
        id: PAIR,
        symbol: "TOK/USD".to_owned(),
        base: BASE,
        quote: QUOTE,
        tick,
        step,
        min_quantity: step,
        max_quantity,
        min_notional: 1,
        max_notional: MAX_AMOUNT - 1,
        maker_fee: Rate(80_000),
        taker_fee: Rate(RATE_ONE),
        band_buy: (Rate(0), Rate(MAX_RATE)),
        band_sell: (Rate(0), Rate(MAX_RATE)),
    }
}

fn catalog(scales: (u8, u8), market: Market) -> Catalog {
    let coin =
        |id, code: &str, scale| Asset { id, code: code.to_owned(), scale, wallets: Wallet::ALL.to_vec(), faucet_max: MAX_AMOUNT - 1 };
    let sources = ["a", "b", "c"].map(str::to_owned).to_vec();
    Catalog {
        indices: vec![IndexMarket { market: PAIR, tick: market.tick, origin: IndexOrigin::Sources(sources) }],
        assets: vec![coin(BASE, "TOK", scales.0), coin(QUOTE, "USD", scales.1)],
        markets: vec![market],
        max_open_orders: 100,
        funding: FundingTerms::default(),
    }
}

/// The case of the finding: with 8 decimals at 0.00001, what a level holds is beyond 64 bits from the 19th buy on.
#[test]
fn a_level_of_very_cheap_orders_takes_any_number_of_them() {
    let price = Price(1_000);
    // A step of a thousand coins, so that one step at one tick is worth at least an atom of the quote.
    let mut venue = Venue::new(catalog((8, 6), pair(price, 100_000_000_000, 999_999_900_000_000_000))).unwrap();
    venue.run(Command::SandboxPrice { market: PAIR, price }).unwrap();
    let (most, value) = (999_999_900_000_000_000_u64, 99_999_990_000);
    for user in 1..=MEMBERS {
        venue.give(user, QUOTE, value).unwrap();
        venue.limit(user, Side::Buy, price, most).unwrap();
        let level = most.saturating_mul(user);
        assert!(matches!(venue.events.last_chunk(), Some([Event::LevelChanged { quantity, .. }, _]) if *quantity == level), "{user}");
    }
    venue.check();
    // A sell trades with the first of them, whatever the level shows.
    venue.give(1, BASE, 100_000_000_000).unwrap();
    venue.limit(1, Side::Sell, price, 100_000_000_000).unwrap();
    venue.cancel_all();
    venue.check();
    assert_eq!(venue.available(MEMBERS, QUOTE), value);
    let (book, ..) = venue.engine.book(PAIR).unwrap();
    assert_eq!(book.levels(Side::Buy).count(), 0);
}

#[test]
fn a_bank_transfer_that_is_worth_nothing_is_no_claim() {
    let mut catalog = catalog((8, 6), pair(Price(1_000_000), 1_000_000, 1_000_000));
    let standard = Catalog::standard().funding;
    let bank = BankTerms { asset: QUOTE, deposit_min_cents: 1, deposit_rate: Price(9_999), ..standard.bank };
    catalog.funding = FundingTerms { bank, networks: Vec::new(), limits: Limits { hand_entry_max: Vec::new(), ..standard.limits } };
    let mut venue = Venue::new(catalog).unwrap();
    let mut claim =
        |cents| venue.run(Command::ClaimDeposit { user: UserId(1), claimed: Claimed::Bank { cents }, proof: Digest([1; 32]) }).map(drop);
    // 0.9999 and 1.9998 atoms, rounded down.
    assert_eq!([1, 2].map(&mut claim), [Err(Reject::Overflow), Ok(())]);
}

/// A small generator (splitmix64): the same figures on every machine.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::try_from(self.next()).unwrap() % choices.len()]
    }

    /// Mostly a power of ten, at times with a factor, and at times the end of a range.
    fn size(&mut self, end: u64) -> u64 {
        let power = 10_u64.pow(u32::try_from(self.below(19)).unwrap());
        match self.below(32) {
            0..3 => end - 1,
            3 => self.of(&[0, end, u64::MAX]),
            4..8 => power.saturating_mul(self.of(&[2, 5, 8, 25])),
            _ => power,
        }
    }

    fn rate(&mut self) -> Rate {
        let sound = self.below(16) > 0;
        Rate(if sound { self.of(&[0, 1, 80_000, RATE_ONE - 1, RATE_ONE]) } else { self.of(&[RATE_ONE + 1, MAX_RATE, u64::MAX]) })
    }

    fn market(&mut self) -> Market {
        let (tick, step) = (Price(self.size(MAX_PRICE.0)), self.size(MAX_AMOUNT));
        let whole = |quantity: u64| quantity - quantity.checked_rem(step).unwrap_or(0);
        let (most, max_notional) = (self.of(&[step, step.saturating_mul(1_000), MAX_AMOUNT - 1]), self.size(MAX_AMOUNT));
        Market {
            min_notional: self.of(&[1, 1, max_notional]),
            max_notional,
            maker_fee: self.rate(),
            taker_fee: self.rate(),
            band_buy: (Rate(0), Rate(self.of(&[RATE_ONE, MAX_RATE, MAX_RATE, MAX_RATE, MAX_RATE + 1]))),
            band_sell: (Rate(self.of(&[0, 1, RATE_ONE])), Rate(MAX_RATE)),
            ..pair(tick, step, whole(most))
        }
    }

    fn bank(&mut self) -> BankTerms {
        let price = |draw: &mut Draw| Price(draw.size(MAX_PRICE.0));
        BankTerms {
            asset: QUOTE,
            deposit_min_cents: self.of(&[1, 1_000]),
            deposit_max_cents: self.size(MAX_AMOUNT / 10_000),
            deposit_rate: price(self),
            withdraw_min: self.of(&[2, 1_000_000, MAX_AMOUNT - 1]),
            withdraw_fee_min: self.of(&[0, 1, 999_999, MAX_AMOUNT]),
            withdraw_fee: self.rate(),
            payout_rate: price(self),
            deposit_on: true,
            withdraw_on: true,
        }
    }

    fn catalog(&mut self) -> Catalog {
        let scales = (self.of(&[0, 0, 2, 6, 8, 8, 8, 9]), self.of(&[0, 2, 6, 6, 8, 8, 8, u8::MAX]));
        let market = self.market();
        let mut drawn = catalog(scales, market);
        if self.below(2) == 0 {
            drawn.funding = FundingTerms { bank: self.bank(), networks: Vec::new(), ..FundingTerms::default() };
            drawn.funding.limits.hand_entry_max.clear();
        }
        drawn.indices[0].tick = self.of(&[Price(1), drawn.markets[0].tick, Price(MAX_PRICE.0 - 1)]);
        drawn
    }
}

#[test]
fn no_catalog_that_is_accepted_overflows_at_its_extremes() {
    let (mut draw, mut accepted, mut traded) = (Draw(8), 0, 0);
    for _ in 0..6_000 {
        let catalog = draw.catalog();
        let bank = catalog.funding.bank;
        let Some(mut venue) = Venue::new(catalog) else { continue };
        accepted += 1;
        try_bank(&mut venue, &bank, &mut draw);
        traded += try_market(&mut venue, &mut draw);
        venue.check();
    }
    assert!(accepted > 300 && traded > 2_000, "{accepted} catalogs were accepted, with {traded} trades");
}

fn try_bank(venue: &mut Venue, bank: &BankTerms, draw: &mut Draw) {
    for amount in [0, 1, bank.withdraw_min, MAX_AMOUNT - 1, MAX_AMOUNT, u64::MAX] {
        let fee = bank.fee(amount);
        assert!(amount < bank.withdraw_min || amount >= MAX_AMOUNT || fee.is_some_and(|fee| fee < amount), "a fee of {fee:?} of {amount}");
        let _ = bank.payout_cents(amount);
    }
    for cents in [bank.deposit_min_cents, bank.deposit_max_cents, draw.next()] {
        let claimed = venue.run(Command::ClaimDeposit { user: UserId(1), claimed: Claimed::Bank { cents }, proof: Digest([1; 32]) });
        let worth_something = || BankTerms::credit(cents, bank.deposit_rate).is_some_and(|credit| credit > 0);
        assert!(claimed.is_err() || worth_something(), "{cents} cents are worth no amount");
    }
}

/// Everybody's orders at the ends of the book; returns the number of trades.
fn try_market(venue: &mut Venue, draw: &mut Draw) -> u64 {
    let tick = venue.engine.catalog().markets[0].tick;
    let share = (MAX_AMOUNT - 1) / MEMBERS;
    for user in 1..=MEMBERS {
        venue.give(user, BASE, share).unwrap();
        venue.give(user, QUOTE, share).unwrap();
    }
    assert_eq!(venue.give(1, BASE, share), Err(Reject::Overflow));
    let on_tick = |price: u64| Price(price / tick.0 * tick.0);
    let highest = on_tick(MAX_PRICE.0 - 1);
    let end_of_book = Price(tick.0.saturating_mul(u64::from(u32::MAX))).min(highest);
    for price in [tick, on_tick(draw.of(&[1_000, 1_000_000_000, 1_000_000_000_000])), end_of_book, highest] {
        let quote = |source| Quote { source, price: draw_price(price, source), age_ms: 0 };
        let _ = venue.run(Command::PublishQuotes(vec![MarketQuotes { market: PAIR, quotes: (0..3).map(quote).collect() }]));
        let _ = venue.run(Command::SandboxPrice { market: PAIR, price });
        let [first, second] = if draw.below(2) == 0 { [Side::Buy, Side::Sell] } else { [Side::Sell, Side::Buy] };
        let last = MEMBERS / 2 + draw.below(3);
        for user in 1..=last {
            let _ = venue.limit(user, first, price, venue.most(user, first, price));
        }
        for user in last + 1..=MEMBERS {
            let most = venue.most(user, second, price);
            let _ = match draw.below(4) {
                0 => venue.order(user, second, OrderKind::Market { size: if second == Side::Sell { most } else { share } }),
                1 => venue.order(user, second, OrderKind::Limit { price, quantity: most, time_in_force: TimeInForce::FillOrKill }),
                _ => venue.limit(user, second, draw.of(&[tick, price, highest]), most),
            };
        }
        venue.cancel_all();
    }
    let traded = venue.events.iter().filter(|event| matches!(event, Event::Traded(_))).count();
    u64::try_from(traded).unwrap()
}

/// Quotes that agree, or one at an end.
fn draw_price(price: Price, source: u8) -> Price {
    if source == 2 { [price, Price(MAX_PRICE.0 - 1)][usize::from(price.0.is_multiple_of(7))] } else { price }
}
