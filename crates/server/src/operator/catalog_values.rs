//! Values of the catalog on the wire, both ways.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use engine::amount::{Amount, MAX_AMOUNT, MAX_RATE, PRICE_SCALE, Price, RATE_ONE, Rate, format_decimal};
use engine::catalog::change::{CatalogChange, FirstReference, TextKind};
use engine::catalog::funding::{BankTerms, Chain, Limits, Network};
use engine::catalog::{Catalog, IndexOrigin, Market};
use engine::ids::{AssetId, MarketId};
use engine::index::QUORUM;
use serde_json::{Map, Value as Json, json};

use super::catalog::bad_value;
use super::proposals::plain;
use crate::http::countries::COUNTRIES;
use crate::http::figures::{amount, code, percent, wallet_word};
use crate::http::form::atoms;
use crate::http::reply::{OrRefuse, Refusal, refuse};

/// Decimals of a percentage in the unit of rates.
const PERCENT_SCALE: u8 = PRICE_SCALE - 2;

/// What an object is called.
pub(super) fn name(facts: &Catalog, change: &CatalogChange) -> String {
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
        CatalogChange::ListCoin(asset) => asset.code.clone(),
        CatalogChange::ListMarket { market, .. } => market.symbol.clone(),
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
        CatalogChange::ListCoin(asset) => json!({
            "code": asset.code, "scale": asset.scale, "accounts": asset.wallets.iter().map(|wallet| wallet_word(*wallet)).collect::<Vec<_>>(),
            "faucet_max": format_decimal(asset.faucet_max, asset.scale, asset.scale),
        }),
        CatalogChange::ListMarket { market, reference } => listing(facts, market, reference),
    }
}

/// A new pair with its filters and fees, and its first reference price.
fn listing(facts: &Catalog, market: &Market, reference: &FirstReference) -> Json {
    let units = |price: Price| format_decimal(price.0, PRICE_SCALE, PRICE_SCALE);
    let first = match reference {
        FirstReference::Index { tick, sources } => json!({"index_tick": units(*tick), "sources": sources}),
        FirstReference::IssuePrice(price) => json!({"issue_price": units(*price)}),
    };
    let base = facts.asset(market.base).map_or(0, |asset| asset.scale);
    let own = json!({
        "symbol": market.symbol, "base": code(facts, market.base), "quote": code(facts, market.quote),
        "tick": units(market.tick), "step": format_decimal(market.step, base, base),
    });
    let fees = CatalogChange::Fee { market: market.id, maker: market.maker_fee, taker: market.taker_fee };
    let listed = Catalog { markets: vec![market.clone()], ..facts.clone() };
    let parts = [own, written(&listed, &filters(market)), written(&listed, &fees), first];
    Json::Object(parts.into_iter().filter_map(|part| if let Json::Object(values) = part { Some(values) } else { None }).flatten().collect())
}

/// Given values; each is asked for once, and none may be left over.
struct Given<'a> {
    all: &'a Map<String, Json>,
    asked: Vec<&'static str>,
}

impl<'a> Given<'a> {
    fn value(&mut self, key: &'static str) -> Result<&'a Json, Refusal> {
        self.asked.push(key);
        self.all.get(key).filter(|value| !value.is_null()).ok_or_else(|| bad_value(key, "required"))
    }

    fn units(value: &Json, key: &str, scale: u8) -> Result<u64, Refusal> {
        let text = value.as_str().filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
        atoms(text.ok_or_else(|| bad_value(key, "format"))?, scale).map_err(|rule| bad_value(key, rule))
    }

    fn decimal(&mut self, key: &'static str, scale: u8) -> Result<u64, Refusal> {
        Given::units(self.value(key)?, key, scale)
    }

    fn coin(&mut self, facts: &Catalog, key: &'static str, asset: AssetId) -> Result<Amount, Refusal> {
        self.decimal(key, facts.asset(asset).map(|asset| asset.scale).or_refuse("E_NOT_FOUND")?)
    }

    fn rate(&mut self, key: &'static str) -> Result<Rate, Refusal> {
        self.decimal(key, PERCENT_SCALE).map(Rate)
    }

    fn band(&mut self, key: &'static str) -> Result<(Rate, Rate), Refusal> {
        match self.value(key)?.as_array().map(Vec::as_slice) {
            Some([low, high]) => Ok((Rate(Given::units(low, key, PERCENT_SCALE)?), Rate(Given::units(high, key, PERCENT_SCALE)?))),
            _ => Err(bad_value(key, "format")),
        }
    }

    fn count(&mut self, key: &'static str) -> Result<u32, Refusal> {
        let number = self.value(key)?.as_u64().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| bad_value(key, "format"))
    }

    fn flag(&mut self, key: &'static str) -> Result<bool, Refusal> {
        match self.value(key)?.as_u64() {
            Some(0) => Ok(false),
            Some(1) => Ok(true),
            _ => Err(bad_value(key, "enum")),
        }
    }

    fn end(self) -> Result<(), Refusal> {
        self.all.keys().find(|key| !self.asked.contains(&key.as_str())).map_or(Ok(()), |key| Err(bad_value(key, "unknown")))
    }
}

/// The change that these values are. Whether they are allowed is for the engine to say.
pub(super) fn read(
    facts: &Catalog,
    kind: &str,
    id: Option<MarketId>,
    bank: bool,
    all: &Map<String, Json>,
) -> Result<CatalogChange, Refusal> {
    let mut given = Given { all, asked: Vec::new() };
    let market = || id.and_then(|id| facts.market(id)).or_refuse("E_NOT_FOUND");
    let change = match kind {
        "fee" => CatalogChange::Fee { market: market()?.id, maker: given.rate("maker_fee")?, taker: given.rate("taker_fee")? },
        "market" => {
            let of = market()?;
            CatalogChange::MarketFilters {
                market: of.id,
                quantity: (given.coin(facts, "min_qty", of.base)?, given.coin(facts, "max_qty", of.base)?),
                notional: (given.coin(facts, "min_notional", of.quote)?, given.coin(facts, "max_notional", of.quote)?),
                band_buy: given.band("band_buy")?,
                band_sell: given.band("band_sell")?,
            }
        }
        "network" if bank => {
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
        "network" => {
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
        "limit" => {
            let usdt = facts.funding.bank.asset;
            let hand = given.value("hand_entry_max")?.as_object().ok_or_else(|| bad_value("hand_entry_max", "format"))?;
            let most = |(name, value): (&String, &Json)| {
                let asset = facts.assets.iter().find(|asset| asset.code == *name).ok_or_else(|| bad_value("hand_entry_max", "enum"))?;
                Ok((asset.id, Given::units(value, "hand_entry_max", asset.scale)?))
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
        "index_source" => {
            let sources = given.value("sources")?.as_array().ok_or_else(|| bad_value("sources", "format"))?;
            let names: Option<Vec<String>> = sources.iter().map(|source| source.as_str().map(str::to_owned)).collect();
            let sources = names.ok_or_else(|| bad_value("sources", "format"))?;
            if sources.iter().any(|name| !known_source(name)) {
                return Err(bad_value("sources", "enum"));
            }
            CatalogChange::IndexSources { market: market()?.id, sources }
        }
        _ => return Err(refuse("E_NOT_FOUND")),
    };
    given.end()?;
    Ok(change)
}

/// A source that this release can read; an index of others would have no price.
fn known_source(name: &str) -> bool {
    static KNOWN: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let indices = Catalog::standard().indices;
        let names = indices.into_iter().filter_map(|index| if let IndexOrigin::Sources(names) = index.origin { Some(names) } else { None });
        names.flatten().collect()
    });
    KNOWN.contains(name)
}

/// Which value the engine does not allow, and why.
pub(super) fn not_allowed(facts: &Catalog, change: &CatalogChange) -> (&'static str, &'static str) {
    match change {
        CatalogChange::Fee { maker, .. } => (if maker.0 > RATE_ONE { "maker_fee" } else { "taker_fee" }, "range"),
        CatalogChange::MarketFilters { market, quantity: (least, most), notional, band_buy, .. } => {
            let step = facts.market(*market).map_or(1, |market| market.step.max(1));
            let bad_band = |(low, high): &(Rate, Rate)| low > high || high.0 > MAX_RATE;
            match () {
                () if least % step != 0 => ("min_qty", "step"),
                () if most % step != 0 => ("max_qty", "step"),
                () if *least == 0 || least > most => ("min_qty", "range"),
                () if *most >= MAX_AMOUNT => ("max_qty", "range"),
                () if notional.0 == 0 || notional.0 > notional.1 => ("min_notional", "range"),
                () if notional.1 >= MAX_AMOUNT => ("max_notional", "range"),
                () if bad_band(band_buy) => ("band_buy", "range"),
                () => ("band_sell", "range"),
            }
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
        CatalogChange::IndexSources { sources, .. } if sources.len() < QUORUM => ("sources", "length"),
        CatalogChange::IndexSources { .. } => ("sources", "enum"),
        CatalogChange::Text { .. } | CatalogChange::ListCoin(_) | CatalogChange::ListMarket { .. } => ("values", "format"),
    }
}
