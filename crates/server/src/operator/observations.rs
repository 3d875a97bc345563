//! Payments seen on chains: those reported by watchers, and manual entries that need two operators.

use engine::backoffice::acts::OperatorAct;
use engine::backoffice::proposals::Proposed;
use engine::catalog::funding::Chain;
use engine::funding::deposits::{Observation, Observed};
use engine::funding::status::ObservationStatus;
use engine::ids::{AssetId, ObservationId};
use engine::reply::Reply as EngineReply;
use serde::Serialize;
use store::Page;
use store::db::DbError;
use store::payments::{self, Payment};
use store::{deposit_addresses, observations as seen_payments};
use utoipa::ToSchema;

use super::proposals::propose;
use super::{ByIdWithReason, act, named};
use crate::http::page::Paginator;
use crate::http::reply::{Answer, Code, OrRefuse, Reply, bad_field, refuse};
use crate::http::request::{Input, request, words};
use crate::http::units::{self, amount};
use crate::http::values::{Line, TypedAmount};
use crate::http::{App, Call, types};

/// A payment seen on a chain.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Observation)]
pub struct ObservationView {
    id: u64,
    chain: String,
    tx: String,
    output: u64,
    address: String,
    user_id: Option<u64>,
    currency_id: u32,
    amount: String,
    confirmations: u32,
    entries: Vec<OperatorMark>,
    #[schema(value_type = types::ObservationState)]
    state: &'static str,
    /// Whether a watcher saw it.
    #[schema(value_type = types::Flag)]
    watched: u8,
    /// The amount that two operators can reverse now.
    reversible: Option<String>,
}

/// The operator who approved or entered it, and when.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OperatorMark {
    pub(super) operator_id: u32,
    pub(super) at_ms: u64,
}

/// The wire's word for a state.
pub(super) fn state(status: ObservationStatus) -> &'static str {
    match status {
        ObservationStatus::Entered => "entered",
        ObservationStatus::Matched => "matched",
        ObservationStatus::Conflict => "conflict",
        ObservationStatus::Credited => "credited",
        ObservationStatus::Reversed => "reversed",
    }
}

/// A payment, also one that the engine forgot.
pub(super) async fn known(app: &App, id: ObservationId) -> Result<Option<Observation>, DbError> {
    Ok(seen_payments::by_id(app, &[id]).await?.pop())
}

/// Observed payments with the texts behind their digests.
pub(super) async fn views(app: &App, seen: &[Observation]) -> Result<Vec<ObservationView>, DbError> {
    let digests: Vec<_> = seen.iter().map(|seen| seen.tx).collect();
    let mut texts = payments::find(&app.db, &digests).await?;
    let engine = app.sequencer.engine();
    let view = |seen: &Observation| {
        let Observed { user, asset, chain, amount: atoms } = seen.observed;
        let nowhere = || Payment { chain: chain.name().to_owned(), tx: String::new(), output: 0, address: String::new() };
        let Payment { tx, output, address, .. } = texts.remove(&seen.tx).unwrap_or_else(nowhere);
        let entries = seen.entries.iter().map(|entry| OperatorMark { operator_id: entry.by.operator.0, at_ms: entry.by.at.0 });
        ObservationView {
            id: seen.id.0,
            chain: chain.name().to_owned(),
            tx,
            output,
            address,
            user_id: Some(user.0),
            currency_id: asset.0,
            amount: amount(engine.catalog(), asset, atoms),
            confirmations: seen.confirmations,
            entries: entries.collect(),
            state: state(seen.status),
            watched: seen.watched.into(),
            reversible: engine.reversible(seen.id).map(|part| amount(engine.catalog(), asset, part)),
        }
    };
    Ok(seen.iter().map(view).collect())
}

words! {
    /// State of an observed payment.
    pub enum ObservationState as text {
        Entered = "entered",
        Matched = "matched",
        Conflict = "conflict",
        Credited = "credited",
        Reversed = "reversed",
    }
}

request! {
    /// What `observations` takes.
    pub struct ListObservations checked by handler {
        optional state: Option<ObservationState>,
        optional page: Page,
    }
}

/// `GET /operator/api/observations`
pub async fn list(call: Call, request: ListObservations) -> Answer {
    let page = request.page;
    let wanted = request.state.map(ObservationState::word);
    let status = ObservationStatus::ALL.into_iter().find(|status| Some(state(*status)) == wanted);
    // What is known now, including what has no rows yet.
    call.app.wait_for(call.app.sequencer.newest()).await?;
    let (found, total) = seen_payments::list(&call.app.db, status, page).await?;
    Ok(Reply::ok(Paginator::new(views(&call.app, &found).await?, total, page)))
}

request! {
    /// What `observation` takes.
    pub struct EnterObservation checked by handler {
        required chain: Option<String>,
        required tx: Input<Line<1, 200>>,
        required output: Input<u64>,
        required address: Option<String>,
        required currency_id: Input<u64>,
        required amount: TypedAmount,
        required confirmations: Input<u64>,
    }
}

/// `POST /operator/api/observation`
pub async fn enter(call: Call, request: EnterObservation) -> Answer {
    let app = &call.app;
    if !request.amount.is_sent() {
        return Err(request.amount.refused("required"));
    }
    request.complete()?;
    let word = request.chain.as_deref().unwrap_or("");
    let output = request.output.required()?;
    let confirmations = u32::try_from(request.confirmations.required()?).map_err(|_| bad_field("confirmations", "range"))?;
    let Line(tx) = request.tx.required()?;
    let chain = Chain::ALL.into_iter().find(|chain| chain.name() == word).or_refuse(Code::UnknownChain)?;
    let tx = transaction(chain, &tx).ok_or_else(|| bad_field("tx", "format"))?;
    let (asset, atoms) = {
        let engine = app.sequencer.engine();
        let asset = units::coin(engine.catalog(), request.currency_id.readable())?;
        (asset.id, request.amount.atoms(asset.scale)?)
    };
    let text = request.address.as_deref().unwrap_or("").trim();
    let address = chain::Chain::named(word).and_then(|chain| chain::address::Address::parse(chain, text).ok());
    let address = address.map_or_else(|| text.to_owned(), chain::address::Address::into_text);
    let (user, _) = deposit_addresses::owner(&app.db, chain, &address).await?.or_refuse(Code::NotFound)?;
    // Watchers number outputs in their own way. A payment that a watcher reported, or is reporting, must not be entered under another
    // number.
    let _lock = app.member_locks.of(user).await;
    let payment = Payment { chain: word.to_owned(), tx, output, address };
    let others = payments::others(&app.db, &payment).await?;
    let others = seen_payments::by_tx(app, &others).await?;
    if others.iter().any(|other| other.watched && (other.observed.user, other.observed.asset) == (user, asset)) {
        return Err(refuse(Code::DuplicateTx));
    }
    app.db.exec(payment.keep()).await?;
    let observed = Observed { user, asset, chain, amount: atoms };
    let entered = act(&call, OperatorAct::EnterDeposit { tx: payment.digest(), observed, confirmations }, Some(asset)).await;
    // A watcher saw the payment before; entering it by hand would duplicate it.
    let applied =
        entered.map_err(|refusal| named(refusal, &[(Code::WrongState, Code::DuplicateTx), (Code::SelfReview, Code::NotFound)]))?;
    let Ok(EngineReply::Observation(seen)) = &applied.outcome.result else { return Err(refuse(Code::Internal)) };
    let view = views(app, &[Observation::clone(seen)]).await?.pop().or_refuse(Code::Internal)?;
    let mut reply = Reply::ok(view).at(applied.answered_by()).about([user]);
    reply.replay = applied.is_repetition();
    Ok(reply)
}

/// The one spelling of a transaction's hash, which is that of the watchers: another spelling would be another payment (D-3).
pub(super) fn transaction(chain: Chain, typed: &str) -> Option<String> {
    let hex = typed.trim().to_ascii_lowercase();
    let hex = hex.strip_prefix("0x").unwrap_or(&hex);
    let start = if chain == Chain::Erc20 { "0x" } else { "" };
    (hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| format!("{start}{hex}"))
}

/// `POST /operator/api/observation/reverse`
pub async fn reverse(call: Call, request: ByIdWithReason) -> Answer {
    let observation = ObservationId(request.id.or(Code::NotFound)?);
    let is_final = { call.app.sequencer.engine().observation(observation).is_none() };
    let proposed = propose(&call, Proposed::ReverseDeposit { observation }, None::<AssetId>, &request.reason.0).await;
    match (proposed, known(&call.app, observation).await?) {
        // The engine no longer keeps it, so it cannot be changed any more.
        (Err(refusal), Some(seen)) if is_final && refusal.code == Code::NotFound => {
            Err(named(refusal, &[(Code::NotFound, Code::WrongState)]).with("state", state(seen.status)))
        }
        (proposed, _) => proposed,
    }
}
