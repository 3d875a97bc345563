//! Looking at loans, repaying them, adding collateral and taking an application back (`docs/api.md` 4.12).

use engine::amount::Amount;
use engine::catalog::Wallet;
use engine::command::Command;
use engine::ids::{AssetId, LoanId, UserId};
use engine::loans::loan::Loan;
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use kernel::sequencer::Applied;
use serde::Serialize;
use store::{Page, account};
use utoipa::ToSchema;

use crate::api::command::{answer, done};
use crate::api::loans::view::{LoanOnly, LoanView, loan_view, state};
use crate::http::Call;
use crate::http::code::Code;
use crate::http::page::Paginator;
use crate::http::params::Kind;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::request::{ById, Input, request};
use crate::http::units::{About, amount};
use crate::http::values::{TypedAmount, Value};

/// 1 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListStatus(u64);

impl Value for ListStatus {
    const KIND: Kind = Kind::Integer;

    fn parse(name: &'static str, text: &str) -> Result<ListStatus, Refusal> {
        match text {
            "1" | "2" | "3" | "4" | "5" => u64::parse(name, text).map(ListStatus),
            _ => Err(bad_field(name, "enum")),
        }
    }
}

request! {
    /// What `user/bosslist` takes.
    pub struct ListLoans checked by handler {
        optional status: Option<ListStatus>,
        optional page: Page,
    }
}

request! {
    /// What `user/bossrepay` takes.
    pub struct Repay checked by handler {
        required id: Input<u64>,
        optional amount: TypedAmount,
        optional all: Option<bool>,
        optional max_debt: TypedAmount,
    }
}

request! {
    /// What `user/bosscollateral` takes.
    pub struct AddCollateral checked by handler {
        required id: Input<u64>,
        required amount: TypedAmount,
    }
}

/// A loan after a repayment, and what the repayment paid for.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoanRepaid {
    order: LoanView,
    taken: String,
    penalty: String,
    interest: String,
    principal: String,
    time_ms: u64,
}

/// A loan after more collateral was added.
#[derive(Debug, Serialize, ToSchema)]
pub struct CollateralAdded {
    order: LoanView,
    time_ms: u64,
}

/// `GET user/bosslist`
pub async fn list(call: Call, request: ListLoans) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    let seq = app.sequencer.newest();
    app.wait_for(seq).await?;
    let (found, total) = account::list::<Loan>(&app.db, Some(user), request.status.map(|status| status.0), request.page).await?;
    let mut rows = Vec::with_capacity(found.len());
    for kept in found {
        rows.push(newest(&call, kept.item).await?);
    }
    Ok(Reply::ok(Paginator::new(rows, total, request.page)).at(seq))
}

/// A loan as it is now; a state that the list was not asked for is another call's.
async fn newest(call: &Call, kept: Loan) -> Result<LoanView, Refusal> {
    let known = call.app.sequencer.engine().loan(kept.id).cloned();
    let present = known.filter(|known| known.status == kept.status).unwrap_or(kept);
    Ok(loan_view(&call.app, &present).await?)
}

/// A member's loan, also one that the engine has forgotten.
async fn find(call: &Call, user: UserId, id: LoanId) -> Result<Option<Loan>, Refusal> {
    let (seq, known) = {
        let engine = call.app.sequencer.engine();
        (engine.seq().0, engine.loan(id).cloned())
    };
    let found = match known {
        Some(known) => Some(known),
        None => {
            // Its row may not be written yet.
            call.app.wait_for(seq).await?;
            account::one::<Loan>(&call.app.db, id.0).await?.map(|kept| kept.item)
        }
    };
    Ok(found.filter(|loan| loan.user == user))
}

/// `GET user/bossdetail`
pub async fn detail(call: Call, request: ById) -> Answer {
    let (user, id) = (call.user()?, LoanId(request.id.or(Code::NotFound)?));
    let loan = find(&call, user, id).await?.or_refuse(Code::NotFound)?;
    Ok(Reply::ok(loan_view(&call.app, &loan).await?))
}

/// The lent coin and the collateral of a member's loan; guards that come before an amount are those of the engine.
async fn coins(call: &Call, user: UserId, id: LoanId) -> Result<(AssetId, AssetId), Refusal> {
    let loan = find(call, user, id).await?.or_refuse(Code::NotFound)?;
    Ok((loan.terms.asset, loan.collateral_asset))
}

/// The atoms of an amount that the owner and the state of the loan are checked before.
fn atoms(call: &Call, (user, id): (UserId, LoanId), typed: &TypedAmount, asset: AssetId) -> Result<Amount, Refusal> {
    let engine = call.app.sequencer.engine();
    let scale = engine.catalog().scale(asset);
    typed.atoms(scale).map_err(|fault| match engine.check_own_loan(user, id) {
        Err(_) => refuse(Code::WrongState).with("state", engine.loan(id).map(|loan| state(loan.status))),
        Ok(()) => fault,
    })
}

fn refusal(call: &Call, asset: AssetId, reject: &Reject) -> Refusal {
    let engine = call.app.sequencer.engine();
    About { catalog: engine.catalog(), market: None, asset: Some(asset), wallet: Wallet::Spot }.refusal(reject)
}

/// `E_STATE` with the state of a member's loan that the engine refused a command for; the history knows those that it has forgotten.
async fn in_state(call: &Call, user: UserId, id: LoanId, applied: &Applied) -> Result<(), Refusal> {
    if !matches!(applied.outcome.result, Err(Reject::NotFound | Reject::WrongState)) {
        return Ok(());
    }
    let Some(loan) = find(call, user, id).await? else { return Ok(()) };
    let mut refusal = refuse(Code::WrongState).with("state", state(loan.status));
    refusal.seq = Some(applied.answered_by());
    refusal.replay = applied.is_repetition();
    Err(refusal)
}

/// `POST user/bossrepay`
pub async fn repay(call: Call, request: Repay) -> Answer {
    let user = call.user()?;
    let all = request.all == Some(true);
    if all == request.amount.is_sent() {
        return Err(bad_field("amount", if all { "enum" } else { "required" }));
    }
    if request.max_debt.is_sent() && !all {
        return Err(bad_field("max_debt", "enum"));
    }
    let id = LoanId(request.id.or(Code::NotFound)?);
    let (asset, _) = coins(&call, user, id).await?;
    let read = |typed: &TypedAmount| typed.is_sent().then(|| atoms(&call, (user, id), typed, asset)).transpose();
    let (part, max_debt) = (read(&request.amount)?, read(&request.max_debt)?);
    let applied = call.app.sequencer.submit(Command::RepayLoan { user, loan: id, amount: part, max_debt }, call.request).await?;
    in_state(&call, user, id, &applied).await?;
    let EngineReply::LoanRepaid(loan, repaid) = done(&applied, |reject| refusal(&call, asset, reject))? else {
        return Err(refuse(Code::Internal));
    };
    let order = loan_view(&call.app, loan).await?;
    let lent = |atoms| amount(&call.app.catalog, asset, atoms);
    let told = LoanRepaid {
        order,
        taken: lent(repaid.taken()),
        penalty: lent(repaid.penalty),
        interest: lent(repaid.interest),
        principal: lent(repaid.principal),
        time_ms: done_at_ms(&call, &applied).await?,
    };
    Ok(answer("ok.loan_repaid", &applied).data(told))
}

/// `POST user/bosscollateral`
pub async fn add_collateral(call: Call, request: AddCollateral) -> Answer {
    let (user, id) = (call.user()?, LoanId(request.id.or(Code::NotFound)?));
    let (_, asset) = coins(&call, user, id).await?;
    let added = atoms(&call, (user, id), &request.amount, asset)?;
    let applied = call.app.sequencer.submit(Command::AddCollateral { user, loan: id, amount: added }, call.request).await?;
    let order = changed(&call, (user, id), asset, &applied).await?;
    let time_ms = done_at_ms(&call, &applied).await?;
    Ok(answer("ok.collateral_added", &applied).data(CollateralAdded { order, time_ms }))
}

/// `POST user/bosscancel`
pub async fn cancel(call: Call, request: ById) -> Answer {
    let (user, id) = (call.user()?, LoanId(request.id.or(Code::NotFound)?));
    let applied = call.app.sequencer.submit(Command::CancelLoan { user, loan: id }, call.request).await?;
    let order = changed(&call, (user, id), AssetId(0), &applied).await?;
    Ok(answer("ok.loan_cancelled", &applied).data(LoanOnly { order }))
}

/// The loan that a command answers.
async fn changed(call: &Call, (user, id): (UserId, LoanId), asset: AssetId, applied: &Applied) -> Result<LoanView, Refusal> {
    in_state(call, user, id, applied).await?;
    let EngineReply::Loan(loan) = done(applied, |reject| refusal(call, asset, reject))? else { return Err(refuse(Code::Internal)) };
    Ok(loan_view(&call.app, loan).await?)
}

/// Journal time of what a command did: of a repetition that of the first entry.
async fn done_at_ms(call: &Call, applied: &Applied) -> Result<u64, Refusal> {
    if !applied.is_repetition() {
        return Ok(applied.time.0);
    }
    let seq = applied.answered_by();
    let groups = call.app.sequencer.read_log(seq..=seq).await?;
    let first = groups.iter().flat_map(|group| &group.records).find(|record| record.seq == seq);
    first.map(|record| record.time_ms).or_refuse(Code::Internal)
}
