//! The published cases of short-term options. `MERIDIAN_VECTORS=<dir>` runs another set of the same form.

#![allow(clippy::unwrap_used, reason = "a case that cannot be read has failed")]

use engine::Engine;
use engine::amount::{Price, Rate};
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Genesis, Mode};
use engine::feature::Feature;
use engine::identity::KycLevel;
use engine::ids::{AssetId, Digest, MarketId, OperatorId, SubmissionId, UserId};
use engine::index::FRESH_MS;
use engine::ledger::HouseAccount;
use engine::listing::change::CatalogChange;
use engine::operators::approval::Reviewer;
use engine::options::option::{BuyOption, Direction, Quote, Status, TieRule, band, outcome, payments, result};
use engine::options::terms::{DurationTerms, OptionTerms, SharedTerms, StakeMax};
use engine::reply::Reply;
use engine::time::Time;
use serde_json::{Value, json};

#[path = "vectors/harness.rs"]
mod harness;
mod support;

use harness::{Expected, amount, check, number, text};

const START: Time = Time(1_767_225_600_000);
const USDT: AssetId = AssetId(3);
const PAIR: MarketId = MarketId(1);
const BUYER: UserId = UserId(1);
const OTHER: UserId = UserId(2);

#[test]
fn vectors_options() {
    let operations = [
        ("option_quote", option_quote as harness::Operation),
        ("option_buy", option_buy),
        ("option_outcome", option_outcome),
        ("option_settle", option_settle),
        ("option_select", option_select),
    ];
    check("options.json", &operations);
}

fn option_quote(input: &Value) -> Expected {
    let quote = Quote::of(number(&input["stake"]), Rate(number(&input["yield_ru"])), Rate(number(&input["fee_ru"]))).unwrap();
    Ok(json!({
        "profit": text(quote.profit), "fee": text(quote.fee), "cost": text(quote.cost()), "payout": text(quote.payout()),
        "reserve": text(quote.reserve()),
    }))
}

fn direction(word: &Value) -> Option<Direction> {
    match word.as_str().unwrap() {
        "UP" => Some(Direction::Up),
        "DOWN" => Some(Direction::Down),
        "FLAT" => Some(Direction::Flat),
        _ => None,
    }
}

fn option_outcome(input: &Value) -> Expected {
    let (open, delivery) = (Price(number(&input["open"])), Price(number(&input["delivery"])));
    let tolerance = Rate(number(&input["tol"]));
    let word = match outcome(open, delivery, tolerance) {
        Direction::Up => "UP",
        Direction::Down => "DOWN",
        Direction::Flat => "FLAT",
    };
    Ok(json!({"tolerance": band(open, tolerance).to_string(), "outcome": word}))
}

fn option_settle(input: &Value) -> Expected {
    let quote = Quote { stake: number(&input["stake"]), profit: number(&input["profit"]), fee: number(&input["fee"]) };
    let tie = if input["tie"] == "LOSE" { TieRule::Lose } else { TieRule::Refund };
    let ended = result(direction(&input["type"]).unwrap(), direction(&input["outcome"]), tie);
    let state = match ended {
        Status::Open => "OPEN",
        Status::Won => "WON",
        Status::Lost => "LOST",
        Status::Pushed => "PUSH",
        Status::Refunded => "REFUNDED",
    };
    let (user, fee) = payments(&quote, ended);
    let signed = |amount: u64| i128::from(amount);
    Ok(json!({
        "state": state, "user": text(user), "fee_account": text(fee), "pool": (-signed(user) - signed(fee)).to_string(),
        "pnl": (signed(user) - signed(quote.cost())).to_string(), "release": text(quote.reserve()),
    }))
}

/// The samples go through an index; what it knew at the instant is taken if it is fresh.
fn option_select(input: &Value) -> Expected {
    let mut fixture = Fixture::new(0);
    for sample in input["samples"].as_array().unwrap() {
        let (time, price) = (Time(number(&sample[0])), number(&sample[1]));
        // The cases use whole steps of an index.
        fixture.at(time, Command::SandboxPrice { market: PAIR, price: Price(price * 1_000_000) }).unwrap();
    }
    let (instant, oldest) = (Time(number(&input["t"])), number(&input["max_age"]));
    assert_eq!(oldest, FRESH_MS);
    let made = fixture.engine.index(PAIR).unwrap().made_at(instant).filter(|made| instant.since(made.sample.time) <= oldest);
    let sample = made.map(|made| json!([text(made.sample.time.0), text(made.sample.price.0 / 1_000_000)]));
    Ok(json!({ "sample": sample }))
}

struct Fixture {
    engine: Engine,
}

impl Fixture {
    fn new(pool: u64) -> Fixture {
        let mut fixture = Fixture { engine: Engine::default() };
        let endowments = if pool == 0 { Vec::new() } else { vec![(HouseAccount::OptionPool, USDT, pool)] };
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments };
        fixture.now(Command::Genesis(Box::new(genesis))).unwrap();
        for feature in [Feature::DueWork, Feature::IndexRing, Feature::Options] {
            fixture.now(Command::Activate(feature)).unwrap();
        }
        fixture
    }

    fn at(&mut self, time: Time, command: Command) -> Result<Reply, String> {
        support::apply(&mut self.engine, &mut Vec::new(), time, command).map_err(|reject| reject.name().to_owned())
    }

    fn now(&mut self, command: Command) -> Result<Reply, String> {
        self.at(Time(self.engine.time().0.max(START.0)), command)
    }

    fn operate(&mut self, operator: u32, act: OperatorAct) -> Reply {
        let by = Reviewer { operator: OperatorId(operator), member: None };
        self.now(Command::Operate(Box::new(Operate { by, act }))).unwrap()
    }

    fn change(&mut self, change: CatalogChange) {
        let proposed = Proposed::ChangeCatalog { change, effective: Time(0) };
        let Reply::Proposal(proposal) = self.operate(1, OperatorAct::Propose { proposed, reason: Digest([1; 32]) }) else { panic!() };
        self.operate(2, OperatorAct::Confirm { proposal: proposal.id, hash: proposal.hash() });
    }

    fn join(&mut self, user: UserId, funds: u64, verified: bool) {
        self.now(Command::RegisterMember { user, house: false }).unwrap();
        if funds > 0 {
            self.now(Command::SandboxFaucet { user, asset: USDT, wallet: Wallet::BinaryOptions, amount: funds }).unwrap();
        }
        if verified {
            let id = SubmissionId(self.engine.seq().0 + 1);
            let level = KycLevel::Basic;
            let document = Digest([user.0 as u8; 32]);
            self.now(Command::SubmitIdentity { user, level, document, content: document }).unwrap();
            let seen = self.engine.submission(id).unwrap().seen();
            self.operate(1, OperatorAct::Decide { item: Item::Identity(id), decision: Decision::Approve, seen });
        }
    }

    fn buy(&mut self, user: UserId, bet: Direction, seconds: u32, stake: u64) -> Result<Reply, String> {
        let rule = self.engine.offered_rule(PAIR, seconds).unwrap_or(Digest([0; 32]));
        self.now(Command::BuyOption(BuyOption { user, market: PAIR, direction: bet, asset: USDT, seconds, stake, rule }))
    }

    /// Sells options that cost the pool exactly their stake, so that stakes and reserves are those of the case.
    fn bind(&mut self, stakes: &[(UserId, u64)]) {
        let standard = OptionTerms::standard();
        let max = vec![StakeMax { asset: USDT, directed: 1 << 59, flat: 0 }];
        let free = DurationTerms { seconds: 7, profit: Rate(0), max, ..standard.durations[0].clone() };
        let coins = vec![engine::options::terms::StakeCoin { asset: USDT, min: 1, open_max: 1 << 59 }];
        self.change(CatalogChange::OptionDuration(free));
        self.change(CatalogChange::OptionShared(SharedTerms { fee: Rate(0), coins, ..standard.shared.clone() }));
        for (user, stake) in stakes.iter().filter(|(_, stake)| *stake > 0) {
            self.buy(*user, Direction::Up, 7, *stake).unwrap();
        }
        self.change(CatalogChange::OptionShared(standard.shared));
    }
}

fn option_buy(input: &Value) -> Expected {
    let bet = direction(&input["type"]).ok_or("E_TYPE")?;
    let stake = amount(&input["stake"])?;
    let [available, pool, reserved, staked] = ["avail", "pool", "reserved", "open_user_stake"].map(|key| number(&input[key]));
    let mut fixture = Fixture::new(pool - reserved);
    fixture.now(Command::SandboxPrice { market: PAIR, price: Price(10_000_000_000_000) }).unwrap();
    fixture.join(BUYER, available + staked, input["kyc"] == "1" || staked > 0);
    fixture.join(OTHER, reserved, true);
    fixture.bind(&[(BUYER, staked), (OTHER, reserved)]);
    let age = number(&input["index_age"]);
    fixture.at(START.plus(age), Command::Clock).unwrap();
    let bought = fixture.buy(BUYER, bet, u32::try_from(number(&input["duration"])).unwrap(), stake)?;
    let Reply::Option(option) = bought else { panic!() };
    let (quote, house) = (option.quote, fixture.engine.exposure(HouseAccount::OptionPool, USDT));
    let left = fixture.engine.balance(BUYER, Wallet::BinaryOptions, USDT).unwrap().available;
    Ok(json!({
        "profit": text(quote.profit), "fee": text(quote.fee), "cost": text(quote.cost()), "payout": text(quote.payout()),
        "reserve": text(quote.reserve()), "pool_after": text(house.balance - staked), "reserved_after": text(house.reserved - staked),
        "avail_after": text(left),
    }))
}
