//! Plans in the catalog: one row each.

use engine::amount::{MAX_AMOUNT, RATE_ONE};
use engine::catalog::{Catalog, Wallet};
use engine::ids::{AssetId, PlanId};
use engine::listing::change::CatalogChange;
use engine::plans::order::Terms;
use engine::plans::terms::{LONGEST_CYCLE, Plan};
use serde_json::{Value as Json, json};

use crate::http::reply::Refusal;
use crate::http::units::{amount, code, percent};
use crate::operator::catalog::bad_value;
use crate::operator::catalog_values::{FieldValues, Problem, first_of};

/// The newest service agreement that this release has texts of.
const NEWEST_AGREEMENT: u32 = 1;

/// The name of a plan.
pub(in crate::operator) fn name(facts: &Catalog, plan: &Plan) -> String {
    format!("{} {} d", code(facts, plan.asset), plan.terms.cycle)
}

pub(in crate::operator) fn values(facts: &Catalog, plan: &Plan) -> Json {
    let Plan { id, asset, terms, min, max, on } = *plan;
    json!({
        "id": id.0, "currency_id": asset.0, "day": terms.cycle, "day_percent": percent(terms.day_yield),
        "damage_rate": percent(terms.damage), "save_min": amount(facts, asset, min), "save_max": amount(facts, asset, max),
        "agreement_version": terms.agreement, "on": u8::from(on),
    })
}

/// The change that these values are.
pub(in crate::operator) fn read(facts: &Catalog, given: &mut FieldValues) -> Result<CatalogChange, Refusal> {
    let asset = AssetId(given.count("currency_id")?);
    if !admits(facts, asset) {
        return Err(bad_value("currency_id", "enum"));
    }
    let agreement = given.count("agreement_version")?;
    if !(1..=NEWEST_AGREEMENT).contains(&agreement) {
        return Err(bad_value("agreement_version", "enum"));
    }
    let terms = Terms { cycle: given.count("day")?, day_yield: given.rate("day_percent")?, damage: given.rate("damage_rate")?, agreement };
    Ok(CatalogChange::Plan(Plan {
        id: PlanId(given.count("id")?),
        asset,
        terms,
        min: given.coin(facts, "save_min", asset)?,
        max: given.coin(facts, "save_max", asset)?,
        on: given.flag("on")?,
    }))
}

fn admits(facts: &Catalog, asset: AssetId) -> bool {
    facts.asset(asset).is_some_and(|facts| facts.wallets.contains(&Wallet::Earn))
}

/// Which value the engine does not allow, and why.
pub(in crate::operator) fn problem(plan: &Plan) -> Problem {
    let Terms { cycle, day_yield, damage, .. } = plan.terms;
    let half = u128::from(RATE_ONE);
    let (damages, yields) = (u128::from(damage.0) * 2 * u128::from(cycle), u128::from(day_yield.0) * 3);
    let problem = first_of(&[
        (plan.id.0 == 0, "id", "range"),
        (!(1..=LONGEST_CYCLE).contains(&cycle), "day", "range"),
        (day_yield.0 == 0 || yields > half, "day_percent", "range"),
        // A redemption on the first day may take at most half of the principal (5.1).
        (damages + yields > half, "damage_rate", "range"),
        (plan.min == 0 || plan.min > plan.max, "save_min", "range"),
        (plan.max >= MAX_AMOUNT, "save_max", "range"),
    ]);
    problem.unwrap_or(("currency_id", "enum"))
}
