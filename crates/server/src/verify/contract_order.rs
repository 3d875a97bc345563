//! What the entry of a contract asked for, under which terms, and the samples behind its prices.

use std::ops::ControlFlow;

use engine::amount::{Amount, MAX_AMOUNT, PRICE_SCALE, Price, Rate, parse_decimal};
use engine::catalog::{Asset, Market};
use engine::codec;
use engine::command::{Command, Genesis};
use engine::contracts::figures::Size;
use engine::contracts::formulas::TickPrice;
use engine::contracts::position::OpenContract;
use engine::contracts::terms::{Terms, Tier};
use engine::ids::MarketId;
use engine::index::FRESH_MS;
use engine::units::Scales;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::api::contracts::deal::rules;
use crate::http::decimal::fixed;
use crate::http::units::{digits, percent};
use crate::verify::evidence::{EntryHash, Proof, same, same_value};
use crate::verify::fault::{Fault, Reason};
use crate::verify::log::Entry;
use crate::verify::samples::{self, Sample};

#[derive(Debug, Deserialize)]
pub(super) struct Claims {
    pub(super) position: Map<String, Json>,
    pub(super) user_id: u64,
    pub(super) rules: Json,
    pub(super) open_sample: Json,
    pub(super) close_sample: Json,
    pub(super) open_seq: u64,
    pub(super) end_seq: Option<u64>,
    /// The entries that set the stops since, oldest first; a receipt of an earlier release has none.
    pub(super) stop_seqs: Option<Vec<u64>>,
    /// The mark that the last of them used.
    #[serde(default)]
    pub(super) stop_sample: Json,
    pub(super) entry_hashes: Vec<EntryHash>,
    pub(super) proof: Option<Json>,
}

/// Rules as the wire has them.
#[derive(Debug, Deserialize)]
struct Rules {
    lot: String,
    tick: String,
    multiples: Vec<u32>,
    fee: String,
    spread: String,
    liq_fee: String,
    overnight: String,
    cap_roi: u32,
    max_lots: u64,
    tiers: Vec<RulesTier>,
}

#[derive(Debug, Deserialize)]
struct RulesTier {
    bound: String,
    max_multiple: u32,
    mmr: String,
}

/// The order, by its entry, and the terms that the receipt names.
pub(super) struct Asked<'a> {
    pub(super) entry: &'a Entry,
    pub(super) order: OpenContract,
    pub(super) terms: Terms,
    pub(super) market: &'a Market,
    pub(super) base: &'a Asset,
    pub(super) quote: &'a Asset,
    pub(super) genesis: &'a Genesis,
}

/// Fields of a claim, some of which are numbers.
pub(super) fn number(claims: &Claims, name: &str) -> Option<u64> {
    claims.position.get(name).and_then(Json::as_u64)
}

/// An entry is of the owner, as far as what it sealed is shown.
pub(super) fn check_owner(claims: &Claims, entry: &Entry, reason: Reason, unshown: &mut Vec<&'static str>) -> Result<(), Fault> {
    match entry.opened()? {
        None if unshown.contains(&"owner") => {}
        None => unshown.push("owner"),
        Some(private) if codec::parts::buyer(private).is_some_and(|user| user.0 == claims.user_id) => {}
        Some(_) => return Err(reason.because(format!("entry {} is of another member", entry.seq))),
    }
    Ok(())
}

impl<'a> Asked<'a> {
    pub(super) fn of(claims: &Claims, proof: &'a Proof, genesis: &'a Genesis, unshown: &mut Vec<&'static str>) -> Result<Asked<'a>, Fault> {
        let not_there = || Reason::Proof.because(format!("the opening, entry {}, is missing", claims.open_seq));
        let entry = proof.entry(claims.open_seq).ok_or_else(not_there)?;
        let Ok(Some(Command::OpenContract(order))) = codec::parts::decode_public(entry.kind, entry.version, &entry.bytes) else {
            return Err(Reason::Purchase.because(format!("entry {} opened no contract", entry.seq)));
        };
        check_owner(claims, entry, Reason::Purchase, unshown)?;
        same(Reason::Purchase, &claims.position, &json!({ "id": entry.seq }))?;
        proof.check_hashes(&claims.entry_hashes)?;
        let unknown = || Reason::Terms.because("the pair was listed after the first entry, which is all that a receipt shows");
        let catalog = &genesis.catalog;
        let market = catalog.market(order.market).ok_or_else(unknown)?;
        let (base, quote) = catalog.asset(market.base).zip(catalog.asset(market.quote)).ok_or_else(unknown)?;
        let terms = terms_of(&claims.rules, market.id, base, quote)?;
        let step = catalog.indices.iter().find(|index| index.market == market.id).map(|index| index.tick);
        if step != Some(terms.tick) {
            return Err(Reason::Terms.because("the step of the price is not that of the index"));
        }
        let shown = rules(catalog, &terms).and_then(|rules| serde_json::to_value(rules).ok());
        same_value(Reason::Terms, "rules", &claims.rules, &shown.unwrap_or_default())?;
        // The standard terms of every new venue. Other terms are in the log, signed by two operators, and so are more sources of its price.
        let entries = proof.runs.iter().flat_map(|run| &run.entries);
        if !Terms::standard().contains(&terms) || samples::add_quoted(&mut catalog.clone(), market.id, entries) {
            unshown.push("terms");
        }
        let asked = Asked { entry, order, terms, market, base, quote, genesis };
        same(Reason::Terms, &claims.position, &asked.expected_terms())?;
        Ok(asked)
    }

    pub(super) fn scales(&self) -> Scales {
        Scales { base: self.base.scale, quote: self.quote.scale }
    }

    pub(super) fn size(&self) -> Size {
        Size { direction: self.order.direction, lots: self.order.lots, multiple: self.order.multiple }
    }

    pub(super) fn amount(&self, atoms: Amount) -> String {
        fixed(atoms, self.quote.scale)
    }

    pub(super) fn price(&self, price: Price) -> String {
        let digits = digits(self.terms.tick.0, PRICE_SCALE);
        fixed(price.0 / 10_u64.pow(u32::from(PRICE_SCALE - digits)), digits)
    }

    pub(super) fn ticks(&self, ticks: TickPrice) -> String {
        self.price(Price(ticks.0.saturating_mul(self.terms.tick.0)))
    }

    fn expected_terms(&self) -> Json {
        let Asked { order, terms, market, .. } = self;
        json!({
            "type": order.direction.number(),
            "match_id": market.id.0,
            "symbol": market.symbol,
            "currency_id": market.base.0,
            "share": order.lots,
            "number": fixed(order.lots.saturating_mul(terms.lot), self.base.scale),
            "multiple": order.multiple,
            "target_price": order.limit.map(|limit| self.price(limit)),
            "overnight": percent(terms.overnight),
            "create_time_ms": self.entry.time_ms,
        })
    }

    /// The samples of the pair that the entries of a run make, up to the entry `until`.
    pub(super) fn samples(&self, proof: &Proof, seq: u64, until: u64) -> Result<Vec<Sample>, Fault> {
        let entries = proof.run(seq).map(|run| run.entries.as_slice()).unwrap_or_default();
        let mut catalog = self.genesis.catalog.clone();
        samples::add_quoted(&mut catalog, self.market.id, entries);
        samples::samples((self.genesis.mode, catalog), self.market.id, entries, |entry| {
            if entry.seq <= until { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
    }

    /// A claimed sample is one that the log gives; names of sources are free, for operators may have changed the list.
    pub(super) fn sample(&self, claimed: &Json, made: &Sample, reason: Reason) -> Result<(), Fault> {
        let mut claimed = claimed.clone();
        for source in claimed["sources"].as_array_mut().into_iter().flatten() {
            if source["name"] != "sandbox" {
                source["name"] = Json::Null;
            }
        }
        let price = self.price(made.price);
        let sources = made.sources(|_| Json::Null, &price);
        let shown = json!({ "symbol": self.market.symbol, "seq": made.seq, "time_ms": made.at_ms, "price": price, "sources": sources });
        same_value(reason, "sample", &claimed, &shown)
    }

    /// The sample that an entry took: the last one before it, fresh at its instant.
    pub(super) fn known_before(
        &self,
        (claimed, reason): (&Json, Reason),
        proof: &Proof,
        taker: &Entry,
        unshown: &mut Vec<&'static str>,
    ) -> Result<Sample, Fault> {
        let seq = claimed.get("seq").and_then(Json::as_u64).unwrap_or(0);
        let run = proof.run(seq).ok_or_else(|| reason.because(format!("entry {seq} is missing")))?;
        let whole = run.holds(taker.seq);
        if !whole {
            unshown.push("order");
        }
        let all = self.samples(proof, seq, if whole { taker.seq - 1 } else { seq })?;
        let made = all.last().ok_or_else(|| reason.because("its entries give no price"))?;
        self.sample(claimed, made, reason)?;
        if made.seq >= taker.seq || taker.time_ms.saturating_sub(made.time_ms) > FRESH_MS {
            return Err(reason.because("it came later, or was too old"));
        }
        Ok(made.clone())
    }

    /// The sample of an instant at which something happened automatically, which came after an entry.
    pub(super) fn made_at(
        &self,
        (claimed, reason): (&Json, Reason),
        proof: &Proof,
        after: u64,
        at_ms: Option<u64>,
    ) -> Result<Sample, Fault> {
        let seq = claimed.get("seq").and_then(Json::as_u64).unwrap_or(0);
        proof.run(seq).ok_or_else(|| reason.because(format!("entry {seq} is missing")))?;
        let all = self.samples(proof, seq, seq)?;
        let made = all.last().filter(|made| made.seq == seq).ok_or_else(|| reason.because("its entries give no price"))?;
        self.sample(claimed, made, reason)?;
        if made.seq <= after || at_ms.is_some_and(|at_ms| made.at_ms != at_ms) {
            return Err(reason.because("it came too early, or is of another instant"));
        }
        Ok(made.clone())
    }

    pub(super) fn mark(&self, sample: &Sample, reason: Reason) -> Result<TickPrice, Fault> {
        self.terms.ticks(sample.price).ok_or_else(|| reason.because("the price does not lie on the step"))
    }
}

/// The terms that the rules of a receipt name.
fn terms_of(claimed: &Json, market: MarketId, base: &Asset, quote: &Asset) -> Result<Terms, Fault> {
    let rules = Rules::deserialize(claimed).map_err(|error| Reason::Format.because(format!("rules: {error}")))?;
    let unreadable = || Reason::Terms.because("rules that are no terms of a contract");
    let units = |text: &str, scale: u8| parse_decimal(text, scale, MAX_AMOUNT).map_err(|_| unreadable());
    let rate = |text: &str| units(text, PRICE_SCALE - 2).map(Rate);
    let tiers = rules.tiers.iter().map(|RulesTier { bound, max_multiple, mmr }| {
        Ok(Tier { bound: units(bound, quote.scale)?, max_multiple: *max_multiple, maintenance: rate(mmr)? })
    });
    let terms = Terms {
        market,
        lot: units(&rules.lot, base.scale)?,
        tick: Price(units(&rules.tick, PRICE_SCALE)?),
        multiples: rules.multiples,
        fee: rate(&rules.fee)?,
        spread: rate(&rules.spread)?,
        liquidation_fee: rate(&rules.liq_fee)?,
        overnight: rate(&rules.overnight)?,
        cap_roi: rules.cap_roi,
        max_lots: rules.max_lots,
        tiers: tiers.collect::<Result<_, Fault>>()?,
    };
    let fault = terms.fault(Scales { base: base.scale, quote: quote.scale });
    if fault.is_some() { Err(unreadable()) } else { Ok(terms) }
}
