//! Terms of options in the catalog: one row per duration, and one shared by all durations.

use engine::Engine;
use engine::amount::{MAX_AMOUNT, MAX_RATE, RATE_ONE};
use engine::catalog::Catalog;
use engine::ids::AssetId;
use engine::listing::change::CatalogChange;
use engine::options::option::TieRule;
use engine::options::terms::{DurationTerms, LONGEST_SECONDS, SharedTerms, StakeCoin, StakeMax};
use serde_json::{Map, Value as Json, json};

use crate::http::reply::Refusal;
use crate::http::units::{amount, percent, tie_rule};
use crate::operator::catalog::bad_value;
use crate::operator::catalog_values::{FieldValues, Problem, first_of};

/// Number of the row shared by all durations; a duration has the number of its seconds.
pub(in crate::operator) const SHARED: u64 = 0;

/// All terms in force, each as the change that would set it.
pub(in crate::operator) fn present(engine: &Engine) -> Vec<CatalogChange> {
    let Some(terms) = engine.option_terms() else { return Vec::new() };
    let lengths = terms.durations.iter().cloned().map(CatalogChange::OptionDuration);
    [CatalogChange::OptionShared(terms.shared.clone())].into_iter().chain(lengths).collect()
}

pub(in crate::operator) fn duration_values(facts: &Catalog, duration: &DurationTerms) -> Json {
    let max = |max: &StakeMax| {
        let of = |atoms| amount(facts, max.asset, atoms);
        json!({"currency_id": max.asset.0, "max": of(max.directed), "even_max": of(max.flat)})
    };
    json!({
        "seconds": duration.seconds, "profit_ratio": percent(duration.profit), "even_profit_ratio": percent(duration.profit_flat),
        "tolerance": percent(duration.tolerance), "tie_rule": tie_rule(duration.tie), "status": u8::from(duration.on),
        "limits": duration.max.iter().map(max).collect::<Vec<_>>(),
    })
}

pub(in crate::operator) fn shared_values(facts: &Catalog, shared: &SharedTerms) -> Json {
    let coin = |coin: &StakeCoin| {
        let of = |atoms| amount(facts, coin.asset, atoms);
        json!({"currency_id": coin.asset.0, "min": of(coin.min), "open_max": of(coin.open_max)})
    };
    json!({
        "fee": percent(shared.fee), "open_options": shared.open_options,
        "coins": shared.coins.iter().map(coin).collect::<Vec<_>>(),
    })
}

/// The change described by these values: those of a duration have its seconds.
pub(in crate::operator) fn read(facts: &Catalog, given: &mut FieldValues) -> Result<CatalogChange, Refusal> {
    if !given.has("seconds") {
        let coin = |row: &mut FieldValues| {
            let asset = AssetId(row.count("currency_id")?);
            Ok(StakeCoin { asset, min: row.coin(facts, "min", asset)?, open_max: row.coin(facts, "open_max", asset)? })
        };
        return Ok(CatalogChange::OptionShared(SharedTerms {
            fee: given.rate("fee")?,
            open_options: given.count("open_options")?,
            coins: rows(given, "coins", coin)?,
        }));
    }
    let max = |row: &mut FieldValues| {
        let asset = AssetId(row.count("currency_id")?);
        Ok(StakeMax { asset, directed: row.coin(facts, "max", asset)?, flat: row.coin(facts, "even_max", asset)? })
    };
    Ok(CatalogChange::OptionDuration(DurationTerms {
        seconds: given.count("seconds")?,
        profit: given.rate("profit_ratio")?,
        profit_flat: given.rate("even_profit_ratio")?,
        tolerance: given.rate("tolerance")?,
        tie: match given.text("tie_rule")? {
            "refund" => TieRule::Refund,
            "lose" => TieRule::Lose,
            _ => return Err(bad_value("tie_rule", "enum")),
        },
        on: given.flag("status")?,
        max: rows(given, "limits", max)?,
    }))
}

/// A list of objects, each read to its end.
pub(super) fn rows<T>(
    given: &mut FieldValues,
    key: &'static str,
    mut row: impl FnMut(&mut FieldValues) -> Result<T, Refusal>,
) -> Result<Vec<T>, Refusal> {
    let prices = given.prices;
    let all = given.value(key)?.as_array().ok_or_else(|| bad_value(key, "format"))?;
    let one = |value: &Json| {
        let fields: &Map<String, Json> = value.as_object().ok_or_else(|| bad_value(key, "format"))?;
        let mut of = FieldValues::new(fields, prices);
        let read = row(&mut of)?;
        of.end()?;
        Ok(read)
    };
    all.iter().map(one).collect()
}

pub(in crate::operator) fn duration_problem(duration: &DurationTerms) -> Problem {
    let problem = first_of(&[
        (!(1..=LONGEST_SECONDS).contains(&duration.seconds), "seconds", "range"),
        (duration.profit.0 > MAX_RATE, "profit_ratio", "range"),
        (duration.profit_flat.0 > MAX_RATE, "even_profit_ratio", "range"),
        (duration.tolerance.0 >= RATE_ONE, "tolerance", "range"),
        (duration.max.iter().any(|max| max.directed.max(max.flat) >= MAX_AMOUNT), "limits", "range"),
    ]);
    problem.unwrap_or(("limits", "enum"))
}

pub(in crate::operator) fn shared_problem(shared: &SharedTerms) -> Problem {
    let bad = |coin: &StakeCoin| coin.min == 0 || coin.min > coin.open_max || coin.open_max >= MAX_AMOUNT;
    let problem = first_of(&[(shared.fee.0 > RATE_ONE, "fee", "range"), (shared.coins.iter().any(bad), "coins", "range")]);
    problem.unwrap_or(("coins", "enum"))
}
