//! On what terms money is lent now (`docs/api.md` 4.12, 5.7).

use engine::Engine;
use engine::amount::Rate;
use engine::catalog::Wallet;
use engine::ids::{AssetId, UserId};
use engine::loans::terms::{LoanProduct, SharedTerms};
use serde::Serialize;
use store::secrets::hex;
use utoipa::ToSchema;

use crate::http::reply::{Answer, Reply};
use crate::http::units::{amount, code, index_price, logo, percent};
use crate::http::{Call, types};

/// A loan product and the collateral that it accepts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LoanProduct)]
pub struct LoanProductView {
    id: u32,
    currency_id: u32,
    currency_name: String,
    currency_logo: String,
    day: u32,
    interest_rate: String,
    overdue_multiplier: u32,
    min_amount: String,
    max_amount: String,
    start_ltv: String,
    call_ltv: String,
    liquidation_ltv: String,
    liquidation_fee: String,
    grace_hours: u32,
    collateral: Vec<LoanCollateral>,
    #[schema(value_type = types::Flag)]
    status: u8,
    /// Hash of the rule that would apply to an application now.
    rule: String,
}

/// A coin accepted as collateral, with its last price and the caller's spot balance.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoanCollateral {
    currency_id: u32,
    currency_name: String,
    price: String,
    balance: String,
}

/// `GET user/bossconfig`
pub async fn list(call: Call) -> Answer {
    let engine = call.app.sequencer.engine();
    let user = call.session.map(|session| session.user);
    let Some(terms) = engine.loan_terms() else { return Ok(Reply::ok(Vec::<LoanProductView>::new())) };
    let open = engine.loans_open().is_ok();
    let rows: Vec<LoanProductView> = terms.products.iter().map(|product| view(&engine, product, &terms.shared, (user, open))).collect();
    Ok(Reply::ok(rows))
}

fn view(engine: &Engine, product: &LoanProduct, shared: &SharedTerms, (user, open): (Option<UserId>, bool)) -> LoanProductView {
    let catalog = engine.catalog();
    let lent = |atoms| amount(catalog, product.asset, atoms);
    let pct = |rate: Rate| percent(rate);
    LoanProductView {
        id: product.id.0,
        currency_id: product.asset.0,
        currency_name: code(catalog, product.asset).to_owned(),
        currency_logo: logo(catalog, product.asset),
        day: product.days,
        interest_rate: pct(product.rate),
        overdue_multiplier: shared.overdue_multiple,
        min_amount: lent(product.min),
        max_amount: lent(product.max),
        start_ltv: pct(shared.start),
        call_ltv: pct(shared.call),
        liquidation_ltv: pct(shared.liquidation),
        liquidation_fee: pct(shared.liquidation_fee),
        grace_hours: shared.grace_days.saturating_mul(24),
        collateral: shared.collateral.iter().filter_map(|asset| collateral(engine, *asset, product.asset, user)).collect(),
        status: u8::from(product.on && open),
        rule: hex(&product.rule(shared).0),
    }
}

fn collateral(engine: &Engine, asset: AssetId, lent: AssetId, user: Option<UserId>) -> Option<LoanCollateral> {
    let catalog = engine.catalog();
    let (market, _) = engine.loan_pair(asset, lent).ok()?;
    let facts = catalog.market(market)?;
    let price = engine
        .index(market)
        .and_then(|index| index.filter.last())
        .map_or_else(|| "0".to_owned(), |last| index_price(catalog, facts, last.price));
    let available = user.and_then(|user| engine.balance(user, Wallet::Spot, asset)).unwrap_or_default().available;
    Some(LoanCollateral {
        currency_id: asset.0,
        currency_name: code(catalog, asset).to_owned(),
        price,
        balance: amount(catalog, asset, available),
    })
}
