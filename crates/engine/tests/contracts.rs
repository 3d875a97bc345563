//! The effect of one sample on many contracts: the sample fixes it, slices execute it, and nothing acts on an object before that (4.6,
//! T-3).

#![allow(clippy::unwrap_used, reason = "a set-up that fails has failed")]

mod support;

use engine::Engine;
use engine::amount::{Amount, Price};
use engine::backoffice::acts::{Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Genesis, Mode};
use engine::contracts::formulas::{Direction, TickPrice};
use engine::contracts::position::{EndReason, OpenContract, Position, Status};
use engine::event::{AccountEvent, Event};
use engine::feature::Feature;
use engine::ids::{AssetId, Digest, MarketId, OperatorId, PositionId, UserId};
use engine::index::{MarketQuotes, Quote};
use engine::ledger::HouseAccount;
use engine::operators::approval::Reviewer;
use engine::operators::roles::Roles;
use engine::operators::{Cause, Declared};
use engine::reject::Reject;
use engine::reply::Reply;
use engine::scheduler::SLICE;
use engine::self_limits::SelfLimit;
use engine::time::{DAY_MS, HOUR_MS, Time};

const START: Time = Time(1_767_225_600_000);
const USDT: AssetId = AssetId(3);
const BTC_USDT: MarketId = MarketId(1);
const ETH_USDT: MarketId = MarketId(2);
/// Contracts per member.
const EACH: u64 = 50;
const MEMBERS: u64 = 12;

struct Stage {
    engine: Engine,
    events: Vec<Event>,
}

fn price(dollars: u64) -> Price {
    Price(dollars * 100_000_000)
}

impl Stage {
    fn new() -> Stage {
        let mut stage = Stage::with(1_000_000_000_000, &Feature::ALL);
        stage.sample(START, 100_000);
        stage
    }

    /// Members with 100,000 USDT each, and a pool.
    fn with(pool: Amount, features: &[Feature]) -> Stage {
        let mut stage = Stage { engine: Engine::default(), events: Vec::new() };
        let endowments = vec![(HouseAccount::ContractPool, USDT, pool)];
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments };
        stage.at(START, Command::Genesis(Box::new(genesis))).unwrap();
        for feature in features {
            stage.at(START, Command::Activate(*feature)).unwrap();
        }
        for user in (1..=MEMBERS).map(UserId) {
            stage.at(START, Command::RegisterMember { user, house: false }).unwrap();
            stage.at(START, Command::SandboxFaucet { user, asset: USDT, wallet: Wallet::Futures, amount: 100_000_000_000 }).unwrap();
        }
        stage
    }

    fn at(&mut self, time: Time, command: Command) -> Result<Reply, Reject> {
        support::apply(&mut self.engine, &mut self.events, time, command)
    }

    fn sample(&mut self, time: Time, dollars: u64) {
        self.at(time, Command::SandboxPrice { market: BTC_USDT, price: price(dollars) }).unwrap();
    }

    /// So few lots that the tier of all [`EACH`] of a member admits the multiple (C-16).
    fn open(&mut self, user: u64, limit: Option<Price>) -> Result<PositionId, Reject> {
        let (user, market, direction) = (UserId(user), BTC_USDT, Direction::Long);
        let open = OpenContract { user, market, direction, lots: 9, multiple: 50, limit, take_profit: None, stop_loss: None };
        let time = self.engine.time();
        self.at(time, Command::OpenContract(open)).map(|reply| {
            let Reply::Contract(position) = reply else { panic!("a contract answers") };
            position.id
        })
    }

    fn close(&mut self, time: Time, position: PositionId) -> Result<Reply, Reject> {
        let user = self.engine.contract(position).unwrap().user;
        self.at(time, Command::CloseContract { user, position })
    }

    /// Clocks until nothing is due.
    fn settle(&mut self, time: Time) {
        self.at(time, Command::Clock).unwrap();
        while self.engine.has_backlog() {
            self.at(time, Command::Clock).unwrap();
        }
    }

    /// Two operators agree at `now` that the pair ends at `end`.
    fn retire(&mut self, now: Time, end: Time) {
        for operator in [1, 2] {
            let declared = Declared {
                operator: OperatorId(operator),
                name: Digest([u8::try_from(operator).unwrap(); 32]),
                roles: Roles(63),
                active: true,
                member: None,
                cause: Cause::Machine,
            };
            self.at(now, Command::DeclareOperator(declared)).unwrap();
        }
        let proposed = Proposed::RetireMarket { market: BTC_USDT, at: end };
        let proposal = self.operate(now, 1, OperatorAct::Propose { proposed, reason: Digest([7; 32]) });
        let Ok(Reply::Proposal(proposal)) = proposal else { panic!("{proposal:?}") };
        let hash = proposal.hash();
        self.operate(now, 2, OperatorAct::Confirm { proposal: proposal.id, hash }).unwrap();
    }

    fn operate(&mut self, time: Time, operator: u32, act: OperatorAct) -> Result<Reply, Reject> {
        let by = Reviewer { operator: OperatorId(operator), member: None };
        self.at(time, Command::Operate(Box::new(Operate { by, act })))
    }

    fn ended(&self) -> Vec<Position> {
        let ended = |event: &Event| match event {
            Event::Account(change) => match &**change {
                AccountEvent::ContractChanged(position) if !position.is_open() => Some(*position),
                _ => None,
            },
            _ => None,
        };
        self.events.iter().filter_map(ended).collect()
    }
}

/// Positions of all members, oldest first.
fn crowd(stage: &mut Stage) -> Vec<PositionId> {
    (0..EACH).flat_map(|_| 1..=MEMBERS).map(|user| stage.open(user, None).unwrap()).collect()
}

#[test]
fn an_order_that_reaches_its_limit_beyond_fifty_positions_is_refused_and_gives_its_hold_back() {
    let mut stage = Stage::new();
    let waiting = stage.open(1, Some(price(99_900))).unwrap();
    let held = stage.engine.contract(waiting).unwrap().held;
    for _ in 0..EACH {
        stage.open(1, None).unwrap();
    }
    let at = Time(START.0 + 1_000);
    stage.sample(at, 99_800);
    let mut ended = stage.ended();
    stage.settle(at);
    ended.extend(stage.ended());
    let told: Vec<_> = ended.iter().map(|order| (order.id, order.status, order.reason, order.returned)).collect();
    assert_eq!(told, [(waiting, Status::Cancelled, Some(EndReason::Refused), held)]);
    assert_eq!(stage.engine.contracts_of(UserId(1)).count() as u64, EACH);
}

#[test]
fn an_own_loss_limit_hides_no_other_reason_against_an_order() {
    let mut stage = Stage::new();
    let limited = Command::SetSelfLimits { user: UserId(1), changes: vec![(SelfLimit::LossDay, Some(200_000_000))] };
    stage.at(START, limited).unwrap();
    let (market, direction, multiple) = (BTC_USDT, Direction::Long, 1);
    let order =
        |lots, limit, stop_loss| OpenContract { user: UserId(1), market, direction, lots, multiple, limit, take_profit: None, stop_loss };
    let most = Reject::Tier { max: 1_000_000_000_000 };
    let used = Reject::SelfLimit { limit: SelfLimit::LossDay, value: 200_000_000, used: 0 };
    let off_tick = Price(price(100_000).0 + 1);
    // A hundred coins are ten million dollars, three thousandths cost more than the limit.
    for (lots, limit, stop_loss, refused) in [
        (100_000, None, None, &most),
        (100_000, Some(price(99_000)), None, &most),
        (3, None, None, &used),
        (3, Some(price(99_000)), None, &used),
        (1, Some(off_tick), None, &Reject::Tick),
    ] {
        assert_eq!(stage.at(START, Command::OpenContract(order(lots, limit, stop_loss))).as_ref(), Err(refused), "{lots} at {limit:?}");
    }
    // The price is too old.
    let later = START.plus(10_000);
    for (limit, stop_loss, refused) in [
        (None, None, Reject::PriceStale),
        (Some(price(99_000)), None, Reject::PriceStale),
        (Some(off_tick), None, Reject::Tick),
        (None, Some(off_tick), Reject::Tick),
    ] {
        assert_eq!(stage.at(later, Command::OpenContract(order(1, limit, stop_loss))), Err(refused), "{limit:?} {stop_loss:?}");
    }
}

#[test]
fn a_sample_fixes_what_it_sets_off_and_slices_carry_it_out_in_order() {
    let mut stage = Stage::new();
    let all = crowd(&mut stage);
    assert!(all.len() > 2 * SLICE);
    let waiting = stage.open(1, Some(price(98_000))).unwrap();
    assert_eq!(stage.open(2, None), Err(Reject::OpenLimit { max: 50 }));
    let fall = START.plus(1_000);
    stage.sample(fall, 98_000);
    assert_eq!(stage.ended().iter().map(|closed| closed.id).collect::<Vec<_>>(), all[..SLICE]);
    assert!(stage.engine.has_backlog());
    // A triggered contract that is not settled yet refuses commands, and no later price changes its outcome.
    let last = *all.last().unwrap();
    assert_eq!(stage.close(fall, last), Err(Reject::WrongState));
    let order = Command::CancelContract { user: UserId(1), position: waiting };
    let bytes = stage.engine.snapshot();
    stage.engine = Engine::restore(&bytes).unwrap();
    assert_eq!(stage.engine.snapshot(), bytes);
    stage.sample(fall.plus(500), 100_000);
    assert_eq!(stage.ended(), [], "no other entry waits for the backlog");
    stage.at(fall.plus(500), Command::Clock).unwrap();
    assert_eq!(stage.ended().iter().map(|closed| closed.id).collect::<Vec<_>>(), all[SLICE..2 * SLICE]);
    assert!(stage.ended().iter().all(|closed| closed.close == TickPrice(9_800_000) && closed.ended == Some(fall)));
    stage.at(fall.plus(600), Command::Clock).unwrap();
    assert_eq!(stage.ended().last().unwrap().id, last);
    // The waiting order came after all positions.
    let filled = stage.engine.contract(waiting).unwrap();
    assert_eq!((filled.status, filled.opened, filled.origin), (Status::Waiting, None, TickPrice(0)), "98 009.80 is above its limit");
    assert!(stage.at(fall.plus(600), order).is_ok());
    assert!(!stage.engine.has_backlog());
}

#[test]
fn midnight_is_charged_at_the_price_before_it_however_late_it_is_settled() {
    let mut stage = Stage::new();
    let all = crowd(&mut stage);
    let (before, midnight) = (START.plus(DAY_MS - 1), START.plus(DAY_MS));
    stage.sample(before, 99_900);
    // Stamped at midnight, so it comes after the work of that instant.
    stage.sample(midnight, 100_500);
    let (first, last) = (all[0], *all.last().unwrap());
    assert!(stage.engine.has_backlog());
    assert_eq!(stage.close(midnight, last), Err(Reject::WrongState));
    stage.settle(midnight.plus(1));
    // A notional of 899.1, 0.03 %.
    for id in [first, last] {
        let position = stage.engine.contract(id).unwrap();
        assert_eq!((position.overnight_paid, position.held), (269_730, position.initial_margin - 269_730));
        assert_eq!(position.due, midnight.plus(DAY_MS));
    }
    assert!(stage.close(midnight.plus(1), last).is_ok());
}

#[test]
fn a_retired_pair_ends_in_slices_at_one_price() {
    let mut stage = Stage::new();
    let all = crowd(&mut stage);
    let end = START.plus(DAY_MS + 3_600_000);
    stage.retire(START, end);
    stage.settle(START.plus(DAY_MS));
    stage.sample(Time(end.0 - 1_000), 100_001);
    stage.sample(Time(end.0 - 500), 100_004);
    stage.at(end, Command::Clock).unwrap();
    let (some, left) = (stage.ended(), stage.engine.open_contracts().count());
    assert_eq!((some.len(), left), (SLICE - 1, all.len() - SLICE + 1), "the retirement itself is one of the slice");
    // A price after the end changes nothing.
    stage.sample(end.plus(500), 90_000);
    assert_eq!(stage.engine.open_contracts().count(), left);
    stage.at(end.plus(500), Command::Clock).unwrap();
    let more = stage.ended();
    stage.at(end.plus(500), Command::Clock).unwrap();
    assert_eq!(stage.engine.open_contracts().count(), 0);
    for closed in some.iter().chain(&more).chain(&stage.ended()) {
        assert_eq!((closed.reason, closed.close, closed.close_fee), (Some(EndReason::Retired), TickPrice(10_000_250), 0));
        assert_eq!(closed.ended, Some(end));
    }
}

/// A pool of 6,300 with one ETH position of 1,000 lots at 50x, whose profit may be 6,000.60; after a sample of BTC and ETH that takes it
/// beyond that.
fn beyond_the_cap(features: &[Feature]) -> Position {
    let mut stage = Stage::with(6_300_000_000, features);
    let quotes = |stage: &mut Stage, after: u64, eth: u64| {
        let of = |market, dollars| {
            let quotes = (0..3).map(|source| Quote { source, price: price(dollars), age_ms: 0 }).collect();
            MarketQuotes { market, quotes }
        };
        let both = vec![of(BTC_USDT, 100_000), of(ETH_USDT, eth)];
        stage.at(START.plus(after * 1_000), Command::PublishQuotes(both)).unwrap();
    };
    quotes(&mut stage, 1, 3_000);
    let user = UserId(1);
    let (limit, take_profit, stop_loss) = (None, None, None);
    let order =
        OpenContract { user, market: ETH_USDT, direction: Direction::Long, lots: 1_000, multiple: 50, limit, take_profit, stop_loss };
    stage.at(START.plus(1_000), Command::OpenContract(order)).unwrap();
    for (after, eth) in (2..).zip([3_100, 3_200, 3_300, 3_400, 3_500]) {
        quotes(&mut stage, after, eth);
        assert_eq!(stage.ended(), []);
    }
    quotes(&mut stage, 7, 3_670);
    let ended = stage.ended();
    assert_eq!(ended.len(), 1);
    ended[0]
}

#[test]
fn deleveraging_waits_until_every_pair_of_a_sample_is_fixed() {
    let closed = beyond_the_cap(&Feature::ALL);
    assert_eq!((closed.reason, closed.profit, closed.close), (Some(EndReason::ProfitCap), 6_000_600_000, TickPrice(366_963)));
    assert_eq!((closed.close_fee, closed.returned), (18_348_150, 6_582_311_850));
    // Before, the pair that came first deleveraged at a price of the other one that nothing had acted on.
    let before: Vec<_> = Feature::ALL.into_iter().filter(|feature| *feature != Feature::ContractCorrections).collect();
    let closed = beyond_the_cap(&before);
    assert_eq!((closed.reason, closed.close), (Some(EndReason::Deleveraged), TickPrice(367_000)));
    assert!(closed.returned < 6_250_000_000, "{closed:?}");
}

#[test]
fn a_contract_refuses_commands_from_the_end_of_its_pair_on() {
    const DAYS: u64 = 30 * DAY_MS;
    let before: Vec<_> = Feature::ALL.into_iter().filter(|feature| *feature != Feature::ContractCorrections).collect();
    for (features, refused) in [(&Feature::ALL[..], true), (&before, false)] {
        let mut stage = Stage::with(1_000_000_000_000, features);
        stage.sample(START.plus(1_000), 100_000);
        // Orders that expire at the end of the pair are more than a slice, so only a clock settles them.
        for user in (0..EACH).flat_map(|_| 1..=MEMBERS) {
            stage.open(user, Some(price(90_000))).unwrap();
        }
        let end = START.plus(DAYS + 1_000);
        stage.settle(START.plus(DAYS - 3 * DAY_MS));
        stage.retire(START.plus(DAYS - 3 * DAY_MS), end);
        // Before the last half hour, in which nothing is opened.
        stage.sample(START.plus(DAYS - HOUR_MS), 100_000);
        let position = stage.open(1, None).unwrap();
        stage.settle(START.plus(DAYS));
        stage.sample(START.plus(DAYS + 10), 100_000);
        stage.sample(START.plus(DAYS + 900), 99_500);
        let late = end.plus(5);
        let stops = Command::SetContractStops { user: UserId(1), position, take_profit: None, stop_loss: Some(price(99_400)) };
        assert_eq!(stage.at(late, stops).err(), refused.then_some(Reject::WrongState));
        assert_eq!(stage.engine.check_own_contract(UserId(1), position, Status::Holding).err(), refused.then_some(Reject::WrongState));
        assert_eq!(stage.close(late, position).err(), refused.then_some(Reject::WrongState));
        let mut ended = stage.ended();
        while stage.engine.has_backlog() {
            stage.at(late, Command::Clock).unwrap();
            ended.extend(stage.ended());
        }
        let closed = ended.iter().find(|ended| ended.id == position).unwrap();
        // The mean of both samples, or the last one less the spread.
        let (reason, close) = if refused { (EndReason::Retired, 9_975_000) } else { (EndReason::User, 9_949_005) };
        assert_eq!((closed.reason, closed.close), (Some(reason), TickPrice(close)));
    }
}
