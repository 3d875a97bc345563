//! Plan orders that mature at one midnight settle a slice with each entry; until its turn comes an order refuses to be redeemed (T-3, P-4).

#![allow(clippy::unwrap_used, reason = "a set-up that fails has failed")]

use engine::Engine;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::event::{AccountEvent, Event};
use engine::feature::Feature;
use engine::ids::{AssetId, PlanId, PlanOrderId, Seq, UserId};
use engine::ledger::HouseAccount;
use engine::plans::FINISHED_KEPT;
use engine::plans::order::{BuyPlan, PlanOrder, RedeemPlan};
use engine::plans::status::Status;
use engine::reject::Reject;
use engine::reply::Reply;
use engine::scheduler::SLICE;
use engine::time::{DAY_MS, Time};

const START: Time = Time(1_767_225_600_000);
const USDT: AssetId = AssetId(3);
const WEEK: PlanId = PlanId(1);
const MONTH: PlanId = PlanId(3);
/// Plan orders per member.
const EACH: usize = 100;
const PRINCIPAL: u64 = 100_000_000;
const PROMISED: u64 = 1_050_000;
const TREASURY: HouseAccount = HouseAccount::PlanTreasury;

struct Stage {
    engine: Engine,
    events: Vec<Event>,
}

impl Stage {
    /// So many members with a hundred orders of a week each.
    fn new(orders: usize) -> Stage {
        let mut stage = Stage { engine: Engine::default(), events: Vec::new() };
        let endowments = vec![(TREASURY, USDT, 1_000_000_000_000)];
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments };
        stage.done(START, Command::Genesis(Box::new(genesis)));
        for feature in Feature::ALL.into_iter().filter(|feature| *feature != Feature::OperatorRegistry) {
            stage.done(START, Command::Activate(feature));
        }
        for number in 0..orders {
            let user = UserId(1 + (number / EACH) as u64);
            if number % EACH == 0 {
                stage.done(START, Command::RegisterMember { user, house: false });
                let amount = 200 * PRINCIPAL;
                stage.done(START, Command::SandboxFaucet { user, asset: USDT, wallet: Wallet::Earn, amount });
            }
            stage.buy(user, WEEK);
        }
        stage
    }

    fn at(&mut self, time: Time, command: Command) -> Result<Reply, Reject> {
        self.events.clear();
        let entry = Entry { seq: Seq(self.engine.seq().0 + 1), time, request: None, command };
        let result = self.engine.apply(&entry, &mut self.events).result;
        // Checking every order takes long, so it is not done after each of hundreds of purchases.
        if self.engine.seq().0.is_multiple_of(50) || time > START {
            self.engine.check_invariants().unwrap();
        }
        result
    }

    fn done(&mut self, time: Time, command: Command) -> Reply {
        self.at(time, command).unwrap()
    }

    fn buy(&mut self, user: UserId, plan: PlanId) -> PlanOrderId {
        self.done(START, Command::BuyPlan(BuyPlan { user, plan, amount: PRINCIPAL, agreed: true, rule: None }));
        PlanOrderId(self.engine.seq().0)
    }

    fn redeem(&mut self, time: Time, user: UserId, order: PlanOrderId) -> Result<Reply, Reject> {
        self.at(time, Command::RedeemPlan(RedeemPlan { user, order, max_deduction: None }))
    }

    /// The orders that the last entry ended, in its order.
    fn ended(&self) -> Vec<PlanOrder> {
        let ended = |event: &Event| match event {
            Event::Account(change) => match &**change {
                AccountEvent::PlanChanged(order) if order.status != Status::Hosting => Some(order.clone()),
                _ => None,
            },
            _ => None,
        };
        self.events.iter().filter_map(ended).collect()
    }
}

#[test]
fn orders_that_mature_at_one_midnight_settle_over_several_slices_in_the_order_of_their_numbers() {
    let count = 2 * SLICE + 44;
    let mut stage = Stage::new(count);
    let owner = UserId(1);
    let later = stage.buy(owner, MONTH);
    let first = stage.engine.plan_orders_of(owner).next().unwrap().id;
    let maturity = Time(START.0 + 8 * DAY_MS);
    stage.done(Time(maturity.0 - 1), Command::Clock);
    assert_eq!(stage.engine.open_plan_orders().count(), count + 1);
    // A command at that instant settles none of so many. Due orders can no longer be redeemed; others can.
    assert_eq!(stage.redeem(maturity, owner, first), Err(Reject::WrongState));
    assert_eq!(stage.engine.redemption(owner, first), Err(Reject::WrongState));
    let redeemed = stage.redeem(maturity, owner, later).unwrap();
    let Reply::Plan(redeemed) = redeemed else { panic!("{redeemed:?}") };
    assert_eq!((redeemed.status, redeemed.ended.unwrap().redemption.unwrap().days), (Status::Redeemed, 7));
    assert_eq!(stage.engine.open_plan_orders().count(), count);
    let mut ended = Vec::new();
    for (slice, late) in [(SLICE, 0), (SLICE, 1), (44, 70_000)] {
        let now = stage.engine.time().plus(late);
        stage.done(now, Command::Clock);
        let settled = stage.ended();
        assert_eq!(settled.len(), slice);
        ended.extend(settled);
        assert_eq!(Engine::restore(&stage.engine.snapshot()).unwrap().state_hash(), stage.engine.state_hash());
    }
    assert!(!stage.engine.has_backlog() && stage.engine.open_plan_orders().next().is_none());
    assert!(ended.is_sorted_by(|one, next| one.id < next.id), "in the order of their numbers");
    let matured = |order: &PlanOrder| {
        let ending = order.ended.unwrap();
        let figures = (ending.time, ending.interest, ending.returned, ending.redemption);
        order.status == Status::Completed && figures == (maturity, PROMISED, PRINCIPAL + PROMISED, None)
    };
    assert!(ended.iter().all(matured), "however late its turn came");
    assert_eq!(stage.engine.exposure(TREASURY, USDT).reserved, 0);
    // The engine still knows the last ones; older ones are in the history.
    assert_eq!(stage.redeem(stage.engine.time(), ended[count - 1].user, ended[count - 1].id), Err(Reject::WrongState));
    let known = |engine: &Engine| ended.iter().filter(|order| engine.plan_order(order.id).is_some()).count();
    assert_eq!(known(&stage.engine), FINISHED_KEPT);
    assert_eq!(stage.redeem(stage.engine.time(), owner, first), Err(Reject::NotFound));
}
