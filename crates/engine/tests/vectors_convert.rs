//! The published cases of conversions. `MERIDIAN_VECTORS=<dir>` runs another set of the same form.

#![allow(clippy::unwrap_used, reason = "a case that cannot be read has failed")]

use engine::Engine;
use engine::amount::{Price, Rate};
use engine::backoffice::acts::{Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Genesis, Mode};
use engine::convert::conversion::{Convert, Deal, Priced};
use engine::convert::terms::ConversionTerms;
use engine::feature::Feature;
use engine::ids::{AssetId, Digest, MarketId, OperatorId, UserId};
use engine::index::FRESH_MS;
use engine::ledger::HouseAccount;
use engine::listing::change::CatalogChange;
use engine::operators::approval::Reviewer;
use engine::reply::Reply;
use engine::time::Time;
use serde_json::{Value, json};

#[path = "vectors/harness.rs"]
mod harness;
mod support;

use harness::{Expected, amount, check, number, text};

const USER: UserId = UserId(1);

#[test]
fn vectors_convert() {
    let operations = [("flash_quote", flash_quote as harness::Operation), ("flash_accept", flash_accept)];
    check("flash.json", &operations);
}

fn asset(word: &Value) -> AssetId {
    let codes = ["BTC", "ETH", "USDT", "USDC"];
    AssetId(1 + u32::try_from(codes.iter().position(|code| *code == word.as_str().unwrap()).unwrap()).unwrap())
}

/// The pair that a coin is priced in, if it has one.
fn pair(coin: AssetId) -> Option<MarketId> {
    match coin.0 {
        1 => Some(MarketId(1)),
        2 => Some(MarketId(2)),
        4 => Some(MarketId(3)),
        _ => None,
    }
}

fn price(index: &Value, word: &Value) -> Option<Price> {
    index.get(word.as_str().unwrap()).filter(|price| !price.is_null()).map(|price| Price(number(price)))
}

/// By the formula, after the guards that come before it. The cases have prices that lie on no tick of an index.
fn flash_quote(input: &Value) -> Expected {
    let (from, to) = (asset(&input["from"]), asset(&input["to"]));
    let terms = ConversionTerms { spread: Rate(number(&input["spread"])), fee: Rate(number(&input["fee"])), ..ConversionTerms::standard() };
    let mut fixture = Fixture::new(0);
    let refused = |guard: Result<(), engine::reject::Reject>| guard.map_err(|reject| reject.name().to_owned());
    refused(fixture.engine.check_conversion_coins(from, to))?;
    let wanted = Convert { user: USER, from, to, amount: amount(&input["amount"])? };
    let [Some(from_price), Some(to_price)] = [price(&input["index"], &input["from"]), price(&input["index"], &input["to"])] else {
        // Without a sample the engine itself refuses.
        return fixture.now(Command::QuoteConversion(wanted)).map(|_| json!("a quote without a price"));
    };
    if wanted.amount == 0 {
        return fixture.now(Command::QuoteConversion(wanted)).map(|_| json!("a quote for nothing"));
    }
    let priced = |price, coin| Priced { price, scale: Catalog::standard().asset(coin).unwrap().scale };
    let deal = Deal::of(&wanted, priced(from_price, from), priced(to_price, to), 6, &terms).map_err(|reject| reject.name().to_owned())?;
    Ok(json!({"value": text(deal.value), "gross": text(deal.gross), "fee": text(deal.fee), "net": text(deal.net())}))
}

struct Fixture {
    engine: Engine,
}

impl Fixture {
    fn new(pool: u64) -> Fixture {
        let mut fixture = Fixture { engine: Engine::default() };
        let endowments = if pool == 0 { Vec::new() } else { vec![(HouseAccount::FlashPool, AssetId(3), pool)] };
        let mut catalog = Catalog::standard();
        // The cases move a price by one unit, and ask the pool for a gross amount that lies on no standard rate.
        catalog.indices.iter_mut().for_each(|index| index.tick = Price(1));
        fixture.now(Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog, endowments }))).unwrap();
        for feature in [Feature::DueWork, Feature::IndexRing, Feature::Conversions] {
            fixture.now(Command::Activate(feature)).unwrap();
        }
        fixture.now(Command::RegisterMember { user: USER, house: false }).unwrap();
        fixture
    }

    fn at(&mut self, time: Time, command: Command) -> Result<Reply, String> {
        support::apply(&mut self.engine, &mut Vec::new(), time, command).map_err(|reject| reject.name().to_owned())
    }

    fn now(&mut self, command: Command) -> Result<Reply, String> {
        self.at(self.engine.time(), command)
    }

    fn operate(&mut self, operator: u32, act: OperatorAct) -> Reply {
        let by = Reviewer { operator: OperatorId(operator), member: None };
        self.now(Command::Operate(Box::new(Operate { by, act }))).unwrap()
    }

    fn change(&mut self, terms: ConversionTerms) {
        let proposed = Proposed::ChangeCatalog { change: CatalogChange::ConversionTerms(terms), effective: Time(0) };
        let Reply::Proposal(proposal) = self.operate(1, OperatorAct::Propose { proposed, reason: Digest([1; 32]) }) else { panic!() };
        self.operate(2, OperatorAct::Confirm { proposal: proposal.id, hash: proposal.hash() });
    }

    fn set_prices(&mut self, time: Time, index: &Value, coins: [&Value; 2]) {
        for coin in coins {
            if let Some(market) = pair(asset(coin)) {
                self.at(time, Command::SandboxPrice { market, price: price(index, coin).unwrap() }).unwrap();
            }
        }
    }
}

/// A quote of the case's value, then the changed prices and the acceptance, all through the engine.
fn flash_accept(input: &Value) -> Expected {
    let [now, expires, net, fee, pool, age] = ["now", "expires", "net", "fee", "pool", "age"].map(|key| number(&input[key]));
    let (from, to) = (&input["from"], &input["to"]);
    let life_ms = 10_000;
    let gross = net + fee;
    let mut fixture = Fixture::new(pool);
    // The terms at which so little comes out: a case names net and fee, not the amounts that they follow from.
    let free = ConversionTerms { spread: Rate(0), fee: Rate(0), min: 1, ..ConversionTerms::standard() };
    fixture.change(free);
    let quoted = Time(expires - life_ms);
    fixture.set_prices(quoted, &input["quote_index"], [from, to]);
    let start = price(&input["quote_index"], from).unwrap();
    let sold = gross * 100_000_000 / start.0 * 100;
    let sold = (sold..).find(|sold| u128::from(*sold) * u128::from(start.0) / 10_u128.pow(10) >= u128::from(gross)).unwrap();
    fixture.now(Command::SandboxFaucet { user: USER, asset: asset(from), wallet: Wallet::Spot, amount: sold }).unwrap();
    let wanted = Convert { user: USER, from: asset(from), to: asset(to), amount: sold };
    let Reply::Quote(quote) = fixture.now(Command::QuoteConversion(wanted)).unwrap() else { panic!() };
    assert_eq!((quote.deal.gross, quote.expires), (gross, Time(expires)));
    let sampled = Time(now.max(quoted.0)).max(fixture.engine.time());
    fixture.set_prices(sampled, &input["now_index"], [from, to]);
    // A case that is stale is so however long its quote lives.
    assert!(age == 0 || age > FRESH_MS);
    let done = fixture.at(Time(sampled.0 + age), Command::AcceptQuote { user: USER, quote: quote.id })?;
    let Reply::Conversion(done) = done else { panic!() };
    assert_eq!(done.deal, quote.deal);
    let left = fixture.engine.house_balance(HouseAccount::FlashPool, asset(to));
    Ok(json!({"pool_b_after": text(left)}))
}
