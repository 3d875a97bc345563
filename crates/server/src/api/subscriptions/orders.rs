//! Committing to an offering, and a member's commitments (`docs/api.md` 4.11): request fields into one command, its reply into a
//! commitment.

use std::cmp::Reverse;

use engine::Engine;
use engine::catalog::Wallet;
use engine::command::Command;
use engine::ids::{AssetId, OfferingId, UserId};
use engine::product::Product;
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use engine::subscriptions::offering::{Commit, Commitment};
use serde::Serialize;
use store::Page;
use store::subscriptions;
use utoipa::ToSchema;

use crate::api::command::{answer, done};
use crate::api::country;
use crate::api::subscriptions::view::{CommitmentView, commitment_view, gain, gained_by, status};
use crate::http::Call;
use crate::http::code::Code;
use crate::http::params::Kind;
use crate::http::reply::{Answer, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request};
use crate::http::units::{About, amount, code};
use crate::http::values::{TypedAmount, Value};

/// 1 subscribing, 2 locked, 3 ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListStatus(u8);

impl Value for ListStatus {
    const KIND: Kind = Kind::Integer;

    fn parse(name: &'static str, text: &str) -> Result<ListStatus, Refusal> {
        match text {
            "1" => Ok(ListStatus(1)),
            "2" => Ok(ListStatus(2)),
            "3" => Ok(ListStatus(3)),
            _ => Err(bad_field(name, "enum")),
        }
    }
}

request! {
    /// What `lh/send/order` takes.
    pub struct Order checked by handler {
        required config_id: Input<u64>,
        required amount: TypedAmount,
        optional currency_id: Input<u64>,
    }
}

request! {
    /// What `lh/send/order_list` takes.
    pub struct ListOrders checked by handler {
        optional status: Option<ListStatus>,
        optional page: Page,
    }
}

/// The commitment after a command.
#[derive(Debug, Serialize, ToSchema)]
pub struct CommitmentOnly {
    order: CommitmentView,
}

/// A page of a member's commitments.
#[derive(Debug, Serialize, ToSchema)]
pub struct CommitmentPage {
    order_list: Vec<CommitmentView>,
    total: u64,
    total_interest: String,
    page: u64,
    limit: u64,
}

/// A coin that no offering takes.
const NO_COIN: AssetId = AssetId(0);

/// The payment coin that is meant: the first one of the offering if none is named.
fn coin(engine: &Engine, offering: OfferingId, given: &Input<u64>) -> AssetId {
    if given.is_sent() {
        return given.readable().and_then(|number| u32::try_from(*number).ok()).map_or(NO_COIN, AssetId);
    }
    engine.offering(offering).and_then(|offering| offering.terms.pay.first().copied()).unwrap_or(NO_COIN)
}

/// A refusal of the engine with the details that subscriptions have for it.
fn refusal(call: &Call, offering: OfferingId, asset: AssetId, reject: &Reject) -> Refusal {
    let (catalog, engine) = (&call.app.catalog, call.app.sequencer.engine());
    let plain = About { catalog, market: None, asset: Some(asset), wallet: Wallet::Spot }.refusal(reject);
    let Some(offering) = engine.offering(offering) else { return plain };
    let terms = &offering.terms;
    match reject {
        Reject::PayCurrency => plain.with("currencies", terms.pay.iter().map(|coin| code(catalog, *coin)).collect::<Vec<_>>()),
        Reject::SoldOut => plain.with("left", amount(catalog, terms.market.quote, offering.limit().saturating_sub(offering.committed))),
        Reject::PriceStale => plain.with("symbol", format!("{}/{}", code(catalog, asset), code(catalog, terms.market.quote))),
        _ => plain,
    }
}

/// The readable fields, or the first refusal in the order of the contract. The engine never sees an unreadable field.
fn read(call: &Call, request: &Order, user: UserId) -> Result<Commit, Refusal> {
    let offering = request.config_id.readable().and_then(|number| u32::try_from(*number).ok()).map_or(OfferingId(0), OfferingId);
    let engine = call.app.sequencer.engine();
    let asset = coin(&engine, offering, &request.currency_id);
    let refused = |reject: &Reject| refusal(call, offering, asset, reject);
    let scale = engine.catalog().asset(asset).map(|asset| asset.scale);
    let known = engine.may_subscribe(user).and_then(|()| engine.offering(offering).map(drop).ok_or(Reject::NotFound));
    if call.was_answered() && offering != OfferingId(0) && asset != NO_COIN {
        // A repetition gets its first answer, even if the order would be refused now.
        let atoms = request.amount.atoms(scale.unwrap_or(engine::amount::PRICE_SCALE))?;
        return Ok(Commit { user, offering, asset, amount: atoms });
    }
    known.map_err(|reject| refused(&reject))?;
    let amount = request.amount.atoms(scale.unwrap_or(engine::amount::PRICE_SCALE))?;
    let commit = Commit { user, offering, asset, amount };
    match engine.check_commitment(&commit) {
        Err(reject @ (Reject::Window { .. } | Reject::PayCurrency)) if scale.is_none() => Err(refused(&reject)),
        _ => Ok(commit),
    }
}

/// `POST lh/send/order`
pub async fn submit(call: Call, request: Order) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    let is_paused = |engine: &Engine| matches!(engine.may_subscribe(user), Err(Reject::Disabled(_)));
    country::check(&call, Product::Subscription, is_paused).await?;
    let commit = read(&call, &request, user)?;
    let applied = app.sequencer.submit(Command::CommitToOffering(commit), call.request).await?;
    let refused = |reject: &Reject| refusal(&call, commit.offering, commit.asset, reject);
    let EngineReply::Commitment(commitment) = done(&applied, refused)? else { return Err(refuse(Code::Internal)) };
    let order = commitment_view(&app.sequencer.engine(), commitment)?;
    Ok(answer("ok.subscribed", &applied).data(CommitmentOnly { order }))
}

/// `GET lh/send/order_list`
pub async fn list(call: Call, request: ListOrders) -> Answer {
    let (app, user, page) = (&call.app, call.user()?, request.page);
    let wanted = request.status.map(|status| status.0);
    // The engine has the open commitments, and the history those that had ended by then.
    let (seq, mut rows) = {
        let engine = app.sequencer.engine();
        let fits = |commitment: &&Commitment| wanted.is_none_or(|wanted| status(commitment.status) == wanted);
        (engine.seq().0, engine.commitments_of(user).filter(fits).cloned().collect::<Vec<_>>())
    };
    let open = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    let mut tokens: Vec<_> = rows.iter().map(|row| (row.offering, row.tokens)).collect();
    // Each open commitment shifts the page by at most one row, so the page is within the rows from here to its end.
    let before = page.offset().min(open);
    let mut total = open;
    if wanted.is_none_or(|wanted| wanted == 3) {
        app.wait_for(seq).await?;
        let (ended, count) = subscriptions::list(&app.db, user, seq, page.limit + open, page.offset() - before).await?;
        tokens.extend(subscriptions::tokens(&app.db, user, seq).await?);
        rows.extend(ended);
        total += count;
    }
    rows.sort_by_key(|commitment| Reverse(commitment.id));
    let bound = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let engine = app.sequencer.engine();
    let shown = rows.iter().skip(bound(before)).take(bound(page.limit)).map(|row| commitment_view(&engine, row));
    let order_list = shown.collect::<Result<Vec<_>, _>>()?;
    let gained = tokens.into_iter().map(|(offering, tokens)| gained_by(&engine, offering, tokens)).sum();
    let all = CommitmentPage { order_list, total, total_interest: gain(&engine, gained), page: page.page, limit: page.limit };
    Ok(Reply::ok(all).at(seq))
}
