//! Checks the receipt of an option from the receipt alone. It recomputes the head, the entries, the rule, both samples, the outcome and the
//! payout (`docs/verify.md`). The app does the same in `web/src/lib/verify`.

use std::ops::ControlFlow;

use engine::amount::{PRICE_SCALE, Price};
use engine::catalog::{Asset, Catalog, Wallet};
use engine::codec;
use engine::command::{Command, Genesis, Mode};
use engine::index::FRESH_MS;
use engine::options::option::{BuyOption, Direction, Quote, Status, Terms, band, outcome, payments, result};
use engine::options::rule::{self, Origin, Rule};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use store::secrets::hex;

use crate::http::decimal::{fixed, trimmed};
use crate::http::units::{digits, percent, tie_rule, wallet_word};
use crate::verify::contract;
use crate::verify::contract_log::Course;
use crate::verify::contract_stops::StopsOfReceipt;
use crate::verify::evidence::{EntryHash, Proof, Run, inner, same, same_value};
use crate::verify::fault::{Fault, Reason};
use crate::verify::log::Entry;
use crate::verify::samples::{self, Sample, catalog_of};

/// A receipt that passed every check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Number of the option or contract.
    pub id: u64,
    /// How it ended.
    pub status: String,
    /// The amount returned to its owner.
    pub payout: Option<String>,
    /// The head that covers it, and its key.
    pub head: (u64, Vec<u8>),
    /// Pair, and the samples that decided.
    pub samples: (String, Vec<Sample>),
    /// The receipt's data about the stops of an opened contract.
    pub stops: Option<StopsOfReceipt>,
    /// What the whole log can show of a contract.
    pub course: Option<Course>,
    /// What the receipt could not show, by name: `order`, that no other sample lies between; `owner`, whose purchase it was; `feed`, what
    /// fed a sandbox before; for contracts more (`verify/contract.rs`).
    pub unshown: Vec<&'static str>,
}

#[derive(Debug, Deserialize)]
struct Claims {
    order: Map<String, Json>,
    open_sample: Json,
    delivery_sample: Json,
    next_sample: Json,
    tolerance_price: Json,
    difference: Json,
    rule: RuleClaim,
    postings: Json,
    buy_seq: u64,
    settle_seq: Option<u64>,
    entry_hashes: Vec<EntryHash>,
    proof: Option<Json>,
}

#[derive(Debug, Deserialize)]
struct RuleClaim {
    name: String,
    version: u32,
    hash: String,
    text: String,
}

/// Checks a receipt; `known` is the key that its head must be signed with, if that is known from elsewhere.
///
/// # Errors
/// The first check that fails.
pub fn check(receipt: &Json, known: Option<&[u8]>) -> Result<Checked, Fault> {
    let receipt = inner(receipt);
    if receipt.get("position").is_some() {
        return contract::check(receipt, known);
    }
    let claims = Claims::deserialize(receipt).map_err(|error| Reason::Format.because(error.to_string()))?;
    let (proof, genesis) = Proof::checked(claims.proof.as_ref(), known)?;
    let mut unshown = Vec::new();
    let purchase = Purchase::of(&claims, &proof, &genesis, &mut unshown)?;
    let open = purchase.open(&claims, &proof, &mut unshown)?;
    purchase.check_band(&claims, &open)?;
    let (status, delivery) = purchase.end(&claims, &proof, &open, &mut unshown)?;
    let payout = claims.order.get("payout").and_then(Json::as_str).map(str::to_owned);
    let samples = (purchase.rule.symbol.clone(), [Some(open), delivery].into_iter().flatten().collect());
    let status = format!("{status:?}");
    let head = (proof.head.seq, proof.head.key.clone());
    Ok(Checked { id: claims.buy_seq, status, payout, head, samples, stops: None, course: None, unshown })
}

/// The purchase, from its entry and its rule.
struct Purchase<'a> {
    entry: &'a Entry,
    buy: BuyOption,
    rule: Rule,
    terms: Terms,
    quote: Quote,
    asset: &'a Asset,
    /// `None` for a pair that was listed after the first entry.
    catalog: Catalog,
    mode: Mode,
}

impl<'a> Purchase<'a> {
    fn of(claims: &Claims, proof: &'a Proof, genesis: &'a Genesis, unshown: &mut Vec<&'static str>) -> Result<Purchase<'a>, Fault> {
        let not_there = || Reason::Proof.because(format!("the purchase, entry {}, is missing", claims.buy_seq));
        let entry = proof.entry(claims.buy_seq).ok_or_else(not_there)?;
        let Ok(Some(Command::BuyOption(buy))) = codec::parts::decode_public(entry.kind, entry.version, &entry.bytes) else {
            return Err(Reason::Purchase.because(format!("entry {} bought no option", entry.seq)));
        };
        match entry.opened()? {
            None => unshown.push("owner"),
            Some(private) if codec::parts::buyer(private).map(|user| Json::from(user.0)) == claims.order.get("user_id").cloned() => {}
            Some(_) => return Err(Reason::Purchase.because("the entry was bought by another member")),
        }
        same(Reason::Purchase, &claims.order, &json!({ "id": entry.seq, "seq": entry.seq }))?;
        proof.check_hashes(&claims.entry_hashes)?;
        let RuleClaim { name, version, hash, text } = &claims.rule;
        let digest = rule::hash(text);
        if digest != buy.rule || hex(&digest.0) != *hash || (name.as_str(), *version) != ("option", rule::VERSION) {
            return Err(Reason::Rule.because("the text is not the rule whose hash the purchase fixed"));
        }
        let rule = Rule::read(text).ok_or_else(|| Reason::Rule.because("the rule is in words that are not known"))?;
        let unknown =
            |what: &str| Reason::Terms.because(format!("the {what} was listed after the first entry, which is all that a receipt shows"));
        let catalog = catalog_of(genesis, buy.market, &rule).ok_or_else(|| unknown("pair"))?;
        let asset = genesis.catalog.asset(buy.asset).ok_or_else(|| unknown("coin"))?;
        if buy.seconds != rule.seconds {
            return Err(Reason::Terms.because("the rule is of another length than the purchase"));
        }
        let profit = if buy.direction == Direction::Flat { rule.profit_flat } else { rule.profit };
        let terms = Terms { profit, fee: rule.fee, tolerance: rule.tolerance, tie: rule.tie, rule: digest };
        let quote = Quote::of(buy.stake, profit, rule.fee).ok_or_else(|| Reason::Terms.because("the stake is too large"))?;
        let purchase = Purchase { entry, buy, rule, terms, quote, asset, catalog, mode: genesis.mode };
        same(Reason::Terms, &claims.order, &purchase.expected_terms())?;
        Ok(purchase)
    }

    fn amount(&self, atoms: u64) -> String {
        fixed(atoms, self.asset.scale)
    }

    fn price(&self, price: Price) -> String {
        let digits = digits(self.rule.tick.0, PRICE_SCALE);
        fixed(price.0 / 10_u64.pow(u32::from(PRICE_SCALE - digits)), digits)
    }

    fn delivery_ms(&self) -> u64 {
        self.entry.time_ms.saturating_add(u64::from(self.buy.seconds) * 1_000)
    }

    fn expected_terms(&self) -> Json {
        let Purchase { buy, rule, terms, quote, .. } = self;
        json!({
            "match_id": buy.market.0,
            "symbol_name": rule.symbol,
            "currency_id": buy.asset.0,
            "currency_name": self.asset.code,
            "type": buy.direction.number(),
            "even": u8::from(buy.direction == Direction::Flat),
            "seconds": buy.seconds,
            "number": self.amount(quote.stake),
            "fee": self.amount(quote.fee),
            "profit": self.amount(quote.profit),
            "profit_ratio": percent(terms.profit),
            "tolerance": percent(terms.tolerance),
            "tie_rule": tie_rule(terms.tie),
            "created_at_ms": self.entry.time_ms,
            "delivery_time_ms": self.delivery_ms(),
        })
    }

    fn samples(&self, entries: &[Entry], wanted: impl FnMut(&Entry) -> ControlFlow<()>) -> Result<Vec<Sample>, Fault> {
        samples::samples((self.mode, self.catalog.clone()), self.buy.market, entries, wanted)
    }

    /// A sample as the receipt must show it.
    fn shown(&self, sample: &Sample) -> Json {
        let names = match &self.rule.origin {
            Origin::Sources(names) => names.as_slice(),
            Origin::Computed(_) => &[],
        };
        let name = |source: u8| Json::from(names.get(usize::from(source)).map_or("", String::as_str));
        let price = self.price(sample.price);
        let sources = sample.sources(name, &price);
        json!({ "symbol": self.rule.symbol, "seq": sample.seq, "time_ms": sample.at_ms, "price": price, "sources": sources })
    }

    /// The open sample: the last one before the purchase, fresh.
    fn open(&self, claims: &Claims, proof: &Proof, unshown: &mut Vec<&'static str>) -> Result<Sample, Fault> {
        let seq = claims.open_sample.get("seq").and_then(Json::as_u64).unwrap_or(0);
        let run = proof.run(seq).ok_or_else(|| Reason::OpenSample.because(format!("entry {seq} is missing")))?;
        let last = if run.holds(self.entry.seq) {
            self.entry.seq - 1
        } else {
            unshown.push("order");
            seq
        };
        let all = self.samples(&run.entries, |entry| if entry.seq <= last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })?;
        let open = all.last().ok_or_else(|| Reason::OpenSample.because("its entries give no price"))?;
        same_value(Reason::OpenSample, "open_sample", &claims.open_sample, &self.shown(open))?;
        if self.entry.time_ms.saturating_sub(open.time_ms) > FRESH_MS {
            return Err(Reason::OpenSample.because("it was too old for a purchase"));
        }
        let expected = json!({ "open_price": self.price(open.price), "open_time_ms": open.time_ms });
        same(Reason::OpenSample, &claims.order, &expected)?;
        Ok(open.clone())
    }

    fn check_band(&self, claims: &Claims, open: &Sample) -> Result<(), Fault> {
        let width = u64::try_from(band(open.price, self.terms.tolerance)).unwrap_or(u64::MAX);
        same_value(Reason::Terms, "tolerance_price", &claims.tolerance_price, &Json::from(trimmed(width, PRICE_SCALE)))
    }

    /// How it ended, and by which sample.
    fn end(
        &self,
        claims: &Claims,
        proof: &Proof,
        open: &Sample,
        unshown: &mut Vec<&'static str>,
    ) -> Result<(Status, Option<Sample>), Fault> {
        if claims.settle_seq.is_none() {
            if proof.is_long_after(self.delivery_ms()) {
                return Err(Reason::Outcome.because("it is still open long after its delivery"));
            }
            let none = json!({ "settle_seq": null, "outcome": null, "result": "open", "profit_result": null, "refund": false, "status": 1,
                "fact_profits": null, "payout": null, "complete_at_ms": null });
            same(Reason::Outcome, &claims.order, &none)?;
            same_value(Reason::DeliverySample, "delivery_sample", &claims.delivery_sample, &Json::Null)?;
            return same_value(Reason::Payout, "postings", &claims.postings, &json!([])).map(|()| (Status::Open, None));
        }
        let delivery = self.delivery(claims, proof, unshown)?;
        let did = delivery.as_ref().map(|sample| outcome(open.price, sample.price, self.terms.tolerance));
        let status = result(self.buy.direction, did, self.terms.tie);
        let (word, profit_result) = match status {
            Status::Open => ("open", None),
            Status::Won => ("won", Some(1)),
            Status::Lost => ("lost", Some(-1)),
            Status::Pushed => ("push", Some(0)),
            Status::Refunded => ("refunded", Some(0)),
        };
        let difference = delivery.as_ref().map(|sample| {
            let sign = if sample.price < open.price { "-" } else { "" };
            format!("{sign}{}", self.price(sample.price.distance(open.price)))
        });
        same_value(Reason::DeliverySample, "difference", &claims.difference, &Json::from(difference))?;
        let expected = json!({
            "outcome": did.map(Direction::number),
            "result": word,
            "profit_result": profit_result,
            "refund": status == Status::Refunded,
            "status": 3,
            "settle_seq": claims.settle_seq,
            "complete_at_ms": self.delivery_ms() + 1,
        });
        same(Reason::Outcome, &claims.order, &expected)?;
        self.check_payout(claims, status)?;
        Ok((status, delivery))
    }

    fn check_payout(&self, claims: &Claims, status: Status) -> Result<(), Fault> {
        let ((received, fee), cost) = (payments(&self.quote, status), self.quote.cost());
        let sign = if received < cost { "-" } else { "" };
        let net = format!("{sign}{}", self.amount(received.abs_diff(cost)));
        same(Reason::Payout, &claims.order, &json!({ "payout": self.amount(received), "fact_profits": net }))?;
        let pool = format!("-{}", self.amount(received + fee));
        let moved = [
            (wallet_word(Wallet::BinaryOptions), received, self.amount(received)),
            ("fee", fee, self.amount(fee)),
            ("option_pool", received + fee, pool),
        ];
        let moved = moved.into_iter().filter(|(_, atoms, _)| *atoms > 0);
        let postings: Vec<Json> =
            moved.map(|(account, _, value)| json!({ "account": account, "currency_id": self.buy.asset.0, "value": value })).collect();
        same_value(Reason::Payout, "postings", &claims.postings, &Json::Array(postings))
    }

    /// The delivery sample: the last one at or before the delivery instant, if it was fresh then.
    fn delivery(&self, claims: &Claims, proof: &Proof, unshown: &mut Vec<&'static str>) -> Result<Option<Sample>, Fault> {
        let instant = self.delivery_ms();
        let missing = || Reason::Proof.because("the entries around the delivery instant are missing");
        let claimed = claims.delivery_sample.get("seq").and_then(Json::as_u64);
        let run = match claimed {
            Some(seq) => proof.run(seq),
            None => proof.runs.last(),
        };
        let run = run.ok_or_else(missing)?;
        let reaches = run.entries.iter().any(|entry| entry.time_ms > instant);
        if claimed.is_some() && !reaches {
            unshown.push("order");
        }
        let begins = run.entries.first().is_some_and(|first| first.time_ms < instant.saturating_sub(FRESH_MS) || first.seq == 1);
        if claimed.is_none() && !(reaches && begins) {
            return Err(missing());
        }
        let everything = self.samples(&run.entries, |_| ControlFlow::Continue(()))?;
        let last = everything.iter().rfind(|sample| sample.at_ms <= instant);
        let fresh = last.filter(|sample| instant - sample.time_ms <= FRESH_MS);
        // A sandbox may have been told before these entries to give no price.
        let untold = |sample: &&Sample| self.mode == Mode::Sandbox && !sample.sandbox && !sets_feed(run, sample.seq);
        let fresh = match fresh.filter(|_| claimed.is_none()).filter(untold) {
            Some(_) => {
                unshown.push("feed");
                None
            }
            None => fresh,
        };
        let shown = fresh.map_or(Json::Null, |sample| self.shown(sample));
        same_value(Reason::DeliverySample, "delivery_sample", &claims.delivery_sample, &shown)?;
        let ended = fresh.map(|sample| (self.price(sample.price), sample.time_ms)).unzip();
        same(Reason::DeliverySample, &claims.order, &json!({ "end_price": ended.0, "end_time_ms": ended.1 }))?;
        let next = everything.iter().find(|sample| sample.at_ms > instant);
        let claimed_next = &claims.next_sample;
        match next {
            Some(next) if !claimed_next.is_null() => same_value(Reason::DeliverySample, "next_sample", claimed_next, &self.shown(next))?,
            None if !claimed_next.is_null() && reaches => unshown.push("next"),
            _ => {}
        }
        Ok(fresh.cloned())
    }
}

/// Whether an earlier entry of the run shows what feeds the index.
fn sets_feed(run: &Run, before: u64) -> bool {
    let feeds = |entry: &Entry| matches!(codec::name_of(entry.kind), Some("sandbox_price" | "sandbox_feed"));
    run.entries.iter().take_while(|entry| entry.seq < before).any(feeds)
}
