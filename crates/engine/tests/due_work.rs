//! Due work (T-3): each piece at its own instant, at most a slice an entry, and nothing acts on an object before its due work.

#![allow(clippy::unwrap_used, reason = "a set-up that fails has failed")]

mod support;

use engine::Engine;
use engine::amount::Price;
use engine::backoffice::acts::{Operate, OperatorAct};
use engine::backoffice::proposals::status::Status;
use engine::backoffice::proposals::{OPEN_MS, Proposed, RETIREMENT_NOTICE_MS};
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Genesis, Mode};
use engine::event::Event;
use engine::feature::Feature;
use engine::ids::{AssetId, Digest, MarketId, OperatorId, OrderId, ProposalId, UserId};
use engine::operators::approval::Reviewer;
use engine::reject::Reject;
use engine::reply::Reply;
use engine::scheduler::SLICE;
use engine::security::ReferralRole;
use engine::spot::status::Status as OrderStatus;
use engine::spot::{OrderKind, OrderRef, PlaceSpotOrder, Side, TimeInForce};
use engine::time::{HOUR_MS, Time};

const START: Time = Time(1_767_225_600_000);
const ANN: UserId = UserId(1);
const BTC_USDT: MarketId = MarketId(1);
const PRICE: Price = Price(10_000_000_000_000);

struct Stage {
    engine: Engine,
    events: Vec<Event>,
}

impl Stage {
    /// A sandbox with a funded member; the rule acts unless the log is older.
    fn new(active: bool) -> Stage {
        let mut stage = Stage { engine: Engine::default(), events: Vec::new() };
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        stage.at(START, Command::Genesis(Box::new(genesis))).unwrap();
        if active {
            stage.at(START, Command::Activate(Feature::DueWork)).unwrap();
        }
        stage.at(START, Command::RegisterMember { user: ANN, house: false }).unwrap();
        stage.at(START, Command::SandboxFaucet { user: ANN, asset: AssetId(3), wallet: Wallet::Spot, amount: 1_000_000_000 }).unwrap();
        stage
    }

    fn at(&mut self, time: Time, command: Command) -> Result<Reply, Reject> {
        support::apply(&mut self.engine, &mut self.events, time, command)
    }

    fn operate(&mut self, time: Time, operator: u32, act: OperatorAct) -> Result<Reply, Reject> {
        let by = Reviewer { operator: OperatorId(operator), member: None };
        self.at(time, Command::Operate(Box::new(Operate { by, act })))
    }

    /// Proposals that all expire at one instant.
    fn proposals(&mut self, count: usize) -> Vec<ProposalId> {
        (0..count).map(|_| self.proposal(START, Proposed::SetReferralRole { user: ANN, role: ReferralRole::Promoter })).collect()
    }

    fn proposal(&mut self, time: Time, proposed: Proposed) -> ProposalId {
        let reason = Digest([7; 32]);
        let Ok(Reply::Proposal(made)) = self.operate(time, 1, OperatorAct::Propose { proposed, reason }) else { panic!("not proposed") };
        made.id
    }

    fn retirement(&mut self, instant: Time) -> ProposalId {
        let id = self.proposal(START, Proposed::RetireMarket { market: BTC_USDT, at: instant });
        let hash = self.engine.proposal(id).unwrap().hash();
        self.operate(START, 2, OperatorAct::Confirm { proposal: id, hash }).unwrap();
        id
    }

    fn buy(&mut self, time: Time) -> Result<OrderId, Reject> {
        let kind = OrderKind::Limit { price: PRICE, quantity: 100_000, time_in_force: TimeInForce::GoodTillCancelled };
        let place = PlaceSpotOrder { user: ANN, market: BTC_USDT, side: Side::Buy, kind, client_order_id: None };
        match self.at(time, Command::PlaceSpotOrder(place))? {
            Reply::SpotOrderPlaced(id) => Ok(id),
            other => panic!("{other:?}"),
        }
    }

    fn priced(&mut self, time: Time) {
        self.at(time, Command::SandboxPrice { market: BTC_USDT, price: PRICE }).unwrap();
    }

    fn waiting(&self, proposals: &[ProposalId]) -> usize {
        proposals.iter().filter(|id| self.engine.proposal(**id).unwrap().status == Status::Waiting).count()
    }

    /// The instants reported by the last entry, in order.
    fn instants(&self) -> Vec<Time> {
        self.events.iter().filter_map(|event| if let Event::HappenedAt(at) = event { Some(*at) } else { None }).collect()
    }
}

/// The instant at which what was proposed at the start expires.
const EXPIRY: Time = Time(START.0 + OPEN_MS + 1);

#[test]
fn a_backlog_is_settled_by_clocks_a_slice_at_a_time_and_no_other_command_waits_for_it() {
    let mut stage = Stage::new(true);
    let proposals = stage.proposals(2 * SLICE + 10);
    let now = EXPIRY.plus(HOUR_MS);
    stage.priced(now);
    assert!(stage.engine.has_backlog());
    stage.buy(now).unwrap();
    assert_eq!(stage.waiting(&proposals), proposals.len(), "an order settles nothing of a backlog");
    for left in [SLICE + 10, 10, 0] {
        stage.at(now, Command::Clock).unwrap();
        assert_eq!(stage.waiting(&proposals), left);
        let settled: Vec<usize> = proposals.iter().enumerate().filter(|(_, id)| stage.waiting(&[**id]) == 0).map(|(at, _)| at).collect();
        assert_eq!(settled, (0..proposals.len() - left).collect::<Vec<_>>(), "in the order of their numbers");
    }
    assert!(!stage.engine.has_backlog());
    assert_eq!(Engine::restore(&stage.engine.snapshot()).unwrap().state_hash(), stage.engine.state_hash());
}

#[test]
fn an_object_with_due_work_refuses_commands_until_it_is_settled() {
    let mut stage = Stage::new(true);
    let proposals = stage.proposals(SLICE + 1);
    let last = *proposals.last().unwrap();
    let cancel = OperatorAct::CancelProposal { proposal: last };
    assert_eq!(stage.operate(EXPIRY, 1, cancel.clone()), Err(Reject::WrongState));
    assert_eq!(stage.engine.proposal(last).unwrap().status, Status::Waiting);
    stage.at(EXPIRY, Command::Clock).unwrap();
    assert_eq!(stage.operate(EXPIRY, 1, cancel), Err(Reject::WrongState));
    assert_eq!(stage.engine.proposal(last).unwrap().status, Status::Expired);
}

#[test]
fn a_slice_runs_before_the_command_that_it_is_due_for() {
    let mut stage = Stage::new(true);
    let proposals = stage.proposals(SLICE);
    stage.priced(EXPIRY);
    assert_eq!(stage.waiting(&proposals), 0);
}

#[test]
fn work_happens_at_its_own_instant_and_the_command_at_that_of_its_entry() {
    for active in [true, false] {
        let mut stage = Stage::new(active);
        stage.priced(START);
        let order = stage.buy(START).unwrap();
        let instant = START.plus(RETIREMENT_NOTICE_MS);
        let retirement = stage.retirement(instant);
        let now = instant.plus(HOUR_MS);
        stage.at(now, Command::Clock).unwrap();
        let ended = stage.engine.spot_order(ANN, &OrderRef::Id(order)).unwrap();
        assert_eq!((ended.status, ended.updated), (OrderStatus::Cancelled, if active { instant } else { now }));
        assert_eq!(stage.engine.proposal(retirement).unwrap().effective, Some(instant));
        assert_eq!(stage.instants(), if active { vec![instant, now] } else { Vec::new() });
    }
}

#[test]
fn facts_are_never_told_before_the_last_entry() {
    let mut stage = Stage::new(true);
    stage.proposals(SLICE + 1);
    let (first, second) = (EXPIRY.plus(5), EXPIRY.plus(9));
    stage.priced(first);
    stage.at(second, Command::Clock).unwrap();
    assert_eq!(stage.instants(), [first, second]);
}

#[test]
fn a_pair_whose_end_has_come_trades_no_more_although_a_backlog_stands_before_it() {
    let mut stage = Stage::new(true);
    stage.priced(START);
    let higher = Price(PRICE.0 + 200_000_000_000);
    let kind = OrderKind::StopLimit { stop: higher, price: higher, quantity: 100_000, time_in_force: TimeInForce::GoodTillCancelled };
    let place = PlaceSpotOrder { user: ANN, market: BTC_USDT, side: Side::Buy, kind, client_order_id: None };
    let Ok(Reply::SpotOrderPlaced(stop)) = stage.at(START, Command::PlaceSpotOrder(place)) else { panic!("not placed") };
    stage.proposals(SLICE + 1);
    stage.retirement(EXPIRY.plus(1));
    let now = EXPIRY.plus(2);
    stage.at(now, Command::SandboxPrice { market: BTC_USDT, price: higher }).unwrap();
    let order = |stage: &Stage| stage.engine.spot_order(ANN, &OrderRef::Id(stop)).unwrap().status;
    assert_eq!(order(&stage), OrderStatus::Waiting, "its trigger came after the end of the pair");
    assert_eq!(stage.buy(now), Err(Reject::UnknownMarket));
    stage.at(now, Command::Clock).unwrap();
    assert_eq!((stage.buy(now), order(&stage)), (Err(Reject::UnknownMarket), OrderStatus::Cancelled));
}

#[test]
fn an_older_log_settles_everything_at_once() {
    let mut stage = Stage::new(false);
    let proposals = stage.proposals(SLICE + 1);
    stage.priced(EXPIRY);
    assert_eq!(stage.waiting(&proposals), 0);
    assert!(stage.instants().is_empty());
}
