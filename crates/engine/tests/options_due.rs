//! Options that fall due at one instant settle a slice with each entry, at the price of that instant, whatever comes in between (T-3, O-2).

#![allow(clippy::unwrap_used, reason = "a set-up that fails has failed")]

mod support;

use engine::Engine;
use engine::amount::Price;
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode, Request};
use engine::convert::conversion::Convert;
use engine::event::{AccountEvent, Event};
use engine::feature::Feature;
use engine::identity::KycLevel;
use engine::ids::{AssetId, Digest, MarketId, OperatorId, OptionId, OrderId, Seq, SubmissionId, UserId};
use engine::ledger::HouseAccount;
use engine::operators::approval::Reviewer;
use engine::options::option::{BinaryOption, BuyOption, Direction, Status};
use engine::reject::Reject;
use engine::reply::Reply;
use engine::scheduler::SLICE;
use engine::spot::{OrderKind, OrderRef, PlaceSpotOrder, Side, TimeInForce};
use engine::time::{DAY_MS, MINUTE_MS, Time};

const START: Time = Time(1_767_225_600_000);
const USDT: AssetId = AssetId(3);
const BTC_USDT: MarketId = MarketId(1);
/// Options per member.
const EACH: usize = 20;

struct Stage {
    engine: Engine,
    events: Vec<Event>,
}

fn price(cents: u64) -> Price {
    Price(cents * 1_000_000)
}

impl Stage {
    fn new() -> Stage {
        let mut stage = Stage { engine: Engine::default(), events: Vec::new() };
        let endowments = vec![(HouseAccount::OptionPool, USDT, 1_000_000_000_000)];
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments };
        stage.at(START, Command::Genesis(Box::new(genesis)));
        for feature in Feature::ALL.into_iter().filter(|feature| *feature != Feature::OperatorRegistry) {
            stage.at(START, Command::Activate(feature));
        }
        stage
    }

    fn at(&mut self, time: Time, command: Command) -> Reply {
        self.try_at(time, command).unwrap()
    }

    fn try_at(&mut self, time: Time, command: Command) -> Result<Reply, Reject> {
        support::apply(&mut self.engine, &mut self.events, time, command)
    }

    fn sample(&mut self, time: Time, cents: u64) {
        self.at(time, Command::SandboxPrice { market: BTC_USDT, price: price(cents) });
    }

    /// A verified member with money in the option account, and a little elsewhere.
    fn join(&mut self, user: UserId) {
        self.at(START, Command::RegisterMember { user, house: false });
        for wallet in [Wallet::BinaryOptions, Wallet::Spot] {
            self.at(START, Command::SandboxFaucet { user, asset: USDT, wallet, amount: 1_000_000_000 });
        }
        let id = SubmissionId(self.engine.seq().0 + 1);
        let mut document = [0; 32];
        document[..8].copy_from_slice(&user.0.to_be_bytes());
        let (document, level) = (Digest(document), KycLevel::Basic);
        self.at(START, Command::SubmitIdentity { user, level, document, content: document });
        let seen = self.engine.submission(id).unwrap().seen();
        let by = Reviewer { operator: OperatorId(1), member: None };
        let act = OperatorAct::Decide { item: Item::Identity(id), decision: Decision::Approve, seen };
        self.at(START, Command::Operate(Box::new(Operate { by, act })));
    }

    fn buy(&mut self, user: UserId) {
        let bet = self.bet(user);
        self.at(START, bet);
    }

    /// A purchase of an option of a minute.
    fn bet(&self, user: UserId) -> Command {
        let rule = self.engine.offered_rule(BTC_USDT, 60).unwrap();
        let (market, direction, asset, seconds, stake) = (BTC_USDT, Direction::Up, USDT, 60, 5_000_000);
        Command::BuyOption(BuyOption { user, market, direction, asset, seconds, stake, rule })
    }

    /// Buys at this time: the number of the option, and its open price.
    fn bought(&mut self, time: Time, user: UserId) -> (OptionId, Price) {
        let bet = self.bet(user);
        let Reply::Option(option) = self.at(time, bet) else { panic!("no option") };
        (option.id, option.open.sample.price)
    }

    /// The options that the last entry settled, in its order.
    fn settled(&self) -> Vec<BinaryOption> {
        let ended = |event: &Event| match event {
            Event::Account(change) => match &**change {
                AccountEvent::OptionChanged(option) if option.status != Status::Open => Some(option.clone()),
                _ => None,
            },
            _ => None,
        };
        self.events.iter().filter_map(ended).collect()
    }
}

#[test]
fn options_due_at_one_instant_settle_over_several_slices_at_the_price_of_that_instant() {
    let mut stage = Stage::new();
    stage.sample(START, 10_000_000);
    let count = 2 * SLICE + 44;
    let members = count.div_ceil(EACH) as u64;
    for user in (1..=members).map(UserId) {
        stage.join(user);
    }
    for number in 0..count {
        stage.buy(UserId(1 + (number / EACH) as u64));
    }
    let delivery = START.plus(MINUTE_MS);
    stage.sample(delivery, 10_001_000);
    assert_eq!(stage.engine.open_options().count(), count, "due a millisecond after their instant");
    let now = delivery.plus(1);
    // An order that comes while they wait settles none of so many, and is not refused because of them.
    let kind = OrderKind::Limit { price: price(9_000_000), quantity: 100_000, time_in_force: TimeInForce::GoodTillCancelled };
    stage.at(
        now,
        Command::PlaceSpotOrder(PlaceSpotOrder { user: UserId(1), market: BTC_USDT, side: Side::Buy, kind, client_order_id: None }),
    );
    assert_eq!((stage.settled().len(), stage.engine.open_options().count()), (0, count));
    assert!(stage.engine.has_backlog());
    let mut ended = Vec::new();
    for (slice, left) in [(SLICE, SLICE + 44), (SLICE, 44), (44, 0)] {
        assert_eq!((stage.engine.backlog(), stage.engine.next_due()), (slice + left, Some(now)));
        stage.at(now, Command::Clock);
        let settled = stage.settled();
        assert_eq!(settled.len(), slice);
        ended.extend(settled);
        assert_eq!(Engine::restore(&stage.engine.snapshot()).unwrap().state_hash(), stage.engine.state_hash());
    }
    assert!(!stage.engine.has_backlog() && stage.engine.open_options().next().is_none());
    assert!(ended.is_sorted_by(|one, next| one.id < next.id), "in the order of their numbers");
    let won = |option: &BinaryOption| {
        let delivered = option.settled.and_then(|settled| settled.delivery).unwrap();
        option.status == Status::Won && delivered.sample.time == delivery && delivered.sample.price == price(10_001_000)
    };
    assert!(ended.iter().all(won));
    assert_eq!(stage.engine.exposure(HouseAccount::OptionPool, USDT).reserved, 0);
}

#[test]
fn a_later_price_between_two_slices_changes_no_outcome() {
    let mut stage = Stage::new();
    stage.sample(START, 10_000_000);
    for user in (1..=30).map(UserId) {
        stage.join(user);
        (0..EACH).for_each(|_| stage.buy(user));
    }
    stage.sample(START.plus(MINUTE_MS), 10_001_000);
    let now = START.plus(MINUTE_MS + 1);
    stage.at(now, Command::Clock);
    assert_eq!(stage.settled().len(), SLICE);
    // More than one slice is left, so the sample comes before them.
    stage.sample(now, 5_000_000);
    let mut rest = stage.settled();
    assert!(rest.is_empty());
    for _ in 0..2 {
        stage.at(now, Command::Clock);
        rest.extend(stage.settled());
    }
    assert!(rest.len() == 30 * EACH - SLICE && rest.iter().all(|option| option.status == Status::Won));
}

/// T-3, T-4, O-1: a millisecond before an expiry, at it and after it, only the place in the log decides what came first.
#[test]
fn a_purchase_around_an_expiry_is_ordered_by_its_sequence_alone() {
    let mut stage = Stage::new();
    let (user, delivery) = (UserId(1), START.plus(MINUTE_MS));
    stage.sample(START, 10_000_000);
    stage.join(user);
    (0..EACH).for_each(|_| stage.buy(user));
    // A member has as many open options as allowed, up to and including the instant of their delivery.
    for time in [START.plus(MINUTE_MS - 1), delivery] {
        let bet = stage.bet(user);
        assert_eq!(stage.try_at(time, bet).unwrap_err(), Reject::OpenLimit { max: 20 });
        assert!(stage.settled().is_empty());
    }
    // In the same millisecond and later in the log: it delivers them.
    stage.sample(delivery, 10_001_000);
    // A millisecond later the purchase itself finds them settled, and is one of the new ones.
    let next = delivery.plus(1);
    let first = stage.bought(next, user);
    let settled = stage.settled();
    assert_eq!((settled.len(), first.1), (EACH, price(10_001_000)));
    assert!(settled.iter().all(|option| option.status == Status::Won && option.id < first.0));
    // Later samples in the same millisecond change neither; they set the open price of later purchases.
    stage.sample(next, 9_000_000);
    assert_eq!(stage.bought(next, user).1, price(9_000_000));
    assert_eq!(stage.engine.option(first.0).map(|option| option.open.sample.price), Some(price(10_001_000)));
    assert!(settled.iter().all(|before| stage.engine.option(before.id).is_none_or(|after| after == before)));
}

/// Between spot orders the engine does not look at everything that time changes. A restored engine does.
#[test]
fn time_changes_the_same_between_spot_orders_as_after_a_restart() {
    let mut stage = Stage::new();
    let user = UserId(1);
    stage.sample(START, 10_000_000);
    stage.join(user);
    stage.buy(user);
    let (second, option_due, day) = (START.plus(1_000), START.plus(MINUTE_MS + 1), START.plus(DAY_MS));
    stage.at(second, Command::QuoteConversion(Convert { user, from: USDT, to: AssetId(1), amount: 100_000_000 }));
    let quote_gone = second.plus(10_000 + 5 * MINUTE_MS + 1);
    let key_gone = second.plus(DAY_MS + 1);
    let cancel = |time: Time, request: Option<Request>, engine: &mut Engine| {
        let order = OrderId(1);
        let command = match engine.seq().0 % 2 {
            0 => Command::CancelSpotOrder { user, order: OrderRef::Id(order) },
            _ => Command::MoveSpotOrder { user, order, price: price(10_000_000) },
        };
        engine.apply(&Entry { seq: Seq(engine.seq().0 + 1), time, request, command }, &mut Vec::new()).result.unwrap_err()
    };
    cancel(second, Some(Request { key: 1, content: 1 }), &mut stage.engine);
    let known = |engine: &Engine| (engine.open_options().count(), engine.outcome(1).is_some());
    let mut seen = Vec::new();
    for instant in [option_due, quote_gone, day, key_gone] {
        for time in [Time(instant.0 - 1), instant] {
            let mut restarted = Engine::restore(&stage.engine.snapshot()).unwrap();
            cancel(time, None, &mut restarted);
            let before = stage.engine.state_hash();
            cancel(time, None, &mut stage.engine);
            assert_eq!(stage.engine.state_hash(), restarted.state_hash(), "at {}", time.0);
            assert_ne!(stage.engine.state_hash(), before);
            seen.push(known(&stage.engine));
        }
    }
    let (open, kept, gone) = ((1, true), (0, true), (0, false));
    assert_eq!(seen, [open, kept, kept, kept, kept, kept, kept, gone]);
}
