//! Plans and plan orders as the wire shows them (`docs/api.md` 5.7).

use engine::Engine;
use engine::amount::{PRICE_SCALE, Rate};
use engine::catalog::Catalog;
use engine::plans::order::PlanOrder;
use engine::plans::status::Status;
use engine::plans::terms::ListedPlan;
use engine::time::{DAY_MS, Time};
use serde::Serialize;
use store::secrets::hex;
use utoipa::ToSchema;

use crate::http::decimal::{Decimal, WireTime, trimmed};
use crate::http::types;
use crate::http::units::{amount_of, code, logo, percent};
use crate::i18n::{Lang, figure, filled};

/// A plan.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Plan)]
pub struct PlanView {
    id: u32,
    currency_id: u32,
    currency_name: String,
    currency_logo: String,
    title: String,
    day: u32,
    day_percent: String,
    day_rate: String,
    interest_rate: String,
    damage_rate: String,
    penalty_days: &'static str,
    #[schema(value_type = String)]
    save_min: Decimal,
    #[schema(value_type = String)]
    save_max: Decimal,
    faxing: u8,
    agreement_version: String,
    agreement: String,
    #[schema(value_type = types::Flag)]
    status: u8,
    /// Hash of the rule that would apply to a purchase now.
    rule: String,
    #[schema(value_type = String)]
    created_at: WireTime,
    created_at_ms: u64,
}

/// A plan order.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Hosting)]
pub struct HostingView {
    id: u64,
    config_id: u32,
    currency_id: u32,
    currency_name: String,
    logo: String,
    day: u32,
    #[schema(value_type = String)]
    amount: Decimal,
    day_rate: String,
    day_percent: String,
    interest_rate: String,
    #[schema(value_type = String)]
    total_interest: Decimal,
    #[schema(value_type = String)]
    current_interest: Decimal,
    #[schema(value_type = String)]
    start_at: WireTime,
    start_at_ms: u64,
    #[schema(value_type = String)]
    end_at: WireTime,
    end_at_ms: u64,
    remain_day: u32,
    #[schema(value_type = types::HostingStatus)]
    status: u8,
    #[schema(value_type = types::Flag)]
    is_cancel: u8,
    #[schema(value_type = String)]
    damages: Decimal,
    #[schema(value_type = String)]
    penalty: Decimal,
    #[schema(value_type = String)]
    cancel_fee: Decimal,
    #[schema(value_type = Option<String>)]
    returned: Option<Decimal>,
    seq: u64,
    #[schema(value_type = String)]
    created_at: WireTime,
    created_at_ms: u64,
    #[schema(value_type = String)]
    updated_at: WireTime,
    updated_at_ms: u64,
}

/// Decimals of a rate as a fraction.
const FRACTION_SCALE: u8 = PRICE_SCALE;

/// A rate accumulated over this many days, percent. A plan is listed only if it fits.
fn over(rate: Rate, days: u32) -> String {
    percent(Rate(rate.0.saturating_mul(u64::from(days))))
}

/// A plan in this language.
pub fn plan_view(catalog: &Catalog, lang: Lang, listed: &ListedPlan) -> PlanView {
    let ListedPlan { plan, since } = *listed;
    let terms = plan.terms;
    let (coin, days, day) = (code(catalog, plan.asset), terms.cycle.to_string(), percent(terms.day_yield));
    let damage = percent(terms.damage);
    let (day_shown, damage_shown) = (figure(lang, &day), figure(lang, &damage));
    let named = [("coin", coin), ("days", &days), ("yield", &day_shown), ("damage", &damage_shown)];
    PlanView {
        id: plan.id.0,
        currency_id: plan.asset.0,
        currency_name: coin.to_owned(),
        currency_logo: logo(catalog, plan.asset),
        title: filled(lang, if terms.cycle == 1 { "plan.title_one" } else { "plan.title" }, &named),
        day: terms.cycle,
        day_rate: trimmed(terms.day_yield.0, FRACTION_SCALE),
        interest_rate: over(terms.day_yield, terms.cycle),
        penalty_days: "1.5",
        save_min: amount_of(catalog, plan.asset, plan.min),
        save_max: amount_of(catalog, plan.asset, plan.max),
        faxing: 0,
        agreement_version: terms.agreement.to_string(),
        agreement: filled(lang, "plan.agreement", &named),
        status: u8::from(plan.on),
        rule: hex(&plan.rule().0),
        created_at: WireTime(since.0),
        created_at_ms: since.0,
        day_percent: day,
        damage_rate: damage,
    }
}

/// 1 in hosting, 2 ended.
pub fn status_number(status: Status) -> u8 {
    match status {
        Status::Hosting => 1,
        Status::Completed | Status::Redeemed => 2,
    }
}

/// An order at an instant: its interest earned by then, and the cost of redeeming it, now or when it was redeemed.
pub fn hosting_view(engine: &Engine, order: &PlanOrder, now: Time) -> HostingView {
    let catalog = engine.catalog();
    let amount = |atoms| amount_of(catalog, order.asset, atoms);
    let taken = order.ended.map_or_else(|| order.redemption(now), |ended| ended.redemption);
    let (damages, penalty, fee) = taken.map_or((0, 0, 0), |taken| (taken.damages, taken.penalty, taken.deduction));
    let (start, end) = (order.bought.0 / DAY_MS * DAY_MS + DAY_MS, order.maturity().0);
    let updated = order.ended.map_or(order.bought, |ended| ended.time).0;
    HostingView {
        id: order.id.0,
        config_id: order.plan.0,
        currency_id: order.asset.0,
        currency_name: code(catalog, order.asset).to_owned(),
        logo: logo(catalog, order.asset),
        day: order.terms.cycle,
        amount: amount(order.amount),
        day_rate: trimmed(order.terms.day_yield.0, FRACTION_SCALE),
        day_percent: percent(order.terms.day_yield),
        interest_rate: over(order.terms.day_yield, order.terms.cycle),
        total_interest: amount(order.interest),
        current_interest: amount(order.ended.map_or_else(|| order.accrued(now), |ended| ended.interest)),
        start_at: WireTime(start),
        start_at_ms: start,
        end_at: WireTime(end),
        end_at_ms: end,
        remain_day: order.terms.cycle.saturating_sub(order.days_earned(now)),
        status: status_number(order.status),
        is_cancel: u8::from(order.status == Status::Redeemed),
        damages: amount(damages),
        penalty: amount(penalty),
        cancel_fee: amount(fee),
        returned: order.ended.map(|ended| amount(ended.returned)),
        seq: order.ended.map_or(order.id.0, |ended| ended.seq.0),
        created_at: WireTime(order.bought.0),
        created_at_ms: order.bought.0,
        updated_at: WireTime(updated),
        updated_at_ms: updated,
    }
}
