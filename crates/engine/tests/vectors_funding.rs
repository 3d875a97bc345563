//! The published cases of deposits, withdrawals, bank numbers and the fund password, run through the engine.

#![allow(clippy::unwrap_used, reason = "a case that cannot be read has failed")]

#[path = "vectors/harness.rs"]
mod harness;
mod support;

use engine::Engine;
use engine::amount::{MAX_AMOUNT, Price, Rate};
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::catalog::funding::Chain;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Genesis, Mode};
use engine::funding::bank_codes::{is_iban, is_swift};
use engine::funding::deposits::{Claimed, Observed};
use engine::funding::withdrawals::{Destination, Verification, Withdraw};
use engine::identity::KycLevel;
use engine::ids::{AddressId, AssetId, Digest, MarketId, OperatorId, UserId};
use engine::operators::approval::{Reviewer, SignedVersion};
use engine::reply::Reply;
use engine::security::FundPasswordChange;
use engine::time::{DAY_MS, Time};
use harness::{Expected, amount, check, number, text};
use serde_json::{Value, json};

const ANN: UserId = UserId(7);
const FIRST: Reviewer = Reviewer { operator: OperatorId(1), member: None };
const SECOND: Reviewer = Reviewer { operator: OperatorId(2), member: None };
const RIGHT: Verification = Verification { fund_password_right: true, code: None };

fn digest(text: &str) -> Digest {
    let mut bytes = [0; 32];
    text.bytes().enumerate().for_each(|(at, byte)| bytes[at % 32] ^= byte.rotate_left(at as u32 / 32));
    Digest(bytes)
}

/// An engine with one member, at the time of the case.
struct Fixture {
    engine: Engine,
}

impl Fixture {
    fn new(time: Time, change: impl FnOnce(&mut Catalog)) -> Fixture {
        let mut catalog = Catalog::standard();
        catalog.assets.iter_mut().for_each(|asset| asset.faucet_max = MAX_AMOUNT - 1);
        change(&mut catalog);
        let mut fixture = Fixture { engine: Engine::default() };
        fixture.run(time, Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog, endowments: Vec::new() }))).unwrap();
        fixture.run(time, Command::RegisterMember { user: ANN, house: false }).unwrap();
        fixture
    }

    fn run(&mut self, time: Time, command: Command) -> Result<Reply, String> {
        let time = time.max(self.engine.time());
        support::apply(&mut self.engine, &mut Vec::new(), time, command).map_err(|reject| reject.name().to_owned())
    }

    fn operate(&mut self, by: Reviewer, act: OperatorAct) -> Result<Reply, String> {
        self.run(Time(0), Command::Operate(Box::new(Operate { by, act })))
    }

    fn decide(&mut self, by: Reviewer, item: Item, seen: SignedVersion, decision: Decision) -> Result<Reply, String> {
        self.operate(by, OperatorAct::Decide { item, decision, seen })
    }

    fn asset(&self, code: &str) -> AssetId {
        self.engine.catalog().assets.iter().find(|asset| asset.code == code).map_or(AssetId(77), |asset| asset.id)
    }

    fn available(&self, asset: AssetId) -> u64 {
        self.engine.balance(ANN, Wallet::Spot, asset).unwrap().available
    }

    fn verify(&mut self, level: KycLevel) {
        let submit = Command::SubmitIdentity { user: ANN, level, document: digest("passport"), content: digest("content") };
        let Ok(Reply::Identity(mut identity)) = self.run(Time(0), submit) else { panic!("not submitted") };
        for by in [FIRST, SECOND].into_iter().take(level.approvals_needed()) {
            let decided = self.decide(by, Item::Identity(identity.submission), identity.seen(), Decision::Approve).unwrap();
            let Reply::Identity(next) = decided else { panic!("{decided:?}") };
            identity = next;
        }
    }

    fn add_address(&mut self, time: Time, asset: AssetId, chain: Chain) -> AddressId {
        let destination = digest(&format!("{asset:?} {chain:?}"));
        let add = Command::AddAddress { user: ANN, asset, chain, destination, verification: RIGHT };
        match self.run(time, add).unwrap() {
            Reply::Address(address) => address.id,
            other => panic!("{other:?}"),
        }
    }

    fn withdraw(
        &mut self,
        time: Time,
        asset: AssetId,
        amount: u64,
        (address, chain): (AddressId, Chain),
        right: bool,
    ) -> Result<Reply, String> {
        let verification = Verification { fund_password_right: right, code: None };
        let destination = Destination::Address { address, chain };
        self.run(time, Command::Withdraw(Withdraw { user: ANN, asset, amount, destination, verification, arrives: None }))
    }
}

fn chain(name: &Value) -> Chain {
    Chain::ALL.into_iter().find(|chain| Some(chain.name()) == name.as_str()).unwrap()
}

#[test]
fn vectors_funding() {
    check("funding.json", &[("deposit", deposit), ("bank_deposit", bank_deposit), ("iban", iban), ("swift", swift)]);
}

/// A watcher sees the payment; what it does not credit by itself an operator approves.
fn deposit(input: &Value) -> Expected {
    let mut fixture = Fixture::new(Time(1), |_| ());
    let asset = fixture.asset(input["asset"].as_str().unwrap());
    let usdt = Observed { user: ANN, asset: AssetId(3), chain: Chain::Trc20, amount: 1_000_000 };
    for key in input["seen"].as_array().unwrap() {
        let seen = Command::ObserveDeposit { tx: digest(key.as_str().unwrap()), observed: usdt, confirmations: 20 };
        fixture.run(Time(1), seen).unwrap();
    }
    let before = fixture.engine.balance(ANN, Wallet::Spot, asset).map_or(0, |balance| balance.available);
    let observed = Observed { user: ANN, asset, chain: chain(&input["chain"]), amount: amount(&input["observed"]).unwrap_or(0) };
    let tx = digest(input["key"].as_str().unwrap());
    let seen = fixture.run(Time(1), Command::ObserveDeposit { tx, observed, confirmations: number(&input["confirmations"]) as u32 })?;
    let Reply::Observation(seen) = seen else { panic!("{seen:?}") };
    let claim = fixture.engine.deposit(seen.claim.unwrap()).unwrap().clone();
    if claim.credited.is_none() {
        fixture.decide(FIRST, Item::Deposit(claim.id), claim.seen(), Decision::ApproveWith(seen.id))?;
    }
    Ok(json!({"credited": text(fixture.available(asset) - before)}))
}

fn bank_deposit(input: &Value) -> Expected {
    let rate = Price(number(&input["rate"]));
    let mut fixture = Fixture::new(Time(1), |catalog| catalog.funding.bank.deposit_rate = rate);
    let claimed = Claimed::Bank { cents: amount(&input["cents"])? };
    let Reply::Deposit(mut claim) = fixture.run(Time(1), Command::ClaimDeposit { user: ANN, claimed, proof: digest("voucher") })? else {
        panic!("no claim")
    };
    for by in [FIRST, SECOND] {
        let decision = Decision::ApproveBank(digest("reference"));
        let Reply::Deposit(next) = fixture.decide(by, Item::Deposit(claim.id), claim.seen(), decision)? else { panic!("no claim") };
        claim = next;
    }
    assert_eq!(claim.credited, Some(fixture.available(AssetId(3))));
    Ok(json!({"credited": text(fixture.available(AssetId(3)))}))
}

fn quoted(input: &Value) -> &str {
    input["text"].as_str().unwrap().trim_matches('\'')
}

fn iban(input: &Value) -> Expected {
    Ok(json!({"valid": is_iban(quoted(input))}))
}

fn swift(input: &Value) -> Expected {
    Ok(json!({"valid": is_swift(quoted(input))}))
}

#[test]
fn vectors_withdrawals() {
    check("withdrawals.json", &[("withdraw", withdraw), ("fund_password", fund_password)]);
}

/// Events before the case: its instants, in order.
enum Before {
    Address,
    Security,
    History(u64),
}

fn withdraw(input: &Value) -> Expected {
    let now = number(&input["now"]);
    let asset_price = number(&input["price"]);
    let start = Time(now - 10 * DAY_MS);
    // Earlier applications go out in USDC at a price of 1 without a fee, so that each has exactly the value of the case.
    let mut fixture = Fixture::new(start, |catalog| {
        catalog.indices.iter_mut().for_each(|index| index.tick = Price(1));
        let earlier = catalog.funding.networks.iter_mut().find(|network| network.asset == AssetId(4) && network.chain == Chain::Erc20);
        let earlier = earlier.unwrap();
        (earlier.withdraw_min, earlier.withdraw_fee) = (1, 0);
        catalog.funding.bank.withdraw_fee = Rate(0);
    });
    let (asset, chain) = (fixture.asset(input["asset"].as_str().unwrap()), chain(&input["chain"]));
    for (market, price) in [(3, 100_000_000), (1, asset_price), (2, asset_price)] {
        fixture.run(start, Command::SandboxPrice { market: MarketId(market), price: Price(price) }).unwrap();
    }
    fixture.run(start, Command::SetFundPassword { user: ANN, change: FundPasswordChange::First }).unwrap();
    let level = number(&input["kyc"]);
    if level > 0 {
        fixture.verify(KycLevel::Basic);
    }
    if level > 1 {
        fixture.verify(KycLevel::Advanced);
    }
    let history = input["history"].as_array().unwrap();
    let mut stored = AddressId(0);
    let usdc = fixture.add_address(start, AssetId(4), Chain::Erc20);
    let mut before: Vec<(u64, Before)> =
        history.iter().map(|earlier| (number(&earlier[0]), Before::History(number(&earlier[1])))).collect();
    before.extend(input["addr_created"].as_str().map(|at| (at.parse().unwrap(), Before::Address)));
    before.extend(input["security_changed"].as_str().map(|at| (at.parse().unwrap(), Before::Security)));
    before.sort_by_key(|(at, _)| *at);
    for (at, what) in before {
        match what {
            Before::Address => {
                let listed =
                    fixture.engine.catalog().funding.networks.iter().find(|network| network.asset == asset && network.chain == chain);
                let listed = listed.or_else(|| fixture.engine.catalog().funding.networks.iter().find(|network| network.asset == asset));
                let (coin, way) = listed.map(|network| (network.asset, network.chain)).unwrap();
                stored = if (coin, way) == (AssetId(4), Chain::Erc20) { usdc } else { fixture.add_address(Time(at), coin, way) };
            }
            Before::Security => drop(fixture.run(Time(at), Command::RecordSecurityChange { user: ANN }).unwrap()),
            Before::History(value) => {
                let faucet = Command::SandboxFaucet { user: ANN, asset: AssetId(4), wallet: Wallet::Spot, amount: value };
                fixture.run(Time(at), faucet).unwrap();
                fixture.withdraw(Time(at), AssetId(4), value, (usdc, Chain::Erc20), true).unwrap();
            }
        }
    }
    let present = fixture.available(asset);
    fixture
        .run(Time(now), Command::SandboxFaucet { user: ANN, asset, wallet: Wallet::Spot, amount: number(&input["avail"]) - present })
        .unwrap();
    if input["fund_pw_locked"].as_bool().unwrap() {
        for _ in 0..5 {
            let change = FundPasswordChange::Change { old_right: false };
            assert_eq!(fixture.run(Time(now), Command::SetFundPassword { user: ANN, change }), Err("E_FUNDPW_WRONG".to_owned()));
        }
    }
    if !input["fund_pw_set"].as_bool().unwrap() {
        return unset_fund_password(now, asset, chain, amount(&input["amount"])?);
    }
    let right = input["fund_pw_ok"].as_bool().unwrap();
    let Reply::Withdrawal(made) = fixture.withdraw(Time(now), asset, amount(&input["amount"])?, (stored, chain), right)? else {
        panic!("no withdrawal")
    };
    let held = fixture.engine.balance(ANN, Wallet::Spot, asset).unwrap().held;
    Ok(json!({
        "fee": text(made.fee), "received": text(made.received()), "frozen": text(held), "value": text(made.value),
        "expected_at": text(made.expected_at().0), "avail_after": text(fixture.available(asset)),
    }))
}

/// A member who never had a fund password: they cannot have stored an address either, and this comes before it in the order of W-3.
fn unset_fund_password(now: u64, asset: AssetId, chain: Chain, amount: u64) -> Expected {
    let mut fixture = Fixture::new(Time(now), |_| ());
    fixture.verify(KycLevel::Basic);
    fixture.withdraw(Time(now), asset, amount, (AddressId(0), chain), true).map(|_| Value::Null)
}

fn fund_password(input: &Value) -> Expected {
    let mut fixture = Fixture::new(Time(0), |_| ());
    fixture.run(Time(0), Command::SetFundPassword { user: ANN, change: FundPasswordChange::First }).unwrap();
    let mut results = Vec::new();
    for event in input["events"].as_array().unwrap() {
        let change = FundPasswordChange::Change { old_right: event[1].as_bool().unwrap() };
        let result = fixture.run(Time(number(&event[0])), Command::SetFundPassword { user: ANN, change });
        results.push(match result.as_ref().map_err(String::as_str) {
            Ok(_) => "OK",
            Err("E_FUNDPW_WRONG") => "WRONG",
            Err("E_FUNDPW_LOCKED") => "LOCKED",
            Err(other) => return Err(other.to_owned()),
        });
    }
    Ok(json!({"results": results}))
}
