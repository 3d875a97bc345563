//! Random commands. Most are sensible, so that they get far; some are garbage at the bounds.

mod account;
mod contracts;
mod conversions;
mod loans;
mod options;
mod plans;
mod subscriptions;

use engine::Engine;
use engine::amount::{MAX_AMOUNT, Price};
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode, Request};
use engine::feature::Feature;
use engine::ids::{AssetId, ClientOrderId, Digest, MarketId, OrderId, Seq, UserId};
use engine::index::{MarketQuotes, Quote};
use engine::ledger::HouseAccount;
use engine::liabilities::RecordLiabilities;
use engine::snapshot::FORMAT;
use engine::spot::{OrderKind, OrderRef, PlaceSpotOrder, Side, TimeInForce};
use engine::time::{DAY_MS, Time};
use fastrand::Rng;

use crate::options::Options;
use crate::oracle::{Oracle, PAIRS, Pair};

/// The first operators: three different people with all roles, and two accounts of a fourth.
const OPERATORS: u32 = 5;
const START_MS: u64 = 1_767_225_600_000;

/// Kinds of work, weighted by [`Options::weights`].
#[derive(Clone, Copy)]
enum Kind {
    Order,
    Crossing,
    Stop,
    Cancel,
    CancelAll,
    Transfer,
    Faucet,
    Sandbox,
    Clock,
    Person,
    Operator,
    Bet,
    Contract,
    Conversion,
    Loan,
    Subscription,
    Plan,
}

impl Kind {
    const ALL: [Kind; 17] = [
        Kind::Order,
        Kind::Crossing,
        Kind::Stop,
        Kind::Cancel,
        Kind::CancelAll,
        Kind::Transfer,
        Kind::Faucet,
        Kind::Sandbox,
        Kind::Clock,
        Kind::Person,
        Kind::Operator,
        Kind::Bet,
        Kind::Contract,
        Kind::Conversion,
        Kind::Loan,
        Kind::Subscription,
        Kind::Plan,
    ];
}

/// The source of one seed's commands.
#[derive(Debug)]
pub struct Workload {
    options: Options,
    rng: Rng,
    /// External price of each pair with sources.
    outside: [u64; 3],
    time: u64,
    /// When quotes were last published.
    published: u64,
    /// Earlier requests with their commands.
    requests: Vec<(Request, Command)>,
    next_key: u128,
}

/// One in `n`; never for 0.
fn one_in(rng: &mut Rng, n: usize) -> bool {
    n > 0 && rng.usize(..n) == 0
}

impl Workload {
    /// The workload of these options.
    pub fn new(options: &Options) -> Workload {
        let rng = Rng::with_seed(options.seed);
        let outside = [10_000_000_000_000, 400_000_000_000, 100_000_000];
        Workload { options: options.clone(), rng, outside, time: START_MS, published: 0, requests: Vec::new(), next_key: 0 }
    }

    /// The next entry, which gets this number if it is written. The engine provides only what an operator would see: versions and hashes.
    pub fn next(&mut self, seq: u64, oracle: &Oracle, engine: &Engine) -> Entry {
        self.time = self.time.max(oracle.now);
        let entry = |time, request, command| Entry { seq: Seq(seq), time: Time(time), request, command };
        if seq == 1 {
            return entry(self.time, None, self.genesis());
        }
        // By its place in the log, because the state may lag behind a group that is not written yet.
        let place = seq.checked_sub(self.options.activated_from).and_then(|place| u32::try_from(place).ok());
        if let Some(place) = place.filter(|place| *place < OPERATORS) {
            return entry(self.time, None, Command::DeclareOperator(Workload::first_operator(place + 1)));
        }
        let missing = Feature::ALL.into_iter().nth(engine.features()).filter(|_| seq >= self.options.activated_from);
        if let Some(feature) = missing {
            return entry(self.time, None, Command::Activate(feature));
        }
        let long = one_in(&mut self.rng, self.options.long_step_in);
        let step = if long { self.rng.u64(..2 * DAY_MS) } else { self.rng.u64(..=self.options.longest_step_ms) };
        // Options last at least a minute, so they are delivered only if no step jumps over it.
        let step = if !self.options.strained && self.rng.u8(..60) == 0 {
            [3_000, 3_001, 60_000, 60_001, DAY_MS, DAY_MS + 1][self.rng.usize(..6)]
        } else {
            step
        };
        self.time += if self.rng.bool() { 0 } else { step };
        let few = (oracle.members.len() as u64) < self.options.members;
        let command = if few && self.rng.u8(..if oracle.members.len() < 2 { 2 } else { 10 }) == 0 {
            self.newcomer(oracle)
        } else if self.time - self.published > 2_000 && self.rng.u8(..8) != 0 {
            let released = Command::SandboxFeed { market: MarketId(self.rng.u32(1..4)), halt: false };
            if self.rng.u8(..4) == 0 { released } else { self.quotes() }
        } else {
            self.work(oracle, engine)
        };
        if matches!(command, Command::SandboxClock) && self.rng.bool() {
            self.time += self.rng.u64(..400 * DAY_MS);
        }
        // Addresses, cards and members become old enough for withdrawals; days begin.
        if matches!(command, Command::Withdraw(_)) && self.rng.u8(..25) == 0 {
            self.time += DAY_MS;
        }
        // Loans become due.
        if matches!(command, Command::RepayLoan { .. } | Command::AddCollateral { .. }) && self.rng.u8(..6) == 0 {
            self.time += self.rng.u64(..4 * DAY_MS);
        }
        let (request, command) = self.keyed(command);
        entry(self.time, request, command)
    }

    /// Half of the newcomers are invited, mostly by an existing member.
    fn newcomer(&mut self, oracle: &Oracle) -> Command {
        let user = UserId(1 + self.rng.u64(..self.options.members));
        match self.rng.u8(..4) {
            0 | 1 => Command::RegisterInvited { user, inviter: UserId(self.user(oracle)) },
            house => Command::RegisterMember { user, house: house == 2 },
        }
    }

    fn genesis(&mut self) -> Command {
        let mode = if self.options.live { Mode::Live } else { Mode::Sandbox };
        let endowment = (HouseAccount::Insurance, AssetId(3), 1_000_000_000_000);
        // The pool of options covers little in one coin, and much in another.
        let pool = |coin, atoms| (HouseAccount::OptionPool, AssetId(coin), atoms);
        let pools = [pool(1, 100_000_000), pool(2, 300_000_000), pool(3, 50_000_000_000), pool(4, 20_000_000)];
        // The same for contracts: from one small position to the largest ones.
        let contracts = if self.options.strained { 0 } else { (self.options.seed % 3) as usize };
        let contracts = [2_000_000_000, 60_000_000_000, 3_000_000_000_000][contracts];
        let contracts = (HouseAccount::ContractPool, AssetId(3), contracts);
        // The pool of conversions is short in some coins, or deep enough for a day's limit.
        let deep = if self.options.converts_much() { 1_000 } else { 1 };
        let flash =
            [(1, 50_000_000), (2, 3_000_000_000), (3, 200_000_000_000), (4, 2_000_000_000)].map(|(coin, atoms)| (coin, atoms * deep));
        let flash = flash.map(|(coin, atoms)| (HouseAccount::FlashPool, AssetId(coin), atoms));
        // Enough for several loans, or for hardly one.
        let loans = [(3, 60_000_000_000), (4, 300_000_000)].map(|(coin, atoms)| (HouseAccount::LoanTreasury, AssetId(coin), atoms));
        // The treasury covers a few of the smallest orders, and much more in one coin.
        let treasury = [(1, 100_000), (2, 2_000_000_000), (3, 20_000_000_000), (4, 50_000_000)];
        let treasury = treasury.map(|(coin, atoms)| (HouseAccount::PlanTreasury, AssetId(coin), atoms));
        let endowed = [endowment, contracts].into_iter().chain(pools).chain(flash).chain(loans).chain(treasury);
        let endowments = if self.options.live { Vec::new() } else { endowed.collect() };
        let mut catalog = Catalog::standard();
        if self.options.rich {
            catalog.assets.iter_mut().for_each(|coin| coin.faucet_max = MAX_AMOUNT - 1);
            for market in &mut catalog.markets {
                (market.max_quantity, market.max_notional) = ((MAX_AMOUNT - 1) / market.step * market.step, MAX_AMOUNT - 1);
            }
        }
        Command::Genesis(Box::new(Genesis { mode, catalog, endowments }))
    }

    /// Some writes carry a key; some of those repeat an earlier one, with the same content or another.
    fn keyed(&mut self, command: Command) -> (Option<Request>, Command) {
        let user_write = command.may_repeat();
        if !user_write || self.options.repeat_in == 0 || self.rng.bool() {
            return (None, command);
        }
        if !self.requests.is_empty() && one_in(&mut self.rng, self.options.repeat_in) {
            let back = self.rng.usize(..self.requests.len().min(40)) + 1;
            let (request, earlier) = &self.requests[self.requests.len() - back];
            if self.rng.u8(..4) == 0 {
                return (Some(Request { content: request.content ^ 1, ..*request }), command);
            }
            return (Some(*request), earlier.clone());
        }
        self.next_key += 1;
        let request = Request { key: self.next_key << 64, content: self.next_key << 8 };
        self.requests.push((request, command.clone()));
        (Some(request), command)
    }

    fn work(&mut self, oracle: &Oracle, engine: &Engine) -> Command {
        let total: u32 = self.options.weights.iter().sum();
        let mut at = self.rng.u32(..total.max(1));
        let mut kind = Kind::Order;
        for (candidate, weight) in Kind::ALL.into_iter().zip(self.options.weights) {
            if at < weight {
                kind = candidate;
                break;
            }
            at -= weight;
        }
        let user = UserId(self.user(oracle));
        match kind {
            Kind::Order | Kind::Crossing | Kind::Stop => self.order(oracle, kind, user),
            Kind::Cancel if self.rng.bool() => self.another_price(oracle, user),
            Kind::Cancel => Command::CancelSpotOrder { user, order: self.order_ref(oracle, user.0) },
            Kind::CancelAll => {
                let mut coin = || if self.rng.bool() { None } else { Some(AssetId(self.rng.u32(1..6))) };
                Command::CancelAllSpotOrders { user, base: coin(), quote: coin() }
            }
            Kind::Transfer => self.transfer(oracle, user),
            Kind::Faucet => self.faucet(user),
            Kind::Sandbox => match self.rng.u8(..6) {
                0 => Command::SandboxClock,
                1 | 2 => Command::SandboxFeed { market: MarketId(self.rng.u32(1..5)), halt: self.rng.u8(..4) == 0 },
                3 => self.quotes(),
                _ => self.sandbox_price(),
            },
            Kind::Clock if self.rng.u8(..40) == 0 => match self.rng.bool() {
                true => self.genesis(),
                false => Command::Activate(Feature::ALL[self.rng.usize(..Feature::ALL.len())]),
            },
            Kind::Clock if self.rng.u8(..20) == 0 => {
                let seq = if self.rng.u8(..4) == 0 { Seq(self.garbage()) } else { engine.seq() };
                let hash = Digest(engine.state_hash());
                if hash.0[0].is_multiple_of(2) {
                    return Command::RecordState { seq, form: FORMAT, hash };
                }
                let (_, mut record) = RecordLiabilities::of(engine.cut(), hash);
                record.seq = seq;
                Command::RecordLiabilities(Box::new(record))
            }
            Kind::Clock => Command::Clock,
            Kind::Person => self.person(oracle, user),
            Kind::Operator => self.operator(oracle, engine, user),
            Kind::Bet => self.bet(oracle, engine, user),
            Kind::Contract => self.contract(oracle, user),
            Kind::Conversion => self.conversion(oracle, user),
            Kind::Loan => self.loan(oracle, engine, user),
            Kind::Subscription => self.subscription(oracle, engine, user),
            Kind::Plan => self.plan(oracle, engine, user),
        }
    }

    fn user(&mut self, oracle: &Oracle) -> u64 {
        if oracle.members.is_empty() || one_in(&mut self.rng, self.options.garbage_in) {
            return self.rng.u64(..self.options.members + 2);
        }
        oracle.members[self.rng.usize(..oracle.members.len())]
    }

    /// A value that tends to find bugs.
    fn garbage(&mut self) -> u64 {
        let edges = [
            0,
            1,
            2,
            999,
            1_000,
            u64::from(u32::MAX),
            9_999_999_999_999_999,
            10_000_000_000_000_000,
            999_999_999_999_999_999,
            1_000_000_000_000_000_000,
            u64::MAX - 1,
            u64::MAX,
        ];
        if self.rng.bool() { edges[self.rng.usize(..edges.len())] } else { self.rng.u64(..) >> self.rng.u32(..64) }
    }

    fn or_garbage(&mut self, value: u64) -> u64 {
        if one_in(&mut self.rng, self.options.garbage_in) { self.garbage() } else { value }
    }

    fn pair(&mut self) -> Pair {
        let at = self.rng.usize(..PAIRS.len());
        PAIRS.into_iter().find(|pair| Some(pair.id) == self.options.only_pair).unwrap_or(PAIRS[at])
    }

    fn order(&mut self, oracle: &Oracle, kind: Kind, user: UserId) -> Command {
        let pair = self.pair();
        let (tick, step) = (pair.tick.unsigned_abs() as u64, pair.step.unsigned_abs() as u64);
        let reference = oracle.fresh(pair.id).map_or_else(|| self.outside_price(pair.id), |price| price.unsigned_abs() as u64);
        let side = if self.rng.bool() { Side::Buy } else { Side::Sell };
        // A few prices around the reference make levels with several orders; the edges of the band are 5 % away.
        let ticks = reference / tick;
        let spread = match self.rng.u8(..8) {
            _ if self.options.hoard => ticks / 25,
            0 => ticks / 15,
            1 => ticks / 200,
            _ => 3,
        };
        let toward = match kind {
            Kind::Order if self.options.hoard => side == Side::Sell,
            Kind::Crossing => side == Side::Buy,
            Kind::Order | Kind::Stop => self.rng.u8(..4) == 0,
            _ => self.rng.bool(),
        };
        let away = self.rng.u64(..=spread);
        let mut price = if toward { ticks + away } else { ticks.saturating_sub(away) } * tick;
        if self.rng.u8(..40) == 0 {
            let percent = if side == Side::Buy { [50, 105] } else { [95, 200] }[self.rng.usize(..2)];
            price = (reference * percent / 100 / tick + self.rng.u64(..2)) * tick;
        }
        let price = Price(self.or_garbage(price.max(tick)));
        let quantity = self.quantity(&pair, reference, step);
        let quantity = self.or_garbage(quantity);
        let time_in_force =
            [TimeInForce::GoodTillCancelled, TimeInForce::ImmediateOrCancel, TimeInForce::FillOrKill, TimeInForce::PostOnly];
        let weighted = if self.options.hoard { 0 } else { [0, 0, 0, 0, 1, 2, 3][self.rng.usize(..7)] };
        let time_in_force = time_in_force[weighted];
        let kind = match kind {
            Kind::Stop => {
                let away = 1 + self.rng.u64(..=(ticks / 500).max(2));
                let stop = if (side == Side::Buy) != (self.rng.u8(..20) == 0) { ticks + away } else { ticks.saturating_sub(away) } * tick;
                let time_in_force = if self.rng.u8(..20) == 0 { time_in_force } else { TimeInForce::GoodTillCancelled };
                OrderKind::StopLimit { stop: Price(self.or_garbage(stop)), price, quantity, time_in_force }
            }
            Kind::Crossing if self.rng.bool() => {
                let size = if side == Side::Buy { self.funds(oracle, &pair, user.0) } else { quantity };
                OrderKind::Market { size: self.or_garbage(size) }
            }
            _ => OrderKind::Limit { price, quantity, time_in_force },
        };
        let client_order_id =
            if !self.options.hoard && self.rng.u8(..3) == 0 { ClientOrderId::new(&format!("c{}", self.rng.u8(..6))) } else { None };
        let coin = if side == Side::Buy { pair.quote } else { pair.base };
        if self.poor(oracle, user.0, coin) && self.rng.u8(..8) != 0 {
            return Command::SandboxFaucet { user, asset: AssetId(coin), wallet: Wallet::Spot, amount: self.rng.u64(1..10_000_000_000) };
        }
        let market = MarketId(if one_in(&mut self.rng, self.options.garbage_in) { self.rng.u32(..9) } else { pair.id });
        Command::PlaceSpotOrder(PlaceSpotOrder { user, market, side, kind, client_order_id })
    }

    /// Approximate index of a pair at the next quotes.
    fn outside_price(&self, pair: u32) -> u64 {
        let [btc, eth, usdc] = self.outside.map(u128::from);
        let price = [btc, eth, usdc, btc * 100_000_000 / usdc, eth * 100_000_000 / usdc, eth * 100_000_000 / btc][pair as usize - 1];
        u64::try_from(price).unwrap_or(u64::MAX)
    }

    /// Mostly around the smallest allowed value, sometimes much more.
    fn quantity(&mut self, pair: &Pair, reference: u64, step: u64) -> u64 {
        let smallest = pair.smallest_steps(i128::from(reference)).unsigned_abs() as u64;
        let steps = match self.rng.u8(..30) {
            _ if self.options.rich && self.rng.bool() => (MAX_AMOUNT / step) >> self.rng.u32(..40),
            0 | 3 => self.rng.u64(1..4),
            1 => smallest * self.rng.u64(1..2_000),
            2 => smallest.saturating_sub(self.rng.u64(..2)).max(1),
            _ => smallest + self.rng.u64(..=smallest * 5),
        };
        steps.saturating_mul(step)
    }

    fn funds(&mut self, oracle: &Oracle, pair: &Pair, user: u64) -> u64 {
        let all = oracle.balance(user, Wallet::Spot, pair.quote).map_or(0, |balance| balance.0.unsigned_abs() as u64);
        match self.rng.u8(..4) {
            0 => all,
            _ => self.rng.u64(..=all / 10 + 10_000_000),
        }
    }

    fn poor(&self, oracle: &Oracle, user: u64, coin: u32) -> bool {
        oracle.balance(user, Wallet::Spot, coin).is_none_or(|balance| balance.0 < 50_000_000)
    }

    fn order_ref(&mut self, oracle: &Oracle, user: u64) -> OrderRef {
        let name = ClientOrderId::new(&format!("c{}", self.rng.u8(..7))).filter(|_| self.rng.u8(..8) == 0);
        name.map_or_else(|| OrderRef::Id(self.order_number(oracle, user)), OrderRef::Client)
    }

    fn order_number(&mut self, oracle: &Oracle, user: u64) -> OrderId {
        let own: Vec<u64> = oracle.live().values().filter(|order| order.user == user).map(|order| order.id).collect();
        OrderId(match self.rng.u8(..7) {
            0 => self.garbage(),
            1 => self.rng.u64(..oracle.live().keys().last().map_or(1, |id| id + 2)),
            _ if own.is_empty() => 1,
            _ => own[self.rng.usize(..own.len())],
        })
    }

    /// An order moves a few ticks, or to the other side of the book.
    fn another_price(&mut self, oracle: &Oracle, user: UserId) -> Command {
        let order = self.order_number(oracle, user.0);
        let moved = oracle.live().get(&order.0);
        let tick = moved.and_then(|order| PAIRS.iter().find(|pair| pair.id == order.pair)).map_or(1, |pair| pair.tick);
        let (tick, now) = (tick.unsigned_abs() as u64, moved.map_or(1_000_000_000, |order| order.price.unsigned_abs() as u64));
        let most = if self.rng.u8(..8) == 0 { now / tick / 15 } else { 4 };
        let away = self.rng.u64(..=most) * tick;
        let price = if self.rng.bool() { now + away } else { now.saturating_sub(away).max(tick) };
        Command::MoveSpotOrder { user, order, price: Price(self.or_garbage(price)) }
    }

    fn transfer(&mut self, oracle: &Oracle, user: UserId) -> Command {
        let mut wallet = || Wallet::ALL[self.rng.usize(..4)];
        let (from, to) = (wallet(), wallet());
        let asset = AssetId(if one_in(&mut self.rng, self.options.garbage_in) { self.rng.u32(..8) } else { self.rng.u32(1..5) });
        let all = oracle.balance(user.0, from, asset.0).map_or(0, |balance| balance.0.unsigned_abs() as u64);
        let amount = match self.rng.u8(..6) {
            0 => all,
            1 => all + 1,
            _ => self.rng.u64(..=all / 4 + 1),
        };
        Command::Transfer { user, asset, from, to, amount: self.or_garbage(amount) }
    }

    fn faucet(&mut self, user: UserId) -> Command {
        let asset = AssetId(if one_in(&mut self.rng, self.options.garbage_in) { self.rng.u32(..8) } else { self.rng.u32(1..5) });
        let wallet = if self.rng.u8(..6) == 0 { Wallet::ALL[self.rng.usize(..4)] } else { Wallet::Spot };
        let amount = if self.options.rich && self.rng.bool() { self.rng.u64(..MAX_AMOUNT) } else { self.rng.u64(..10_000_000_000) };
        Command::SandboxFaucet { user, asset, wallet, amount: self.or_garbage(amount) }
    }

    fn sandbox_price(&mut self) -> Command {
        let at = self.rng.usize(..3);
        let tick = [1_000_000, 1_000_000, 10_000][at];
        let price = self.outside[at] / tick * tick + [0, tick, 20 * tick][self.rng.usize(..3)];
        let market = MarketId(if one_in(&mut self.rng, self.options.garbage_in) { self.rng.u32(..8) } else { at as u32 + 1 });
        Command::SandboxPrice { market, price: Price(self.or_garbage(price)) }
    }

    /// A walk of the outside price, seen by five sources with noise, gaps, age and outliers.
    fn quotes(&mut self) -> Command {
        self.published = self.time;
        let mut all = Vec::new();
        for at in 0..3 {
            if self.rng.u8(..16) == 0 {
                continue;
            }
            let jump = one_in(&mut self.rng, self.options.jump_in);
            let largest = if jump { 5_000 } else { self.options.volatility };
            self.outside[at] = self.moved(self.outside[at], largest).clamp(10_000_000, 1_000_000_000_000_000);
            let mut quotes = Vec::new();
            // In a market without moves the sources agree, so options can end exactly at their opening price.
            let noise = if self.options.volatility == 0 { 0 } else { 2 };
            for source in 0..5 {
                let mut quote = Quote { source, price: Price(self.moved(self.outside[at], noise)), age_ms: self.rng.u32(..900) };
                if one_in(&mut self.rng, self.options.bad_quote_in) {
                    match self.rng.u8(..6) {
                        0 => continue,
                        1 => quote.age_ms = self.rng.u32(4_999..5_003),
                        2 => quote.price = Price(self.garbage()),
                        3 => quote.source = self.rng.u8(..7),
                        4 => quote.price = Price(self.outside[at] + self.outside[at] / 50),
                        _ => quote.price = Price(self.moved(quote.price.0, 400)),
                    }
                }
                quotes.push(quote);
            }
            all.push(MarketQuotes { market: MarketId(at as u32 + 1), quotes });
        }
        if one_in(&mut self.rng, self.options.bad_quote_in) && !all.is_empty() {
            let mut again = all[self.rng.usize(..all.len())].clone();
            again.market = MarketId(self.rng.u32(..8));
            all.push(again);
        }
        Command::PublishQuotes(all)
    }

    /// `price` moved by up to `largest` parts in 10 000, either way.
    fn moved(&mut self, price: u64, largest: u64) -> u64 {
        let by = price / 10_000 * self.rng.u64(..=largest);
        if self.rng.bool() { price.saturating_add(by) } else { price.saturating_sub(by).max(1) }
    }
}
