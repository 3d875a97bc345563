//! Referral when a day is settled late: more falls due at midnight than an entry carries out (T-3, G-3, G-4).

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use engine::Engine;
use engine::amount::Price;
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::backoffice::proposals::status::Status;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Genesis, Mode};
use engine::event::{AccountEvent, Event};
use engine::feature::Feature;
use engine::identity::KycLevel;
use engine::ids::{AssetId, Digest, MarketId, OperatorId, PlanId, UserId};
use engine::ledger::HouseAccount;
use engine::operators::approval::Reviewer;
use engine::options::option::{BuyOption, Direction};
use engine::plans::order::BuyPlan;
use engine::referral::Rebate;
use engine::reject::Reject;
use engine::reply::Reply;
use engine::security::ReferralRole;
use engine::spot::{OrderKind, PlaceSpotOrder, Side, TimeInForce};
use engine::time::{DAY_MS, Time};

const START: Time = Time(1_767_225_600_000);
const ANN: UserId = UserId(1);
const BEN: UserId = UserId(2);
const ZOE: UserId = UserId(3);
const BTC: AssetId = AssetId(1);
const USDT: AssetId = AssetId(3);
const PAIR: MarketId = MarketId(1);
const PRICE: Price = Price(10_000_000_000_000);

struct Stage {
    engine: Engine,
    events: Vec<Event>,
}

impl Stage {
    fn new() -> Stage {
        Stage::with(&Feature::ALL)
    }

    fn with(features: &[Feature]) -> Stage {
        let mut stage = Stage { engine: Engine::default(), events: Vec::new() };
        let endowments = [HouseAccount::PlanTreasury, HouseAccount::OptionPool].map(|account| (account, USDT, 900_000_000_000)).to_vec();
        stage.done(START, Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments })));
        for feature in features.iter().copied().filter(|feature| *feature != Feature::OperatorRegistry) {
            stage.done(START, Command::Activate(feature));
        }
        stage.done(START, Command::RegisterMember { user: ANN, house: false });
        stage.done(START, Command::RegisterInvited { user: BEN, inviter: ANN });
        stage.done(START, Command::RegisterMember { user: ZOE, house: false });
        for (user, asset, wallet, amount) in
            [(BEN, USDT, Wallet::Spot, 50_000_000_000), (ZOE, BTC, Wallet::Spot, 100_000_000), (ZOE, USDT, Wallet::Earn, 50_000_000_000)]
        {
            stage.done(START, Command::SandboxFaucet { user, asset, wallet, amount });
        }
        stage
    }

    fn at(&mut self, time: Time, command: Command) -> Result<Reply, Reject> {
        support::apply(&mut self.engine, &mut self.events, time, command)
    }

    fn done(&mut self, time: Time, command: Command) -> Reply {
        self.at(time, command).unwrap()
    }

    fn operate(&mut self, time: Time, operator: u32, act: OperatorAct) -> Result<Reply, Reject> {
        let by = Reviewer { operator: OperatorId(operator), member: None };
        self.at(time, Command::Operate(Box::new(Operate { by, act })))
    }

    fn agree(&mut self, time: Time, proposed: Proposed) -> Status {
        let Ok(Reply::Proposal(made)) = self.operate(time, 1, OperatorAct::Propose { proposed, reason: Digest([7; 32]) }) else { panic!() };
        let confirm = OperatorAct::Confirm { proposal: made.id, hash: made.hash() };
        let Ok(Reply::Proposal(settled)) = self.operate(time, 2, confirm) else { panic!() };
        settled.status
    }

    /// Ben bets 100 USDT for a minute: 0.5 USDT of fees.
    fn bet(&mut self, time: Time) {
        self.done(time, Command::SandboxFaucet { user: BEN, asset: USDT, wallet: Wallet::BinaryOptions, amount: 200_000_000 });
        let (level, document) = (KycLevel::Basic, Digest([9; 32]));
        let submit = Command::SubmitIdentity { user: BEN, level, document, content: document };
        let Reply::Identity(papers) = self.done(time, submit) else { panic!() };
        let (item, seen) = (Item::Identity(papers.submission), papers.seen());
        self.operate(time, 1, OperatorAct::Decide { item, decision: Decision::Approve, seen }).unwrap();
        self.done(time, Command::SandboxPrice { market: PAIR, price: PRICE });
        let rule = self.engine.offered_rule(PAIR, 60).unwrap();
        let (user, market, direction, asset, seconds, stake) = (BEN, PAIR, Direction::Up, USDT, 60, 100_000_000);
        self.done(time, Command::BuyOption(BuyOption { user, market, direction, asset, seconds, stake, rule }));
    }

    fn order(&mut self, time: Time, user: UserId, side: Side) {
        let kind = OrderKind::Limit { price: PRICE, quantity: 10_000_000, time_in_force: TimeInForce::GoodTillCancelled };
        self.done(time, Command::PlaceSpotOrder(PlaceSpotOrder { user, market: PAIR, side, kind, client_order_id: None }));
    }

    /// Ben buys a tenth of a bitcoin: 0.0001 BTC of fees.
    fn trade(&mut self, time: Time) {
        self.done(time, Command::SandboxPrice { market: PAIR, price: PRICE });
        self.order(time, ZOE, Side::Sell);
        self.order(time, BEN, Side::Buy);
    }

    /// So many plans end at midnight of the ninth day.
    fn plans(&mut self, count: u64) {
        for _ in 0..count {
            let buy = BuyPlan { user: ZOE, plan: PlanId(1), amount: 100_000_000, agreed: true, rule: None };
            self.done(START, Command::BuyPlan(buy));
        }
    }

    fn rebates(&self) -> Vec<Rebate> {
        let rebate = |event: &Event| match event {
            Event::Account(change) => match &**change {
                AccountEvent::RebatePaid(rebate) => Some(*rebate),
                _ => None,
            },
            _ => None,
        };
        self.events.iter().filter_map(rebate).collect()
    }

    fn free(&self) -> u64 {
        self.engine.free_capital(HouseAccount::Fee, BTC)
    }
}

#[test]
fn a_role_that_changes_before_its_day_is_settled_changes_nothing_of_it_and_no_one_takes_what_is_owed() {
    let mut stage = Stage::new();
    stage.plans(300);
    stage.trade(Time(START.0 + 8 * DAY_MS - 1_000));
    let midnight = Time(START.0 + 8 * DAY_MS);
    // More is due than an entry settles, so acts of operators and members come before it.
    stage.agree(midnight, Proposed::SetReferralRole { user: ANN, role: ReferralRole::Partner });
    stage.trade(midnight);
    assert!(stage.engine.has_backlog());
    assert_eq!(stage.engine.security(ANN).unwrap().role, ReferralRole::Partner);
    // The day before has been settled, except for the most that it may owe; today has not.
    assert_eq!((stage.engine.house_balance(HouseAccount::Fee, BTC), stage.free()), (20_000, 6_000));
    let take = |amount| Proposed::TreasuryMove { asset: BTC, from: HouseAccount::Fee, to: HouseAccount::External, amount };
    let refused = stage.operate(midnight, 1, OperatorAct::Propose { proposed: take(6_001), reason: Digest([7; 32]) });
    assert_eq!(refused, Err(Reject::FreeShort { free: 6_000 }));
    stage.agree(midnight, take(6_000));
    let restored = Engine::restore(&stage.engine.snapshot()).unwrap();
    assert_eq!(restored.state_hash(), stage.engine.state_hash());
    stage.engine = restored;
    // After a restart fees are shared as before.
    stage.trade(midnight);
    let mut paid = Vec::new();
    while stage.engine.has_backlog() {
        stage.done(midnight, Command::Clock);
        paid.extend(stage.rebates());
    }
    let [rebate] = paid.as_slice() else { panic!("{paid:?}") };
    assert_eq!((rebate.user, rebate.amount, rebate.time, rebate.day), (ANN, 2_000, midnight, START.day() + 7));
    // The part that was set aside but not owed is free; what is owed for today is set aside at the new role.
    assert_eq!((stage.engine.house_balance(HouseAccount::Fee, BTC), stage.free()), (22_000, 2_000));
    stage.done(Time(midnight.0 + DAY_MS), Command::Clock);
    assert_eq!(stage.rebates().iter().map(|rebate| rebate.amount).collect::<Vec<_>>(), [8_000]);
    assert_eq!((stage.engine.house_balance(HouseAccount::Fee, BTC), stage.free()), (14_000, 14_000));
}

#[test]
fn a_role_does_not_change_before_the_fees_of_an_earlier_day_are_all_known() {
    let before: Vec<_> = Feature::ALL.into_iter().filter(|feature| *feature != Feature::ProductCorrections).collect();
    for (features, status, paid) in [(&Feature::ALL[..], Status::Refused, 100_000), (&before, Status::Done, 200_000)] {
        let mut stage = Stage::with(features);
        let role = Proposed::SetReferralRole { user: ANN, role: ReferralRole::Partner };
        // More proposals expire in the last hour of the day than an entry settles; after them Ben's option is delivered.
        let expiry = Time(START.0 + 5 * DAY_MS - 3_600_000);
        for amount in 1..=300 {
            let proposed = Proposed::TreasuryMove { asset: USDT, from: HouseAccount::External, to: HouseAccount::OptionPool, amount };
            stage.operate(Time(expiry.0 - 3 * DAY_MS), 1, OperatorAct::Propose { proposed, reason: Digest([7; 32]) }).unwrap();
        }
        stage.bet(Time(expiry.0 - 30_000));
        stage.done(Time(expiry.0 + 29_000), Command::SandboxPrice { market: PAIR, price: PRICE });
        let late = Time(START.0 + 5 * DAY_MS + 1);
        assert_eq!(stage.agree(late, role.clone()), status);
        let mut rebates = Vec::new();
        while stage.engine.has_backlog() {
            stage.done(late, Command::Clock);
            rebates.extend(stage.rebates());
        }
        assert_eq!(rebates.iter().map(|rebate| (rebate.user, rebate.amount)).collect::<Vec<_>>(), [(ANN, paid)]);
        assert_eq!(stage.agree(late, role), Status::Done);
    }
}
