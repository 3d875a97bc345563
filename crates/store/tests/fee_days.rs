//! Fees of a backlog that runs after midnight belong to the day on which they fell due, as the rebates that they bring do (G-1).

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use engine::Engine;
use engine::amount::Price;
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::feature::Feature;
use engine::identity::KycLevel;
use engine::ids::{AssetId, Digest, MarketId, OperatorId, Seq, SubmissionId, UserId};
use engine::ledger::HouseAccount;
use engine::operators::approval::Reviewer;
use engine::options::option::{BuyOption, Direction};
use engine::published::Published;
use engine::scheduler::SLICE;
use engine::time::{DAY_MS, MINUTE_MS, SECOND_MS, Time};
use store::db::Db;
use store::{Mark, fee_days, rows, sql};
use tokio::sync::mpsc;

const MIDNIGHT: Time = Time(1_767_312_000_000);
const USDT: AssetId = AssetId(3);
const BTC_USDT: MarketId = MarketId(1);
/// Not the first member, because that is the house.
const INVITER: UserId = UserId(2);
/// Options of one member.
const EACH: usize = 20;

#[derive(Default)]
struct Log {
    engine: Engine,
    facts: Vec<Published>,
}

impl Log {
    fn at(&mut self, time: Time, command: Command) {
        let entry = Entry { seq: Seq(self.engine.seq().0 + 1), time, request: None, command };
        let mut events = Vec::new();
        self.engine.apply(&entry, &mut events).result.unwrap();
        self.facts.push(Published { seq: entry.seq, time, events, balances: Vec::new(), answer: None, stops: None });
    }

    fn join(&mut self, time: Time, user: UserId, inviter: Option<UserId>) {
        match inviter {
            Some(inviter) => self.at(time, Command::RegisterInvited { user, inviter }),
            None => self.at(time, Command::RegisterMember { user, house: false }),
        }
        self.at(time, Command::SandboxFaucet { user, asset: USDT, wallet: Wallet::BinaryOptions, amount: 1_000_000_000 });
        let mut document = [0; 32];
        document[..8].copy_from_slice(&user.0.to_be_bytes());
        let (id, document, level) = (SubmissionId(self.engine.seq().0 + 1), Digest(document), KycLevel::Basic);
        self.at(time, Command::SubmitIdentity { user, level, document, content: document });
        let seen = self.engine.submission(id).unwrap().seen();
        let by = Reviewer { operator: OperatorId(1), member: None };
        let act = OperatorAct::Decide { item: Item::Identity(id), decision: Decision::Approve, seen };
        self.at(time, Command::Operate(Box::new(Operate { by, act })));
    }

    fn sample(&mut self, time: Time) {
        self.at(time, Command::SandboxPrice { market: BTC_USDT, price: Price(10_000_000_000_000) });
    }

    /// A purchase of an option of a minute.
    fn buy(&mut self, time: Time, user: UserId) {
        let rule = self.engine.offered_rule(BTC_USDT, 60).unwrap();
        let (market, direction, asset, seconds, stake) = (BTC_USDT, Direction::Up, USDT, 60, 5_000_000);
        self.at(time, Command::BuyOption(BuyOption { user, market, direction, asset, seconds, stake, rule }));
    }
}

#[tokio::test]
async fn late_fees_are_of_the_day_on_which_they_fell_due_and_bring_no_friend_more_than_the_rebate() {
    let mut log = Log::default();
    let begun = Time(MIDNIGHT.0 - 10 * MINUTE_MS);
    let endowments = vec![(HouseAccount::OptionPool, USDT, 1_000_000_000_000)];
    let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments };
    log.at(begun, Command::Genesis(Box::new(genesis)));
    for feature in Feature::ALL.into_iter().filter(|feature| *feature != Feature::OperatorRegistry) {
        log.at(begun, Command::Activate(feature));
    }
    log.at(begun, Command::RegisterMember { user: UserId(1), house: true });
    log.join(begun, INVITER, None);
    // More than one slice falls due a minute before midnight, and no entry comes until it has passed.
    let friends: Vec<UserId> = (3..).take(SLICE / EACH + 2).map(UserId).collect();
    friends.iter().for_each(|friend| log.join(begun, *friend, Some(INVITER)));
    let bought = Time(MIDNIGHT.0 - 2 * MINUTE_MS);
    log.sample(bought);
    for friend in &friends {
        (0..EACH).for_each(|_| log.buy(bought, *friend));
    }
    log.sample(bought.plus(MINUTE_MS));
    for second in 1..=4 {
        log.at(MIDNIGHT.plus(second * SECOND_MS), Command::Clock);
    }
    // One of them pays one fee on the next day.
    log.sample(MIDNIGHT.plus(MINUTE_MS));
    log.buy(MIDNIGHT.plus(MINUTE_MS), friends[friends.len() - 1]);
    log.sample(MIDNIGHT.plus(2 * MINUTE_MS));
    log.at(MIDNIGHT.plus(DAY_MS + SECOND_MS), Command::Clock);

    let folder = tempfile::tempdir().unwrap();
    let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
    db.migrate(&store::migrations()).await.unwrap();
    let (sender, inbox) = mpsc::channel(1);
    sender.send(log.facts.clone().into()).await.unwrap();
    drop(sender);
    rows::run(db.clone(), Mark::default(), log.engine.catalog(), inbox, |_| async {}).await.unwrap();

    // The fees of each day are those for which the engine paid a rebate.
    let days = sql!("select day, sum(fees) from fee_days where asset = 3 group by day order by day");
    let rebates = sql!("select day, fees from rebates where user_id = $1 and level = 1 and asset = 3 order by day", INVITER.0);
    let (days, rebates) = (db.query(days).await.unwrap().rows, db.query(rebates).await.unwrap().rows);
    assert_eq!((&days, days.len()), (&rebates, 2));
    let brought = fee_days::brought(&db, INVITER, &friends, log.engine.seq().0).await.unwrap();
    let paid = db.query(sql!("select sum(value) from rebates where user_id = $1", INVITER.0)).await.unwrap().rows[0].id(0).unwrap();
    let sum: u64 = brought.values().sum();
    assert!(brought.len() == friends.len() && sum <= paid && sum + brought.len() as u64 >= paid, "{sum} of {paid}");
}

/// Fees of a day, the rebate's value of them, and what one of two friends paid of them.
const DAYS: [(u64, u64, u64); 6] = [
    (1_000, 200, 333),
    (7, 3, 7),
    // More than the fees of the rebate: it brings the whole value and no more.
    (100, 20, 150),
    // The products are the largest that fits 63 bits, the smallest that does not, and the largest possible.
    (3_037_000_499, 3_037_000_499, 3_037_000_498),
    (3_037_000_500, 3_037_000_500, 3_037_000_499),
    (999_999_999_999_999_999, 999_999_999_999_999_999, 333_333_333_333_333_333),
];

#[tokio::test]
async fn parts_are_rounded_day_by_day_also_where_their_product_is_beyond_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
    db.migrate(&store::migrations()).await.unwrap();
    let (ben, dan) = (UserId(3), UserId(4));
    let mut expected = [0_u64; 2];
    for (day, (fees, value, bens)) in (1_u64..).zip(DAYS) {
        let rebate = "insert into rebates (id, user_id, level, asset, amount, fees, value, day, payer, time_ms, seq)
            values ($1, $2, 1, 3, 0, $3, $4, $1, 0, 0, 1)";
        db.query(sql!(rebate, day, INVITER.0, fees, value)).await.unwrap();
        for (at, (user, paid)) in [(ben, bens), (dan, fees.saturating_sub(bens))].into_iter().enumerate() {
            let row = "insert into fee_days (user_id, day, asset, fees, seq) values ($1, $2, 3, $3, 1)";
            db.query(sql!(row, user.0, day, paid)).await.unwrap();
            expected[at] += u64::try_from(u128::from(value) * u128::from(paid.min(fees)) / u128::from(fees)).unwrap();
        }
    }
    let brought = fee_days::brought(&db, INVITER, &[ben, dan, UserId(5)], 1).await.unwrap();
    assert_eq!(brought.into_iter().collect::<Vec<_>>(), [(ben, expected[0]), (dan, expected[1])]);
}
