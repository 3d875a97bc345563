//! Terms of conversions in the catalog: one row.

use engine::amount::RATE_ONE;
use engine::catalog::Catalog;
use engine::convert::terms::{ConversionTerms, LONGEST_LIFE_MS};
use engine::listing::change::CatalogChange;
use serde_json::{Value as Json, json};

use crate::http::reply::Refusal;
use crate::http::units::{amount, percent};
use crate::operator::catalog_values::{FieldValues, Problem, first_of};

/// Number of the row.
pub(in crate::operator) const NUMBER: u64 = 1;

pub(in crate::operator) fn values(facts: &Catalog, terms: &ConversionTerms) -> Json {
    let usdt = |atoms| amount(facts, facts.funding.bank.asset, atoms);
    json!({
        "spread": percent(terms.spread), "fee": percent(terms.fee), "min": usdt(terms.min), "max": usdt(terms.max),
        "day_max": usdt(terms.day), "ttl_ms": terms.life_ms,
    })
}

/// The change that these values are.
pub(in crate::operator) fn read(facts: &Catalog, given: &mut FieldValues) -> Result<CatalogChange, Refusal> {
    let usdt = facts.funding.bank.asset;
    Ok(CatalogChange::ConversionTerms(ConversionTerms {
        spread: given.rate("spread")?,
        fee: given.rate("fee")?,
        min: given.coin(facts, "min", usdt)?,
        max: given.coin(facts, "max", usdt)?,
        day: given.coin(facts, "day_max", usdt)?,
        life_ms: u64::from(given.count("ttl_ms")?),
    }))
}

/// Which value the engine does not allow, and why.
pub(in crate::operator) fn problem(terms: &ConversionTerms) -> Problem {
    let ConversionTerms { spread, fee, min, max, life_ms, .. } = *terms;
    let problem = first_of(&[
        (spread.0 >= RATE_ONE, "spread", "range"),
        (fee.0 >= RATE_ONE, "fee", "range"),
        (!(1..=LONGEST_LIFE_MS).contains(&life_ms), "ttl_ms", "range"),
        (min == 0, "min", "range"),
        (min > max, "max", "range"),
    ]);
    problem.unwrap_or(("day_max", "range"))
}
