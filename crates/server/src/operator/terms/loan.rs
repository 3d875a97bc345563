//! Terms of loans in the catalog: one row per product, and one shared by all products.

use engine::Engine;
use engine::amount::{MAX_AMOUNT, RATE_ONE};
use engine::catalog::{Catalog, Wallet};
use engine::ids::{AssetId, LoanProductId};
use engine::listing::change::CatalogChange;
use engine::loans::terms::{LoanProduct, SharedTerms};
use serde_json::{Value as Json, json};

use super::option::rows;
use crate::http::reply::Refusal;
use crate::http::units::{amount, percent};
use crate::operator::catalog_values::{FieldValues, Problem, first_of};

/// Number of the row shared by all products; a product has its own number.
pub(in crate::operator) const SHARED: u64 = 0;

/// All terms in force, each as the change that would set it.
pub(in crate::operator) fn present(engine: &Engine) -> Vec<CatalogChange> {
    let Some(terms) = engine.loan_terms() else { return Vec::new() };
    let products = terms.products.iter().map(|product| CatalogChange::LoanProduct(*product));
    [CatalogChange::LoanShared(terms.shared.clone())].into_iter().chain(products).collect()
}

pub(in crate::operator) fn product_values(facts: &Catalog, product: &LoanProduct) -> Json {
    let lent = |atoms| amount(facts, product.asset, atoms);
    json!({
        "id": product.id.0, "currency_id": product.asset.0, "day": product.days, "interest_rate": percent(product.rate),
        "min_amount": lent(product.min), "max_amount": lent(product.max), "on": u8::from(product.on),
    })
}

pub(in crate::operator) fn shared_values(facts: &Catalog, shared: &SharedTerms) -> Json {
    json!({
        "collateral": shared.collateral.iter().map(|asset| json!({"currency_id": asset.0})).collect::<Vec<_>>(),
        "start_ltv": percent(shared.start), "call_ltv": percent(shared.call), "liquidation_ltv": percent(shared.liquidation),
        "liquidation_fee": percent(shared.liquidation_fee), "overdue_multiplier": shared.overdue_multiple, "grace_days": shared.grace_days,
        "live_loans": shared.live_loans, "one_approves_up_to": amount(facts, facts.funding.bank.asset, shared.one_approves_up_to),
    })
}

/// The change described by these values: those of a product have its number.
pub(in crate::operator) fn read(facts: &Catalog, given: &mut FieldValues) -> Result<CatalogChange, Refusal> {
    if !given.has("id") {
        return Ok(CatalogChange::LoanShared(SharedTerms {
            collateral: rows(given, "collateral", |row| Ok(AssetId(row.count("currency_id")?)))?,
            start: given.rate("start_ltv")?,
            call: given.rate("call_ltv")?,
            liquidation: given.rate("liquidation_ltv")?,
            liquidation_fee: given.rate("liquidation_fee")?,
            overdue_multiple: given.count("overdue_multiplier")?,
            grace_days: given.count("grace_days")?,
            live_loans: given.count("live_loans")?,
            one_approves_up_to: given.coin(facts, "one_approves_up_to", facts.funding.bank.asset)?,
        }));
    }
    let asset = AssetId(given.count("currency_id")?);
    Ok(CatalogChange::LoanProduct(LoanProduct {
        id: LoanProductId(given.count("id")?),
        asset,
        days: given.count("day")?,
        rate: given.rate("interest_rate")?,
        min: given.coin(facts, "min_amount", asset)?,
        max: given.coin(facts, "max_amount", asset)?,
        on: given.flag("on")?,
    }))
}

fn is_lent(facts: &Catalog, asset: AssetId) -> bool {
    facts.asset(asset).is_some_and(|facts| facts.wallets.contains(&Wallet::Spot))
}

pub(in crate::operator) fn product_problem(facts: &Catalog, product: &LoanProduct) -> Problem {
    let problem = first_of(&[
        (product.id.0 == 0, "id", "range"),
        (!is_lent(facts, product.asset), "currency_id", "enum"),
        (product.days == 0, "day", "range"),
        (product.rate.0 >= RATE_ONE, "interest_rate", "range"),
        (product.min == 0 || product.min > product.max, "min_amount", "range"),
    ]);
    problem.unwrap_or(("max_amount", "range"))
}

pub(in crate::operator) fn shared_problem(facts: &Catalog, shared: &SharedTerms) -> Problem {
    let problem = first_of(&[
        (shared.collateral.iter().any(|asset| !is_lent(facts, *asset)), "collateral", "enum"),
        (shared.start.0 == 0 || shared.start >= shared.call, "start_ltv", "range"),
        (shared.call >= shared.liquidation, "call_ltv", "range"),
        (shared.liquidation.0 > RATE_ONE, "liquidation_ltv", "range"),
        (shared.liquidation_fee.0 >= RATE_ONE, "liquidation_fee", "range"),
        (shared.grace_days == 0, "grace_days", "range"),
        (shared.one_approves_up_to >= MAX_AMOUNT, "one_approves_up_to", "range"),
    ]);
    problem.unwrap_or(("overdue_multiplier", "range"))
}
