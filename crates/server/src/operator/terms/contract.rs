//! Terms of contract markets in the catalog: one row per pair.

use engine::amount::PRICE_SCALE;
use engine::catalog::{Catalog, Market};
use engine::contracts::terms::{Terms, TermsFault, Tier};
use engine::listing::change::CatalogChange;
use engine::units::Scales;
use serde_json::{Value as Json, json};

use super::option::rows;
use crate::http::reply::{Code, OrRefuse, Refusal};
use crate::http::units::{amount, percent};
use crate::operator::catalog::bad_value;
use crate::operator::catalog_values::{FieldValues, Problem};

pub(in crate::operator) fn values(facts: &Catalog, terms: &Terms) -> Json {
    let Some(market) = facts.market(terms.market) else { return json!({}) };
    let tier = |tier: &Tier| json!({"bound": amount(facts, market.quote, tier.bound), "max_multiple": tier.max_multiple, "mmr": percent(tier.maintenance)});
    json!({
        "lot": amount(facts, market.base, terms.lot), "multiples": terms.multiples, "fee": percent(terms.fee), "spread": percent(terms.spread),
        "liq_fee": percent(terms.liquidation_fee), "overnight": percent(terms.overnight), "cap_roi": terms.cap_roi,
        "max_lots": terms.max_lots, "tiers": terms.tiers.iter().map(tier).collect::<Vec<_>>(),
    })
}

/// The change described by these values. The tick is that of the index.
pub(in crate::operator) fn read(facts: &Catalog, market: &Market, given: &mut FieldValues) -> Result<CatalogChange, Refusal> {
    let tier = |row: &mut FieldValues| {
        Ok(Tier { bound: row.coin(facts, "bound", market.quote)?, max_multiple: row.count("max_multiple")?, maintenance: row.rate("mmr")? })
    };
    let multiple = |value: &Json| value.as_u64().and_then(|value| u32::try_from(value).ok());
    let multiples = given.value("multiples")?.as_array().and_then(|all| all.iter().map(multiple).collect());
    Ok(CatalogChange::ContractTerms(Box::new(Terms {
        market: market.id,
        lot: given.coin(facts, "lot", market.base)?,
        tick: facts.index(market.id).or_refuse(Code::NotFound)?.tick,
        multiples: multiples.ok_or_else(|| bad_value("multiples", "format"))?,
        fee: given.rate("fee")?,
        spread: given.rate("spread")?,
        liquidation_fee: given.rate("liq_fee")?,
        overnight: given.rate("overnight")?,
        cap_roi: given.count("cap_roi")?,
        max_lots: u64::from(given.count("max_lots")?),
        tiers: rows(given, "tiers", tier)?,
    })))
}

/// Which value the engine does not allow, and why.
pub(in crate::operator) fn problem(facts: &Catalog, terms: &Terms) -> Problem {
    let scale = |asset| facts.asset(asset).map_or(PRICE_SCALE, |asset| asset.scale);
    let scales = facts.market(terms.market).map(|market| Scales { base: scale(market.base), quote: scale(market.quote) });
    match scales.and_then(|scales| terms.fault(scales)) {
        Some(TermsFault::Lot) => ("lot", "range"),
        Some(TermsFault::MaxLots) => ("max_lots", "range"),
        Some(TermsFault::Multiples) => ("multiples", "range"),
        Some(TermsFault::Rates) => ("fee", "range"),
        Some(TermsFault::Tiers) => ("tiers", "range"),
        None => ("market", "enum"),
    }
}
