//! Catalog values to the wire and back.

use std::collections::BTreeSet;

use engine::Engine;
use engine::amount::{Amount, MAX_AMOUNT, MAX_RATE, PRICE_SCALE, Price, RATE_ONE, Rate};
use engine::catalog::QUORUM;
use engine::catalog::funding::{BankTerms, Chain, Limits, Network};
use engine::catalog::{Catalog, Market};
use engine::ids::{AssetId, MarketId, OfferingId};
use engine::listing::change::{CatalogChange, TextKind};
use serde_json::{Map, Value as Json, json};

use super::catalog::bad_value;
use super::catalog_kinds::CatalogKind;
use super::listing;
use super::proposals::plain;
use super::terms;
use crate::countries::COUNTRIES;
use crate::http::reply::{Code, OrRefuse, Refusal, refuse};
use crate::http::units::{amount, code, percent};
use crate::http::values::atoms;

/// Decimals of a percentage in the unit of rates.
const PERCENT_SCALE: u8 = PRICE_SCALE - 2;

/// What an object is called.
pub(super) fn name(engine: &Engine, change: &CatalogChange) -> String {
    let facts = engine.catalog();
    let symbol = |market: MarketId| facts.market(market).map_or_else(String::new, |market| market.symbol.clone());
    match change {
        CatalogChange::Fee { market, .. } | CatalogChange::MarketFilters { market, .. } | CatalogChange::IndexSources { market, .. } => {
            symbol(*market)
        }
        CatalogChange::Network(network) => format!("{} {}", code(facts, network.asset), network.chain.name()),
        CatalogChange::Bank(_) => "bank".to_owned(),
        CatalogChange::Limits(_) => "limits".to_owned(),
        CatalogChange::Text { kind: TextKind::ReceivingKey(chain), .. } => format!("receiving key {}", chain.name()),
        CatalogChange::Text { kind: TextKind::BankAccount, .. } => "bank account".to_owned(),
        CatalogChange::Text { kind: TextKind::Country, id, .. } => country_of(*id).to_owned(),
        CatalogChange::Text { kind: TextKind::RiskText, .. } => String::new(),
        CatalogChange::Text { kind: TextKind::WhitePaper, id, .. } => {
            engine.offering(OfferingId(*id)).map_or_else(String::new, |offering| offering.terms.token.code.clone())
        }
        CatalogChange::ListCoin(asset) => asset.code.clone(),
        CatalogChange::ListMarket { market, .. } => market.symbol.clone(),
        CatalogChange::OptionDuration(duration) => format!("{} s", duration.seconds),
        CatalogChange::OptionShared(_) => "all".to_owned(),
        CatalogChange::ContractTerms(terms) => symbol(terms.market),
        CatalogChange::LoanProduct(product) => format!("{} {} days", code(facts, product.asset), product.days),
        CatalogChange::LoanShared(_) => "all".to_owned(),
        CatalogChange::ConversionTerms(_) => "conversions".to_owned(),
        CatalogChange::Plan(plan) => terms::plan::name(facts, plan),
        CatalogChange::Offering(terms) => terms.token.code.clone(),
    }
}

/// Two letters of a country.
fn country_of(number: u32) -> &'static str {
    COUNTRIES.iter().find(|fact| fact.id == u64::from(number)).map_or("", |fact| fact.iso.as_str())
}

/// The filters of a pair as the change that would bring them about.
pub(super) fn filters(market: &Market) -> CatalogChange {
    CatalogChange::MarketFilters {
        market: market.id,
        quantity: (market.min_quantity, market.max_quantity),
        notional: (market.min_notional, market.max_notional),
        band_buy: market.band_buy,
        band_sell: market.band_sell,
    }
}

/// The values of a change.
pub(super) fn written(facts: &Catalog, change: &CatalogChange) -> Json {
    let band = |(low, high): (Rate, Rate)| [percent(low), percent(high)];
    match change {
        CatalogChange::Fee { maker, taker, .. } => json!({"maker_fee": percent(*maker), "taker_fee": percent(*taker)}),
        CatalogChange::MarketFilters { market, quantity, notional, band_buy, band_sell } => {
            let Some(of) = facts.market(*market) else { return json!({}) };
            json!({
                "min_qty": amount(facts, of.base, quantity.0), "max_qty": amount(facts, of.base, quantity.1),
                "min_notional": amount(facts, of.quote, notional.0), "max_notional": amount(facts, of.quote, notional.1),
                "band_buy": band(*band_buy), "band_sell": band(*band_sell),
            })
        }
        CatalogChange::Network(network) => json!({
            "currency_id": network.asset.0, "chain": network.chain.name(), "confirmations": network.confirmations,
            "deposit_min": amount(facts, network.asset, network.deposit_min), "withdraw_min": amount(facts, network.asset, network.withdraw_min),
            "withdraw_fee": amount(facts, network.asset, network.withdraw_fee),
            "deposit_on": u8::from(network.deposit_on), "withdraw_on": u8::from(network.withdraw_on),
        }),
        CatalogChange::Bank(bank) => json!({
            "deposit_min": plain(bank.deposit_min_cents, 2), "deposit_max": plain(bank.deposit_max_cents, 2),
            "deposit_rate": plain(bank.deposit_rate.0, PRICE_SCALE), "withdraw_min": amount(facts, bank.asset, bank.withdraw_min),
            "withdraw_fee_min": amount(facts, bank.asset, bank.withdraw_fee_min), "withdraw_fee": percent(bank.withdraw_fee),
            "payout_rate": plain(bank.payout_rate.0, PRICE_SCALE),
            "deposit_on": u8::from(bank.deposit_on), "withdraw_on": u8::from(bank.withdraw_on),
        }),
        CatalogChange::Limits(limits) => {
            let usdt = |atoms| amount(facts, facts.funding.bank.asset, atoms);
            let hand: Map<String, Json> = limits
                .hand_entry_max
                .iter()
                .map(|(asset, most)| (code(facts, *asset).to_owned(), amount(facts, *asset, *most).into()))
                .collect();
            json!({
                "withdraw_per_day": limits.withdrawals_per_day, "withdraw_day_basic": usdt(limits.withdraw_day_basic),
                "withdraw_day_advanced": usdt(limits.withdraw_day_advanced),
                "deposit_unattended_below": usdt(limits.deposit_unattended_below), "hand_entry_max": hand,
                "open_claims": limits.open_claims, "addresses": limits.addresses, "cards": limits.cards,
            })
        }
        CatalogChange::IndexSources { sources, .. } => json!({"sources": sources}),
        CatalogChange::Text { kind: TextKind::ReceivingKey(chain), .. } => json!({"chain": chain.name()}),
        CatalogChange::Text { .. } => json!({}),
        CatalogChange::ListCoin(asset) => listing::coin_values(asset),
        CatalogChange::ListMarket { market, reference } => listing::pair_values(facts, market, reference),
        CatalogChange::OptionDuration(duration) => terms::option::duration_values(facts, duration),
        CatalogChange::OptionShared(shared) => terms::option::shared_values(facts, shared),
        CatalogChange::ContractTerms(terms) => terms::contract::values(facts, terms),
        CatalogChange::LoanProduct(product) => terms::loan::product_values(facts, product),
        CatalogChange::LoanShared(shared) => terms::loan::shared_values(facts, shared),
        CatalogChange::ConversionTerms(terms) => terms::conversion::values(facts, terms),
        CatalogChange::Offering(terms) => terms::offering::values(facts, terms),
        CatalogChange::Plan(plan) => terms::plan::values(facts, plan),
    }
}

/// Submitted values; each is read once, and none may be left over.
pub(super) struct FieldValues<'a> {
    all: &'a Map<String, Json>,
    /// The market whose sources may be named.
    pub(super) prices: feed::market::Market,
    asked: Vec<&'static str>,
}

impl<'a> FieldValues<'a> {
    pub(super) fn new(all: &'a Map<String, Json>, prices: feed::market::Market) -> FieldValues<'a> {
        FieldValues { all, prices, asked: Vec::new() }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.all.get(key).is_some_and(|value| !value.is_null())
    }

    pub(super) fn text(&mut self, key: &'static str) -> Result<&'a str, Refusal> {
        self.value(key)?.as_str().ok_or_else(|| bad_value(key, "format"))
    }

    pub(super) fn texts(&mut self, key: &'static str) -> Result<Vec<String>, Refusal> {
        let all = self.value(key)?.as_array();
        let texts = all.and_then(|all| all.iter().map(|text| text.as_str().map(str::to_owned)).collect());
        texts.ok_or_else(|| bad_value(key, "format"))
    }

    /// Names of price sources that this release can read; an index of others would have no price.
    pub(super) fn sources(&mut self) -> Result<Vec<String>, Refusal> {
        let sources = self.texts("sources")?;
        if sources.iter().all(|name| self.prices.knows(name)) { Ok(sources) } else { Err(bad_value("sources", "enum")) }
    }

    pub(super) fn value(&mut self, key: &'static str) -> Result<&'a Json, Refusal> {
        self.asked.push(key);
        self.all.get(key).filter(|value| !value.is_null()).ok_or_else(|| bad_value(key, "required"))
    }

    fn units(value: &Json, key: &str, scale: u8) -> Result<u64, Refusal> {
        let text = value.as_str().filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
        atoms(text.ok_or_else(|| bad_value(key, "format"))?, scale).map_err(|rule| bad_value(key, rule))
    }

    pub(super) fn decimal(&mut self, key: &'static str, scale: u8) -> Result<u64, Refusal> {
        FieldValues::units(self.value(key)?, key, scale)
    }

    pub(super) fn coin(&mut self, facts: &Catalog, key: &'static str, asset: AssetId) -> Result<Amount, Refusal> {
        self.decimal(key, facts.asset(asset).map(|asset| asset.scale).or_refuse(Code::NotFound)?)
    }

    pub(super) fn rate(&mut self, key: &'static str) -> Result<Rate, Refusal> {
        self.decimal(key, PERCENT_SCALE).map(Rate)
    }

    pub(super) fn band(&mut self, key: &'static str) -> Result<(Rate, Rate), Refusal> {
        match self.value(key)?.as_array().map(Vec::as_slice) {
            Some([low, high]) => {
                Ok((Rate(FieldValues::units(low, key, PERCENT_SCALE)?), Rate(FieldValues::units(high, key, PERCENT_SCALE)?)))
            }
            _ => Err(bad_value(key, "format")),
        }
    }

    pub(super) fn count(&mut self, key: &'static str) -> Result<u32, Refusal> {
        let number = self.value(key)?.as_u64().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| bad_value(key, "format"))
    }

    pub(super) fn flag(&mut self, key: &'static str) -> Result<bool, Refusal> {
        match self.value(key)?.as_u64() {
            Some(0) => Ok(false),
            Some(1) => Ok(true),
            _ => Err(bad_value(key, "enum")),
        }
    }

    pub(super) fn end(self) -> Result<(), Refusal> {
        self.all.keys().find(|key| !self.asked.contains(&key.as_str())).map_or(Ok(()), |key| Err(bad_value(key, "unknown")))
    }
}

/// The change described by these values. The engine decides whether they are allowed.
pub(super) fn read(
    facts: &Catalog,
    kind: CatalogKind,
    id: Option<MarketId>,
    bank: bool,
    mut given: FieldValues<'_>,
) -> Result<CatalogChange, Refusal> {
    let market = || id.and_then(|id| facts.market(id)).or_refuse(Code::NotFound);
    let change = match kind {
        CatalogKind::Fee => CatalogChange::Fee { market: market()?.id, maker: given.rate("maker_fee")?, taker: given.rate("taker_fee")? },
        CatalogKind::Market => {
            let of = market()?;
            CatalogChange::MarketFilters {
                market: of.id,
                quantity: (given.coin(facts, "min_qty", of.base)?, given.coin(facts, "max_qty", of.base)?),
                notional: (given.coin(facts, "min_notional", of.quote)?, given.coin(facts, "max_notional", of.quote)?),
                band_buy: given.band("band_buy")?,
                band_sell: given.band("band_sell")?,
            }
        }
        CatalogKind::Network if bank => {
            let asset = facts.funding.bank.asset;
            CatalogChange::Bank(BankTerms {
                asset,
                deposit_min_cents: given.decimal("deposit_min", 2)?,
                deposit_max_cents: given.decimal("deposit_max", 2)?,
                deposit_rate: Price(given.decimal("deposit_rate", PRICE_SCALE)?),
                withdraw_min: given.coin(facts, "withdraw_min", asset)?,
                withdraw_fee_min: given.coin(facts, "withdraw_fee_min", asset)?,
                withdraw_fee: given.rate("withdraw_fee")?,
                payout_rate: Price(given.decimal("payout_rate", PRICE_SCALE)?),
                deposit_on: given.flag("deposit_on")?,
                withdraw_on: given.flag("withdraw_on")?,
            })
        }
        CatalogKind::Network => {
            let asset = AssetId(given.count("currency_id")?);
            let named = given.value("chain")?.as_str();
            let chain = Chain::ALL.into_iter().find(|chain| Some(chain.name()) == named).ok_or_else(|| bad_value("chain", "enum"))?;
            CatalogChange::Network(Network {
                asset,
                chain,
                deposit_min: given.coin(facts, "deposit_min", asset)?,
                confirmations: given.count("confirmations")?,
                withdraw_min: given.coin(facts, "withdraw_min", asset)?,
                withdraw_fee: given.coin(facts, "withdraw_fee", asset)?,
                deposit_on: given.flag("deposit_on")?,
                withdraw_on: given.flag("withdraw_on")?,
            })
        }
        CatalogKind::Limit => {
            let usdt = facts.funding.bank.asset;
            let hand = given.value("hand_entry_max")?.as_object().ok_or_else(|| bad_value("hand_entry_max", "format"))?;
            let most = |(name, value): (&String, &Json)| {
                let asset = facts.assets.iter().find(|asset| asset.code == *name).ok_or_else(|| bad_value("hand_entry_max", "enum"))?;
                Ok((asset.id, FieldValues::units(value, "hand_entry_max", asset.scale)?))
            };
            CatalogChange::Limits(Limits {
                withdrawals_per_day: given.count("withdraw_per_day")?,
                withdraw_day_basic: given.coin(facts, "withdraw_day_basic", usdt)?,
                withdraw_day_advanced: given.coin(facts, "withdraw_day_advanced", usdt)?,
                deposit_unattended_below: given.coin(facts, "deposit_unattended_below", usdt)?,
                hand_entry_max: hand.iter().map(most).collect::<Result<_, Refusal>>()?,
                open_claims: given.count("open_claims")?,
                addresses: given.count("addresses")?,
                cards: given.count("cards")?,
            })
        }
        CatalogKind::IndexSource => CatalogChange::IndexSources { sources: given.sources()?, market: market()?.id },
        CatalogKind::OptionDuration => terms::option::read(facts, &mut given)?,
        CatalogKind::Contract => terms::contract::read(facts, market()?, &mut given)?,
        CatalogKind::LoanProduct => terms::loan::read(facts, &mut given)?,
        CatalogKind::Conversion => terms::conversion::read(facts, &mut given)?,
        CatalogKind::Plan => terms::plan::read(facts, &mut given)?,
        // These are read where their listing or their text is.
        CatalogKind::Coin | CatalogKind::Offering | CatalogKind::Country | CatalogKind::WhitePaper => return Err(refuse(Code::NotFound)),
    };
    given.end()?;
    Ok(change)
}

/// A value that is not allowed, and the rule that it breaks.
pub(super) type Problem = (&'static str, &'static str);

/// The first of these that applies.
pub(super) fn first_of(problems: &[(bool, &'static str, &'static str)]) -> Option<Problem> {
    problems.iter().find(|(is_so, ..)| *is_so).map(|(_, field, rule)| (*field, *rule))
}

/// Which value the engine does not allow, and why.
pub(super) fn not_allowed(facts: &Catalog, change: &CatalogChange) -> Problem {
    match change {
        CatalogChange::Fee { maker, taker, .. } => fee_problem(*maker, *taker).unwrap_or(("taker_fee", "range")),
        CatalogChange::MarketFilters { market, .. } => {
            let step = facts.market(*market).map_or(1, |market| market.step);
            filter_problem(step, change).unwrap_or(("band_sell", "range"))
        }
        CatalogChange::Network(network) => match () {
            () if facts.asset(network.asset).is_none() => ("currency_id", "enum"),
            () if network.confirmations == 0 => ("confirmations", "range"),
            () if network.deposit_min == 0 || network.deposit_min >= MAX_AMOUNT => ("deposit_min", "range"),
            () if network.withdraw_fee >= network.withdraw_min => ("withdraw_fee", "range"),
            () => ("withdraw_min", "range"),
        },
        CatalogChange::Bank(bank) => match () {
            () if bank.deposit_min_cents > bank.deposit_max_cents => ("deposit_min", "range"),
            () if !bank.deposit_rate.in_bounds() => ("deposit_rate", "range"),
            () if !bank.payout_rate.in_bounds() => ("payout_rate", "range"),
            () if bank.withdraw_fee.0 >= RATE_ONE => ("withdraw_fee", "range"),
            () if bank.withdraw_fee_min >= bank.withdraw_min => ("withdraw_fee_min", "range"),
            () => ("withdraw_min", "range"),
        },
        CatalogChange::Limits(limits) if limits.withdraw_day_basic > limits.withdraw_day_advanced => ("withdraw_day_basic", "range"),
        CatalogChange::Limits(_) => ("withdraw_day_advanced", "range"),
        CatalogChange::IndexSources { sources, .. } => source_problem(sources).unwrap_or(("sources", "enum")),
        CatalogChange::Text { .. } => ("values", "format"),
        CatalogChange::ListCoin(asset) => listing::coin_problem(facts, asset),
        CatalogChange::ListMarket { market, reference } => listing::pair_problem(facts, market, reference),
        CatalogChange::OptionDuration(duration) => terms::option::duration_problem(duration),
        CatalogChange::OptionShared(shared) => terms::option::shared_problem(shared),
        CatalogChange::ContractTerms(terms) => terms::contract::problem(facts, terms),
        CatalogChange::LoanProduct(product) => terms::loan::product_problem(facts, product),
        CatalogChange::LoanShared(shared) => terms::loan::shared_problem(facts, shared),
        CatalogChange::ConversionTerms(terms) => terms::conversion::problem(terms),
        CatalogChange::Offering(terms) => terms::offering::problem(facts, terms),
        CatalogChange::Plan(plan) => terms::plan::problem(plan),
    }
}

pub(super) fn fee_problem(maker: Rate, taker: Rate) -> Option<Problem> {
    first_of(&[(maker.0 > RATE_ONE, "maker_fee", "range"), (taker.0 > RATE_ONE, "taker_fee", "range")])
}

/// What is wrong with the filters of a pair with this step.
pub(super) fn filter_problem(step: Amount, filters: &CatalogChange) -> Option<Problem> {
    let CatalogChange::MarketFilters { quantity: (least, most), notional, band_buy, band_sell, .. } = filters else { return None };
    let off_step = |quantity: Amount| quantity.checked_rem(step) != Some(0);
    let bad_band = |(low, high): &(Rate, Rate)| low > high || high.0 > MAX_RATE;
    first_of(&[
        (off_step(*least), "min_qty", "step"),
        (off_step(*most), "max_qty", "step"),
        (*least == 0 || least > most, "min_qty", "range"),
        (*most >= MAX_AMOUNT, "max_qty", "range"),
        (notional.0 == 0 || notional.0 > notional.1, "min_notional", "range"),
        (notional.1 >= MAX_AMOUNT, "max_notional", "range"),
        (bad_band(band_buy), "band_buy", "range"),
        (bad_band(band_sell), "band_sell", "range"),
    ])
}

/// Fewer than a quorum, or one of them twice.
pub(super) fn source_problem(sources: &[String]) -> Option<Problem> {
    let repeated = sources.iter().collect::<BTreeSet<_>>().len() < sources.len();
    first_of(&[(sources.len() < QUORUM, "sources", "length"), (repeated, "sources", "repeated")])
}
