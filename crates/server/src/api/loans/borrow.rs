//! Asking for a loan: a preview that changes nothing, and the application (`docs/api.md` 4.12).

use engine::Engine;
use engine::amount::{MAX_AMOUNT, Price, RATE_ONE};
use engine::catalog::Wallet;
use engine::command::Command;
use engine::ids::{AssetId, Digest, LoanProductId, MarketId, UserId};
use engine::loans::formulas::{Debt, highest_price, smallest_collateral, value};
use engine::loans::loan::ApplyForLoan;
use engine::loans::terms::LoanProduct;
use engine::product::Product;
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use engine::units::{Base, Scales};
use serde::Serialize;
use store::secrets::hex;
use utoipa::ToSchema;

use crate::api::command::{answer, done, is_hash, shown_rule};
use crate::api::country;
use crate::api::loans::view::{LoanOnly, loan_view, share};
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, refuse};
use crate::http::request::{Input, request};
use crate::http::units::{self, About, amount, index_price};
use crate::http::values::TypedAmount;
use crate::http::{Call, types};

/// BTC, where no collateral is named.
const DEFAULT_COLLATERAL: u64 = 1;
/// Decimals that an amount of an unknown coin may have: the coin is refused at its own place.
const MOST_DECIMALS: u8 = 8;

request! {
    /// What `POST user/bossorder` takes.
    pub struct Apply checked by handler {
        required config_id: Input<u64>,
        required amount: TypedAmount,
        required collateral: TypedAmount,
        optional collateral_currency_id: Input<u64>,
        optional rule: Option<String>,
    }
}

request! {
    /// What `GET user/bossorder` takes.
    pub struct Preview checked by handler {
        required config_id: Input<u64>,
        required amount: TypedAmount,
        optional collateral: TypedAmount,
        optional collateral_currency_id: Input<u64>,
        optional rule: Option<String>,
        optional preview: Option<bool>,
    }
}

/// The cost of a loan, and the collateral that it needs.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoanQuote {
    config_id: u32,
    amount: String,
    day: u32,
    interest: String,
    total_return: String,
    collateral_currency_id: u32,
    collateral: String,
    min_collateral: String,
    collateral_value: String,
    ltv: String,
    liquidation_price: String,
    price: String,
    price_time_ms: u64,
    /// Hash of the rule that would apply to an application now.
    rule: String,
    #[schema(value_type = types::Flag)]
    accepted: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<&'static str>,
}

/// The amounts that are wanted and offered.
type Amounts<'a> = (&'a TypedAmount, &'a TypedAmount);

/// The readable part of an application, field by field in the order of the refusals. The engine refuses an unknown product or coin at its
/// place.
struct Read {
    /// False if product, coin or rule could not be read and is a placeholder.
    is_readable: bool,
    product: LoanProductId,
    lent: Option<AssetId>,
    amount: Result<u64, Refusal>,
    collateral: Result<Option<u64>, Refusal>,
    asset: AssetId,
    /// The rule that the borrower was shown, if they say.
    rule: Option<Digest>,
}

impl Read {
    fn new(call: &Call, (config, coin, rule): (&Input<u64>, &Input<u64>, Option<&String>), (wanted, collateral): Amounts<'_>) -> Read {
        let number = |given: &Input<u64>| given.readable().and_then(|number| u32::try_from(*number).ok()).unwrap_or(0);
        let engine = call.app.sequencer.engine();
        let catalog = engine.catalog();
        let product = LoanProductId(number(config));
        let lent = engine.loan_terms().and_then(|terms| terms.product(product)).map(|product| product.asset);
        let is_readable = config.readable().is_some() && !coin.is_unreadable() && is_hash(rule);
        let coin = if coin.is_sent() { coin.readable().copied() } else { Some(DEFAULT_COLLATERAL) };
        let asset = units::coin(catalog, coin.as_ref()).map_or(AssetId(0), |asset| asset.id);
        let scale = |asset: AssetId| catalog.asset(asset).map_or(MOST_DECIMALS, |asset| asset.scale);
        Read {
            is_readable,
            product,
            lent,
            amount: wanted.atoms(lent.map_or(MOST_DECIMALS, scale)),
            collateral: if collateral.is_sent() { collateral.atoms(scale(asset)).map(Some) } else { Ok(None) },
            asset,
            rule: shown_rule(rule),
        }
    }

    fn order(&self, user: UserId, collateral: u64) -> Result<ApplyForLoan, Refusal> {
        let amount = self.amount.clone()?;
        Ok(ApplyForLoan { user, product: self.product, amount, collateral_asset: self.asset, collateral, rule: self.rule })
    }
}

/// A refusal of the engine with the details that loans have for it.
fn refusal(call: &Call, read: &Read, reject: &Reject) -> Refusal {
    let engine = call.app.sequencer.engine();
    let catalog = engine.catalog();
    if let Reject::LoanToValue { min_collateral } = reject {
        return refuse(Code::LoanToValue).with("min_collateral", amount(catalog, read.asset, *min_collateral));
    }
    let market = read.lent.and_then(|lent| engine.loan_pair(read.asset, lent).ok()).and_then(|(market, _)| catalog.market(market));
    About { catalog, market, asset: read.lent, wallet: Wallet::Spot }.refusal(reject)
}

async fn check_country(call: &Call) -> Result<(), Refusal> {
    country::check(call, Product::Loan, |engine: &Engine| engine.loans_open().is_err()).await
}

/// `POST user/bossorder`
pub async fn apply(call: Call, request: Apply) -> Answer {
    let terms = (&request.config_id, &request.collateral_currency_id, request.rule.as_ref());
    let read = Read::new(&call, terms, (&request.amount, &request.collateral));
    place(call, read, &request.collateral).await
}

async fn place(call: Call, read: Read, collateral: &TypedAmount) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    check_country(&call).await?;
    let guard = app.sequencer.engine().may_borrow(user);
    // The engine never sees an unreadable amount, so its earlier refusals are checked here.
    let fault = |fault: Refusal| guard.as_ref().map_or_else(|reject| refusal(&call, &read, reject), |()| fault);
    let bound = read.collateral.clone().and_then(|bound| bound.ok_or_else(|| collateral.refused("format")));
    let order = read.amount.clone().and(bound).and_then(|bound| read.order(user, bound)).map_err(fault)?;
    if !read.is_readable {
        // An unreadable field never reaches the log, so the engine's own checks find the refusal that comes first.
        let engine = app.sequencer.engine();
        let terms = guard.and_then(|()| engine.check_loan_amount(&order));
        let first = terms.and_then(|()| engine.loan_pair(read.asset, read.lent.ok_or(Reject::BadAsset)?));
        return Err(first.err().map_or_else(|| refuse(Code::Internal), |reject| refusal(&call, &read, &reject)));
    }
    let applied = app.sequencer.submit(Command::ApplyForLoan(order), call.request).await?;
    let EngineReply::Loan(loan) = done(&applied, |reject| refusal(&call, &read, reject))? else { return Err(refuse(Code::Internal)) };
    let order = loan_view(app, loan).await?;
    Ok(answer("ok.loan_applied", &applied).data(LoanOnly { order }))
}

/// `GET user/bossorder`
pub async fn preview(call: Call, request: Preview) -> Answer {
    let terms = (&request.config_id, &request.collateral_currency_id, request.rule.as_ref());
    let read = Read::new(&call, terms, (&request.amount, &request.collateral));
    if request.preview != Some(true) {
        if call.request.is_none() {
            return Err(refuse(Code::KeyMissing));
        }
        return place(call, read, &request.collateral).await;
    }
    let user = call.user()?;
    check_country(&call).await?;
    let engine = call.app.sequencer.engine();
    let offered = quote(&engine, &call, &read, user)?;
    Ok(Reply::ok(offered).at(engine.seq().0))
}

fn quote(engine: &Engine, call: &Call, read: &Read, user: UserId) -> Result<LoanQuote, Refusal> {
    let refused = |reject: Reject| refusal(call, read, &reject);
    engine.loans_open().map_err(refused)?;
    let (wanted, offered) = (read.amount.clone()?, read.collateral.clone()?);
    let order = read.order(user, offered.unwrap_or(1))?;
    engine.check_loan_amount(&order).map_err(refused)?;
    let terms = engine.loan_terms().or_refuse(Code::Internal)?;
    let product: &LoanProduct = terms.product(read.product).or_refuse(Code::Internal)?;
    let (market, scales): (MarketId, Scales) = engine.loan_pair(read.asset, product.asset).map_err(refused)?;
    let sample = engine.index(market).and_then(|index| index.filter.last());
    let fresh = engine.fresh_price(market).and(sample);
    let sample = fresh.ok_or_else(|| refused(Reject::PriceStale))?;
    let price: Price = sample.price;
    let min = smallest_collateral(Debt(wanted), price, terms.shared.start, scales).map_or(MAX_AMOUNT, |least| least.0);
    let collateral = offered.unwrap_or(min);
    let outcome = engine.try_loan(&ApplyForLoan { collateral, ..order });
    let charged = u128::from(wanted) * u128::from(product.rate.0) * u128::from(product.days);
    let interest = u64::try_from(charged.div_ceil(u128::from(RATE_ONE))).unwrap_or(u64::MAX);
    let (total, worth) = (wanted.saturating_add(interest), value(Base(collateral), price, scales).0);
    let catalog = engine.catalog();
    let facts = units::by_id(catalog, market)?;
    let (lent, bound) = (|atoms| amount(catalog, product.asset, atoms), |atoms| amount(catalog, read.asset, atoms));
    Ok(LoanQuote {
        config_id: product.id.0,
        amount: lent(wanted),
        day: product.days,
        interest: lent(interest),
        total_return: lent(total),
        collateral_currency_id: read.asset.0,
        collateral: bound(collateral),
        min_collateral: bound(min),
        collateral_value: lent(worth),
        ltv: share(wanted, worth).unwrap_or_else(|| "0".to_owned()),
        liquidation_price: index_price(catalog, facts, highest_price(Debt(total), Base(collateral), terms.shared.liquidation, scales)),
        price: index_price(catalog, facts, price),
        price_time_ms: sample.time.0,
        rule: hex(&product.rule(&terms.shared).0),
        accepted: u8::from(outcome.is_ok()),
        error: outcome.err().map(|reject| reject.name()),
    })
}
