//! A loan as the wire shows it (`docs/api.md` 5.7).

use engine::Engine;
use engine::amount::{Amount, RATE_ONE, Rate};
use engine::loans::loan::{Liquidation, Loan};
use engine::loans::status::{EndReason, Status};
use serde::Serialize;
use store::db::DbError;
use store::documents;
use store::loans::status_number;
use utoipa::ToSchema;

use crate::http::App;
use crate::http::decimal::WireTime;
use crate::http::types;
use crate::http::units::{amount, code, index_price, percent};

/// A loan.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Loan)]
pub struct LoanView {
    id: u64,
    config_id: u32,
    currency_id: u32,
    currency_name: String,
    amount: String,
    outstanding: String,
    day: u32,
    /// Periods of 24 hours that began since the payout. The debt includes all of them; those after `day` count as overdue.
    periods: u32,
    interest_rate: String,
    overdue_multiplier: u32,
    start_ltv: String,
    call_ltv: String,
    liquidation_ltv: String,
    liquidation_fee: String,
    grace_hours: u32,
    interest: String,
    interest_due: String,
    penalty_due: String,
    debt: String,
    paid: String,
    total_return: String,
    collateral_currency_id: u32,
    collateral_currency_name: String,
    collateral: String,
    ltv: Option<String>,
    #[schema(value_type = types::Flag)]
    margin_call: u8,
    #[schema(value_type = types::LoanStatus)]
    status: u8,
    #[schema(value_type = Option<types::LoanReason>)]
    reason: Option<&'static str>,
    note: String,
    sold: Option<String>,
    sale: Option<SaleView>,
    #[schema(value_type = String)]
    created_at: WireTime,
    created_at_ms: u64,
    #[schema(value_type = Option<String>)]
    start_at: Option<WireTime>,
    start_at_ms: Option<u64>,
    #[schema(value_type = Option<String>)]
    end_at: Option<WireTime>,
    end_at_ms: Option<u64>,
    #[schema(value_type = Option<String>)]
    finished_at: Option<WireTime>,
    finished_at_ms: Option<u64>,
}

/// How the collateral was sold: at the index price, for the debt and the fee. The rest came back.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = LoanSale)]
pub struct SaleView {
    price: String,
    debt: String,
    fee: String,
    /// In the coin of the collateral.
    returned: String,
}

/// The loan after a command.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LoanOnly)]
pub struct LoanOnly {
    pub order: LoanView,
}

/// The wire's word of a state, for `data.state` of `E_STATE`.
pub fn state(status: Status) -> &'static str {
    match status {
        Status::Pending => "pending",
        Status::InLoan => "in_loan",
        Status::Finished => "finished",
        Status::Cancelled => "cancelled",
        Status::Overdue => "overdue",
    }
}

/// A share as percent, rounded up; `None` of nothing.
pub fn share(part: Amount, whole: Amount) -> Option<String> {
    let share = (u128::from(part) * u128::from(RATE_ONE)).div_ceil(u128::from(whole).max(1));
    let share = u64::try_from(share).ok().filter(|_| whole > 0)?;
    Some(percent(Rate(share)))
}

/// A loan at the present prices, with the reason of the operator who rejected it.
///
/// # Errors
/// When the reason cannot be read.
pub async fn loan_view(app: &App, loan: &Loan) -> Result<LoanView, DbError> {
    let note = match loan.note {
        Some(digest) => documents::one(app, loan.user, digest).await?.unwrap_or_default(),
        None => String::new(),
    };
    Ok(shown(&app.sequencer.engine(), loan, note))
}

fn shown(engine: &Engine, loan: &Loan, note: String) -> LoanView {
    let catalog = engine.catalog();
    let lent = |atoms| amount(catalog, loan.terms.asset, atoms);
    let bound = |atoms| amount(catalog, loan.collateral_asset, atoms);
    let price = engine.collateral_price(loan).filter(|_| loan.status.is_running());
    let interest = loan.interest_to_due();
    let (start, end) = (loan.start.map(|at| at.0), loan.due().map(|at| at.0));
    let finished = loan.ended.map(|at| at.0);
    LoanView {
        id: loan.id.0,
        config_id: loan.product.0,
        currency_id: loan.terms.asset.0,
        currency_name: code(catalog, loan.terms.asset).to_owned(),
        amount: lent(loan.amount),
        outstanding: lent(loan.outstanding),
        day: loan.terms.days,
        periods: loan.periods,
        interest_rate: percent(loan.terms.rate),
        overdue_multiplier: loan.terms.overdue_multiple,
        start_ltv: percent(loan.terms.start),
        call_ltv: percent(loan.terms.call),
        liquidation_ltv: percent(loan.terms.liquidation),
        liquidation_fee: percent(loan.terms.liquidation_fee),
        grace_hours: loan.terms.grace_days.saturating_mul(24),
        interest: lent(interest),
        interest_due: lent(loan.interest_due()),
        penalty_due: lent(loan.penalty_due()),
        debt: lent(loan.debt()),
        paid: lent(loan.paid()),
        total_return: lent(loan.amount.saturating_add(interest)),
        collateral_currency_id: loan.collateral_asset.0,
        collateral_currency_name: code(catalog, loan.collateral_asset).to_owned(),
        collateral: bound(loan.collateral),
        ltv: price.and_then(|price| share(loan.debt(), loan.value(price).0)),
        margin_call: loan.margin_call.into(),
        status: status_number(loan.status),
        reason: loan.reason.map(EndReason::name),
        note,
        sold: loan.sale.map(|sale| bound(sale.sold)),
        sale: loan.sale.and_then(|sale| sale_view(engine, loan, &sale)),
        created_at: WireTime(loan.applied.0),
        created_at_ms: loan.applied.0,
        start_at: start.map(WireTime),
        start_at_ms: start,
        end_at: end.map(WireTime),
        end_at_ms: end,
        finished_at: finished.map(WireTime),
        finished_at_ms: finished,
    }
}

fn sale_view(engine: &Engine, loan: &Loan, sale: &Liquidation) -> Option<SaleView> {
    let catalog = engine.catalog();
    let market = catalog.market(loan.terms.market)?;
    let lent = |atoms| amount(catalog, loan.terms.asset, atoms);
    Some(SaleView {
        price: index_price(catalog, market, sale.price),
        debt: lent(sale.debt),
        fee: lent(sale.fee),
        returned: amount(catalog, loan.collateral_asset, sale.returned),
    })
}
