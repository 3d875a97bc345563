//! Guards and warnings of a case, evaluated now. A guard blocks an approval; a warning informs the approver.

use engine::Engine;
use engine::catalog::Wallet;
use engine::funding::destinations::usable_at;
use engine::funding::withdrawals::{Destination, Withdrawal};
use engine::identity::{Identity, KycLevel};
use engine::ids::{CardId, UserId};
use engine::loans::formulas::{Debt, covers};
use engine::loans::loan::Loan;
use engine::time::{DAY_MS, Time};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::types;

/// A guard, evaluated now.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemCheck {
    pub(super) name: &'static str,
    #[schema(value_type = types::Flag)]
    pub(super) ok: u8,
    /// 0 while the result is not known. `ok` is then 0 and has no meaning.
    #[schema(value_type = types::Flag)]
    pub(super) known: u8,
    pub(super) detail: String,
}

/// A destination or a secret younger than this is worth a look.
pub(super) const YOUNG_MS: u64 = 7 * DAY_MS;
/// A withdrawal of this percentage of a coin at once deserves a look.
const MOST: u128 = 90;

pub(super) fn check(name: &'static str, ok: bool, detail: impl Into<String>) -> ItemCheck {
    ItemCheck { name, ok: ok.into(), known: 1, detail: detail.into() }
}

/// A check of something that is not there yet.
pub(super) fn not_known(name: &'static str) -> ItemCheck {
    ItemCheck { name, ok: 0, known: 0, detail: String::new() }
}

/// Names of those that need a person.
pub(super) fn failed(checks: &[ItemCheck]) -> Vec<&'static str> {
    checks.iter().filter(|check| check.known == 1 && check.ok == 0).map(|check| check.name).collect()
}

pub(super) fn not_frozen(engine: &Engine, user: UserId) -> ItemCheck {
    let free = super::users::status(engine, user) == 0;
    check("not_frozen", free, if free { "" } else { "the account is frozen" })
}

/// Guards and warnings about a withdrawal from a member's state.
pub(super) fn of_member(engine: &Engine, user: UserId) -> Vec<ItemCheck> {
    let hold = engine.security(user).unwrap_or_default().hold_until(engine.time());
    let level = engine.kyc_level(user);
    vec![
        not_frozen(engine, user),
        check(
            "verified",
            level.is_some(),
            level.map_or("not verified", |level| if level == KycLevel::Basic { "basic" } else { "advanced" }),
        ),
        check("no_security_hold", hold.is_none(), hold.map_or_else(String::new, |until| format!("until {}", until.0))),
    ]
}

/// The engine's data on an application for a loan: its borrower, and its collateral at the present price.
pub(super) fn loan(engine: &Engine, of: &Loan) -> Vec<ItemCheck> {
    let price = engine.fresh_price(of.terms.market);
    let covered = price.is_some_and(|price| covers(of.value(price), Debt(of.amount), of.terms.start));
    let mut checks = of_member(engine, of.user);
    checks.push(check("price_fresh", price.is_some(), ""));
    checks.push(check("collateral_enough", covered, ""));
    checks
}

/// The engine's data on a withdrawal: its destination, its owner, and the share of their coin that leaves.
pub(super) fn withdrawal(engine: &Engine, of: &Withdrawal) -> Vec<ItemCheck> {
    let stored = match of.destination {
        Destination::Address { address, .. } => engine.address(of.user, address).map(|address| address.created),
        Destination::Card(CardId(card)) => engine.card(of.user, CardId(card)).map(|card| card.created),
    };
    let old = |since: Option<Time>| since.is_none_or(|since| since.plus(YOUNG_MS) <= of.submitted);
    let since = |at: Option<Time>| at.map_or_else(String::new, |at| format!("since {}", at.0));
    let changed = engine.security(of.user).unwrap_or_default().changed;
    let balance = engine.balance(of.user, Wallet::Spot, of.asset).unwrap_or_default();
    let whole = u128::from(balance.available) + u128::from(balance.held);
    let percent = (u128::from(of.amount) * 100).checked_div(whole).unwrap_or(100).min(100);
    // Something leaves, so a share rounded down never reads as nothing.
    let share = if percent == 0 { "under 1".to_owned() } else { percent.to_string() };
    let mut checks = vec![
        check(
            "destination_old_enough",
            stored.is_some_and(|created| usable_at(created) <= of.submitted),
            stored.map_or("it was removed", |_| ""),
        ),
        check("destination_older_than_a_week", old(stored), since(stored)),
        check("no_security_change_in_a_week", old(changed), since(changed)),
        check("leaves_under_90_percent", percent < MOST, format!("{share} % of the coin in Spot")),
    ];
    checks.extend(of_member(engine, of.user));
    checks
}

/// The engine's data on a submission.
pub(super) fn identity(engine: &Engine, of: &Identity) -> Vec<ItemCheck> {
    vec![check("newest_submission", engine.submission(of.submission).is_some(), ""), not_frozen(engine, of.user)]
}
