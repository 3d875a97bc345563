//! Subscriptions at scale: slices (T-3), the rules of an allocation whatever the order (N-3, N-4), and what a token costs.

#![allow(clippy::unwrap_used, reason = "a set-up that fails has failed")]

use std::collections::BTreeMap;

use engine::Engine;
use engine::amount::{Price, Rate};
use engine::backoffice::acts::{Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::{Asset, Catalog, Market, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::event::{AccountEvent, Event};
use engine::feature::Feature;
use engine::ids::{AssetId, Digest, MarketId, OfferingId, OperatorId, Seq, UserId};
use engine::ledger::HouseAccount;
use engine::listing::change::{CatalogChange, FirstReference};
use engine::operators::approval::Reviewer;
use engine::reject::Reject;
use engine::reply::Reply;
use engine::scheduler::SLICE;
use engine::spot::{OrderKind, PlaceSpotOrder, Side, TimeInForce};
use engine::subscriptions::offering::{Commit, Commitment, Terms};
use engine::subscriptions::status::{CommitmentStatus, OfferingStatus};
use engine::time::{DAY_MS, HOUR_MS, Time};

const START: Time = Time(1_767_225_600_000);
const USDT: AssetId = AssetId(3);
const TOKEN: AssetId = AssetId(101);
const OFFERING: OfferingId = OfferingId(11);
/// On ticks of the smallest price, steps are so large.
const LEAST: u64 = 10_000_000_000;

/// An offering that is open for an hour, and may be launched from then on.
fn terms(supply: u64, price: u64) -> Terms {
    let like = Catalog::standard().markets[0].clone();
    Terms {
        id: OFFERING,
        token: Asset { id: TOKEN, code: "TOK".to_owned(), scale: 8, wallets: vec![Wallet::Spot], faucet_max: 0 },
        market: Market {
            id: MarketId(101),
            symbol: "TOK/USDT".to_owned(),
            base: TOKEN,
            tick: Price(1),
            step: LEAST,
            min_quantity: LEAST,
            ..like
        },
        supply,
        price: Price(price),
        pay: vec![USDT],
        start: START,
        close: START.plus(HOUR_MS),
        launch: START.plus(HOUR_MS),
        release: vec![(1, Rate(30_000_000)), (2, Rate(100_000_000))],
        min: 1,
        user_cap: 1_000_000_000_000,
        oversub: 100,
    }
}

struct Stage {
    engine: Engine,
    events: Vec<Event>,
    /// Whether every invariant is checked after every entry.
    careful: bool,
}

impl Stage {
    fn new(members: u64, careful: bool) -> Stage {
        let mut stage = Stage { engine: Engine::default(), events: Vec::new(), careful };
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        stage.at(START, Command::Genesis(Box::new(genesis)));
        for feature in Feature::ALL.into_iter().filter(|feature| *feature != Feature::OperatorRegistry) {
            stage.at(START, Command::Activate(feature));
        }
        for user in 1..=members {
            stage.at(START, Command::RegisterMember { user: UserId(user), house: false });
        }
        stage
    }

    fn at(&mut self, time: Time, command: Command) -> Reply {
        self.events.clear();
        let entry = Entry { seq: Seq(self.engine.seq().0 + 1), time, request: None, command };
        let reply = self.engine.apply(&entry, &mut self.events).result.unwrap();
        if self.careful {
            self.engine.check_invariants().unwrap();
        }
        reply
    }

    fn agree(&mut self, time: Time, proposed: Proposed) {
        let mut act = |operator, act| {
            let by = Reviewer { operator: OperatorId(operator), member: None };
            self.at(time, Command::Operate(Box::new(Operate { by, act })))
        };
        let Reply::Proposal(proposal) = act(1, OperatorAct::Propose { proposed, reason: Digest([1; 32]) }) else { panic!() };
        act(2, OperatorAct::Confirm { proposal: proposal.id, hash: proposal.hash() });
    }

    /// The refusal of a proposal.
    fn refused(&mut self, proposed: Proposed) -> Reject {
        let act = OperatorAct::Propose { proposed, reason: Digest([1; 32]) };
        let by = Reviewer { operator: OperatorId(1), member: None };
        let (seq, time) = (Seq(self.engine.seq().0 + 1), self.engine.time());
        let entry = Entry { seq, time, request: None, command: Command::Operate(Box::new(Operate { by, act })) };
        self.engine.apply(&entry, &mut Vec::new()).result.unwrap_err()
    }

    /// An offering that is open from now on for an hour.
    fn offer(&mut self, supply: u64, price: u64) {
        let change = CatalogChange::Offering(Box::new(terms(supply, price)));
        self.agree(START, Proposed::ChangeCatalog { change, effective: Time(0) });
        let (from, to) = (HouseAccount::External, HouseAccount::SubEscrow);
        self.agree(START, Proposed::TreasuryMove { asset: TOKEN, from, to, amount: supply });
    }

    fn pay(&mut self, user: u64, amount: u64) {
        let user = UserId(user);
        self.at(START, Command::SandboxFaucet { user, asset: USDT, wallet: Wallet::Spot, amount });
        self.at(START, Command::CommitToOffering(Commit { user, offering: OFFERING, asset: USDT, amount }));
    }

    /// The result of a payment, which may be refused.
    fn commit(&mut self, time: Time, user: u64, offering: OfferingId, amount: u64) -> Result<Reply, Reject> {
        self.events.clear();
        let command = Command::CommitToOffering(Commit { user: UserId(user), offering, asset: USDT, amount });
        let entry = Entry { seq: Seq(self.engine.seq().0 + 1), time, request: None, command };
        self.engine.apply(&entry, &mut self.events).result
    }

    fn told(&self) -> Vec<Commitment> {
        let told = |event: &Event| match event {
            Event::Account(change) => match &**change {
                AccountEvent::CommitmentChanged(commitment) => Some(commitment.clone()),
                _ => None,
            },
            _ => None,
        };
        self.events.iter().filter_map(told).collect()
    }

    /// Clocks run until nothing is due; how many commitments each of them settled.
    fn settle(&mut self, time: Time) -> Vec<usize> {
        let mut slices = Vec::new();
        loop {
            self.at(time, Command::Clock);
            slices.push(self.told().len());
            // A restart in between continues where it was.
            let restored = Engine::restore(&self.engine.snapshot()).unwrap();
            assert_eq!(restored.state_hash(), self.engine.state_hash());
            self.engine = restored;
            if !self.engine.has_backlog() {
                return slices;
            }
        }
    }

    fn order(&mut self, time: Time) {
        let kind = OrderKind::Limit { price: Price(9_000_000_000_000), quantity: 100_000, time_in_force: TimeInForce::GoodTillCancelled };
        let place = PlaceSpotOrder { user: UserId(1), market: MarketId(1), side: Side::Buy, kind, client_order_id: None };
        let entry = Entry { seq: Seq(self.engine.seq().0 + 1), time, request: None, command: Command::PlaceSpotOrder(place) };
        self.events.clear();
        // Without a price it is refused, and still it carries out nothing of so many.
        let _ = self.engine.apply(&entry, &mut self.events);
    }
}

#[test]
fn many_commitments_are_settled_in_slices_and_an_order_settles_none_of_them() {
    let mut stage = Stage::new(650, false);
    stage.offer(1_000_000_000_000, 100_000_000);
    (1..=650).for_each(|user| stage.pay(user, 100_000_000));
    let close = START.plus(HOUR_MS);
    stage.order(close);
    assert_eq!(stage.told().len(), 0);
    assert!(stage.engine.has_backlog());
    // The first slice allots to some: nothing is launched before all have their tokens.
    let mut halfway = Stage { engine: stage.engine.clone(), events: Vec::new(), careful: true };
    halfway.at(close, Command::Clock);
    assert_eq!(halfway.engine.offering(OFFERING).unwrap().status, OfferingStatus::Allocated);
    assert_eq!(halfway.refused(Proposed::LaunchOffering { offering: OFFERING }), Reject::WrongState);
    // The first piece is the close itself.
    assert_eq!(stage.settle(close), [SLICE - 1, SLICE, 650 - 2 * SLICE + 1]);
    stage.engine.check_invariants().unwrap();
    assert_eq!(stage.engine.offering(OFFERING).unwrap().sold, 999_999_999_700, "the rest stays with the issuer");
    let launch = close.plus(5);
    stage.agree(launch, Proposed::LaunchOffering { offering: OFFERING });
    stage.order(launch);
    assert_eq!(stage.told().len(), 0);
    assert_eq!(stage.settle(launch).iter().sum::<usize>(), 650);
    stage.engine.check_invariants().unwrap();
    // Two tranches at once: each at its own instant, in order.
    let later = Time(START.0 + 3 * DAY_MS);
    stage.at(later, Command::SandboxClock);
    let mut told = stage.told();
    while stage.engine.has_backlog() {
        stage.at(later, Command::Clock);
        told.extend(stage.told());
    }
    let (first, second) = told.split_at(650);
    assert!(first.iter().all(|one| one.status == CommitmentStatus::Locked && one.changed == Time(START.0 + DAY_MS)));
    assert!(second.iter().all(|one| one.status == CommitmentStatus::Released && one.changed == Time(START.0 + 2 * DAY_MS)));
    assert_eq!((second.len(), stage.engine.offering(OFFERING).unwrap().status), (650, OfferingStatus::Ended));
    assert_eq!(stage.engine.open_commitments().count(), 0);
    stage.engine.check_invariants().unwrap();
}

/// The offering that follows the plain one: it opens at the instant at which that one closes.
const NEXT: OfferingId = OfferingId(12);

/// A stage with both, funded.
fn two_offerings(members: u64) -> Stage {
    let mut stage = Stage::new(members, false);
    let like = terms(1_000_000_000_000, 100_000_000);
    stage.offer(like.supply, like.price.0);
    let token = Asset { id: AssetId(102), code: "NEXT".to_owned(), ..like.token.clone() };
    let market = Market { id: MarketId(102), base: token.id, symbol: "NEXT/USDT".to_owned(), ..like.market.clone() };
    let (asset, amount, start, close) = (token.id, like.supply, like.close, like.close.plus(HOUR_MS));
    let change = CatalogChange::Offering(Box::new(Terms { id: NEXT, token, market, start, close, launch: close, ..like }));
    stage.agree(START, Proposed::ChangeCatalog { change, effective: Time(0) });
    let (from, to) = (HouseAccount::External, HouseAccount::SubEscrow);
    stage.agree(START, Proposed::TreasuryMove { asset, from, to, amount });
    stage
}

fn window(start: Time) -> Result<Reply, Reject> {
    Err(Reject::Window { start, end: start.plus(HOUR_MS) })
}

/// N-2: what the edge brings is done before the first entry of its instant, although that entry is refused.
#[test]
fn the_first_entry_at_the_edge_finds_one_offering_closed_and_the_other_open() {
    let close = START.plus(HOUR_MS);
    for first in [OFFERING, NEXT] {
        let mut stage = two_offerings(3);
        stage.careful = true;
        (1..=3).for_each(|user| stage.pay(user, 100_000_000));
        stage.at(START, Command::SandboxFaucet { user: UserId(1), asset: USDT, wallet: Wallet::Spot, amount: 100_000_000 });
        let status = |stage: &Stage| [OFFERING, NEXT].map(|offering| stage.engine.offering(offering).unwrap().status);
        assert_eq!(stage.commit(Time(close.0 - 1), 1, NEXT, 50_000_000), window(close));
        assert_eq!(status(&stage), [OfferingStatus::Open, OfferingStatus::Upcoming]);
        let came = stage.commit(close, 1, first, 50_000_000);
        assert_eq!(status(&stage), [OfferingStatus::Allocated, OfferingStatus::Open], "first at {first:?}");
        assert_eq!(stage.told().iter().filter(|one| one.status == CommitmentStatus::Passed).count(), 3);
        assert!(if first == NEXT { came.is_ok() } else { came == window(START) });
        assert_eq!(stage.commit(close, 1, OFFERING, 50_000_000), window(START));
        assert!(stage.commit(close, 1, NEXT, 50_000_000).is_ok());
        stage.engine.check_invariants().unwrap();
    }
}

/// N-2 while so much is due that no entry but a clock carries it out: an offering takes nothing from its close on, done or not, and nothing
/// before its own opening is done, although its start has come.
#[test]
fn nothing_is_committed_while_the_close_or_the_opening_is_a_backlog() {
    let (mut stage, close) = (two_offerings(650), START.plus(HOUR_MS));
    (1..=649).for_each(|user| stage.pay(user, 100_000_000));
    stage.at(START, Command::SandboxFaucet { user: UserId(650), asset: USDT, wallet: Wallet::Spot, amount: 400_000_000 });
    // Two of the last instant.
    for _ in 0..2 {
        assert!(stage.commit(Time(close.0 - 1), 650, OFFERING, 50_000_000).is_ok());
    }
    let shown = |stage: &Stage| {
        let [one, next] = [OFFERING, NEXT].map(|offering| stage.engine.offering(offering).unwrap());
        (one.committed, one.status, next.status)
    };
    // All of one instant: the close waits, then a part of it is done, then all of it, and the other offering opens behind it.
    for status in [OfferingStatus::Open, OfferingStatus::Allocated, OfferingStatus::Allocated] {
        for _ in 0..2 {
            assert_eq!(stage.commit(close, 650, OFFERING, 50_000_000), window(START));
            assert_eq!(stage.commit(close, 650, NEXT, 50_000_000), window(close));
            assert_eq!((stage.told().len(), stage.engine.has_backlog()), (0, true));
        }
        assert_eq!(shown(&stage), (65_000_000_000, status, OfferingStatus::Upcoming));
        stage.engine.check_invariants().unwrap();
        stage.at(close, Command::Clock);
    }
    assert!(!stage.engine.has_backlog());
    assert_eq!(stage.commit(close, 650, OFFERING, 50_000_000), window(START));
    assert!(stage.commit(close, 650, NEXT, 50_000_000).is_ok());
    assert_eq!(shown(&stage), (65_000_000_000, OfferingStatus::Allocated, OfferingStatus::Open));
    let tokens: u64 = stage.engine.commitments_of(UserId(650)).filter(|one| one.offering == OFFERING).map(|one| one.tokens).sum();
    assert_eq!(tokens, 1_538_461_538, "both payments of the last instant got their part");
    stage.engine.check_invariants().unwrap();
}

/// Steps of a full cycle modulo a prime.
struct Steps(u64);

impl Steps {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0 * 48_271 % 2_147_483_647;
        self.0 % most
    }
}

/// The allotment of each payment, in this order.
fn allotted(supply: u64, price: u64, payments: &[u64]) -> Vec<Commitment> {
    let mut stage = Stage::new(payments.len() as u64, true);
    stage.offer(supply, price);
    for (member, payment) in payments.iter().enumerate() {
        stage.pay(member as u64 + 1, *payment);
    }
    let mut told = Vec::new();
    loop {
        stage.at(START.plus(HOUR_MS), Command::Clock);
        told.extend(stage.told());
        if !stage.engine.has_backlog() {
            break;
        }
    }
    told
}

#[test]
fn an_allocation_depends_on_no_order_and_more_is_never_less() {
    let mut steps = Steps(20_260_101);
    for _ in 0..12 {
        let count = 2 + steps.below(12);
        let payments: Vec<u64> = (0..count).map(|_| 1 + steps.below(30) * 7_000_001 + steps.below(3)).collect();
        let (supply, price) = (1 + steps.below(2_000_000_000), 1_000_000 + steps.below(300_000_000));
        let value = u128::from(supply) * u128::from(price) / 10_u128.pow(10);
        if u128::from(payments.iter().sum::<u64>()) > value * 100 {
            continue;
        }
        let one = allotted(supply, price, &payments);
        assert_eq!(one.len(), payments.len());
        let mut shuffled = payments.clone();
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, usize::try_from(steps.below(at as u64 + 1)).unwrap());
        }
        let other = allotted(supply, price, &shuffled);
        let by_payment =
            |all: &[Commitment]| -> BTreeMap<u64, (u64, u64)> { all.iter().map(|one| (one.paid, (one.tokens, one.charge))).collect() };
        let found = by_payment(&one);
        assert_eq!(found, by_payment(&other), "equal payments get equal tokens whatever their order");
        assert!(found.values().is_sorted(), "more is never less");
        assert!(one.iter().map(|one| u128::from(one.tokens)).sum::<u128>() <= u128::from(supply));
        assert!(one.iter().all(|one| one.charge + one.refund == one.paid && one.cost <= one.value));
    }
}

#[test]
fn a_token_of_a_thousand_holders_costs_as_much_at_a_million_members_as_at_a_thousand() {
    let cost = |members: u64| {
        let mut stage = Stage::new(members, false);
        (1..=1_000).for_each(|holder| {
            let user = UserId(holder * (members / 1_000));
            stage.at(START, Command::SandboxFaucet { user, asset: USDT, wallet: Wallet::Spot, amount: 100_000_000 });
        });
        let before = stage.engine.snapshot().len();
        stage.offer(100_000_000_000_000, 100_000_000);
        (1..=1_000).for_each(|holder| {
            let user = UserId(holder * (members / 1_000));
            stage.at(START, Command::CommitToOffering(Commit { user, offering: OFFERING, asset: USDT, amount: 100_000_000 }));
        });
        let close = START.plus(HOUR_MS);
        while stage.engine.time() < close || stage.engine.has_backlog() {
            stage.at(close, Command::Clock);
        }
        stage.agree(close, Proposed::LaunchOffering { offering: OFFERING });
        while stage.engine.has_backlog() {
            stage.at(close, Command::Clock);
        }
        let holders =
            (1..=members).filter(|user| stage.engine.balance(UserId(*user), Wallet::Spot, TOKEN).is_some_and(|held| held.held > 0));
        assert_eq!(holders.count(), 1_000);
        stage.engine.snapshot().len() - before
    };
    let (few, many) = (cost(1_000), cost(1_000_000));
    assert!(few < 150 * 1_000, "{few} bytes for a thousand holders");
    // Numbers of members are a byte or two longer.
    assert!(many < few + 10 * 1_000, "{few} bytes at a thousand members, {many} at a million");
}

/// An offering reserves its numbers and its code until it is over, and its terms are for a future coin.
#[test]
fn nothing_else_takes_the_numbers_or_the_code_of_what_is_offered() {
    let mut stage = Stage::new(1, true);
    let like = terms(1_000_000_000_000, 100_000_000);
    let later = Terms { start: START.plus(HOUR_MS), close: START.plus(2 * HOUR_MS), launch: START.plus(3 * HOUR_MS), ..like };
    let offer = |terms: Terms| Proposed::ChangeCatalog { change: CatalogChange::Offering(Box::new(terms)), effective: Time(0) };
    let list = |change: CatalogChange| Proposed::ChangeCatalog { change, effective: Time(0) };
    stage.agree(START, offer(later.clone()));
    // Its own terms may still change, its token and its pair may not.
    let token = |id: u32, code: &str| Asset { id: AssetId(id), code: code.to_owned(), ..later.token.clone() };
    let of = |id: u32, token: Asset, pair: u32| Terms {
        id: OfferingId(id),
        market: Market { id: MarketId(pair), base: token.id, symbol: format!("{}/USDT", token.code), ..later.market.clone() },
        token,
        ..later.clone()
    };
    for taken in [
        of(11, token(102, "NEW"), 101),
        of(11, Asset { scale: 6, ..token(101, "TOK") }, 101),
        of(11, token(101, "TOK"), 102),
        // Another offering of its token, of its code, or with its pair.
        of(12, token(101, "TOK"), 102),
        of(12, token(101, "NEW"), 102),
        of(12, token(102, "TOK"), 102),
        of(12, token(102, "NEW"), 101),
        // One that would be over before it began.
        Terms { start: Time(0), close: START, launch: START.plus(HOUR_MS), ..of(12, token(102, "NEW"), 102) },
    ] {
        assert_eq!(stage.refused(offer(taken.clone())), Reject::BadCatalog, "{taken:?}");
    }
    // A coin or a pair that is listed beside it.
    for taken in [token(101, "NEW"), token(102, "TOK")] {
        assert_eq!(stage.refused(list(CatalogChange::ListCoin(Box::new(taken.clone())))), Reject::BadCatalog, "{taken:?}");
    }
    stage.agree(START, list(CatalogChange::ListCoin(Box::new(token(103, "OTHER")))));
    let pair = of(12, token(103, "OTHER"), 101).market;
    let beside =
        |market: Market| CatalogChange::ListMarket { market: Box::new(market), reference: FirstReference::IssuePrice(Price(100_000_000)) };
    assert_eq!(stage.refused(list(beside(pair.clone()))), Reject::BadCatalog);
    stage.agree(START, list(beside(Market { id: MarketId(103), ..pair })));
    // Other numbers and another code are free.
    stage.agree(START, offer(of(12, token(102, "NEW"), 102)));
    stage.agree(START, offer(Terms { supply: 2_000_000_000_000, ..later.clone() }));
    assert_eq!(stage.engine.offering(OFFERING).unwrap().terms.supply, 2_000_000_000_000);
    // A code is free once its offering is over without a launch; the number of the token never is.
    stage.at(later.close, Command::Clock);
    assert_eq!(stage.engine.offering(OFFERING).unwrap().status, OfferingStatus::Cancelled);
    let again = |id: u32| Terms { close: START.plus(4 * HOUR_MS), launch: START.plus(4 * HOUR_MS), ..of(13, token(id, "TOK"), 104) };
    assert_eq!(stage.refused(offer(again(101))), Reject::BadCatalog);
    stage.agree(later.close, offer(again(104)));
}
