//! What earlier rows say about a case: pictures, attempts, loans, devices and the statement. Read for one case, not for the lines of a queue.

use engine::Engine;
use engine::catalog::Wallet;
use engine::funding::deposits::Deposit;
use engine::funding::withdrawals::Withdrawal;
use engine::identity::status::Status;
use engine::identity::{Identity, KycLevel};
use engine::ids::{Digest, UserId};
use engine::loans::loan::Loan;
use engine::loans::status::{EndReason, Status as LoanStatus};
use engine::time::{DAY_MS, Time};
use serde_json::{Map, Value as Json, json};
use store::db::DbError;
use store::documents::{self, ProofPaper};
use store::{Page, account, balance_changes, files, people, security};

use super::checks::{ItemCheck, YOUNG_MS, check, not_known};
use super::queue_rows;
use crate::http::App;
use crate::http::units::{amount, code};

/// Earlier attempts that a case shows.
const ATTEMPTS: Page = Page { page: 1, limit: 20 };
/// Other loans that a case shows.
const LOANS: usize = 20;
/// Applications among which they are looked for, newest first, in pages of so many: those that were never paid out hide none that was.
const APPLICATIONS: (u64, u64) = (10, 200);
/// Claims of a member among which a proof is looked for.
const CLAIMS: Page = Page { page: 1, limit: 200 };
/// Names of checks.
const COUNTRY: &str = "country_of_sign_up";
const NO_DEVICE: &str = "no_new_device_in_a_week";

fn listed(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

/// Whether another member handed in one of these pictures.
pub(super) async fn pictures(app: &App, user: UserId, keys: &[&str]) -> Result<ItemCheck, DbError> {
    let others = files::others(&app.db, user, keys).await?;
    let detail = if others.is_empty() { String::new() } else { format!("user {}", listed(&others)) };
    Ok(check("pictures_of_nobody_else", others.is_empty(), detail))
}

/// Whether the proof of a claim serves another one of the same member (A04).
pub(super) async fn proof(app: &App, of: &Deposit, picture: &str) -> Result<ItemCheck, DbError> {
    let copies = files::copies(&app.db, of.user, picture).await?;
    let (rows, _) = account::list::<Deposit>(&app.db, Some(of.user), None, CLAIMS).await?;
    let claims: Vec<(u64, Digest)> =
        rows.iter().filter(|row| row.item.id != of.id).filter_map(|row| Some((row.item.id.0, row.item.proof?))).collect();
    let digests: Vec<Digest> = claims.iter().map(|(_, digest)| *digest).collect();
    let texts = documents::find(app, of.user, &digests).await?;
    let same = |digest: &Digest| {
        texts.get(digest).and_then(|text| documents::read::<ProofPaper>(text).ok()).is_some_and(|paper| copies.contains(&paper.img))
    };
    let same: Vec<u64> = claims.iter().filter(|(_, digest)| same(digest)).map(|(id, _)| *id).collect();
    let detail = if same.is_empty() { String::new() } else { format!("claim {}", listed(&same)) };
    Ok(check("proof_of_no_other_claim", same.is_empty(), detail))
}

/// Other attempts of the member, newest first, and what they say.
pub(super) async fn attempts(app: &App, of: &Identity) -> Result<(Json, ItemCheck), DbError> {
    let (rows, _) = account::list::<Identity>(&app.db, Some(of.user), None, ATTEMPTS).await?;
    let past: Vec<_> = rows.iter().filter(|row| row.item.submission != of.submission).collect();
    let reasons: Vec<Digest> = past.iter().filter_map(|row| row.item.reason).collect();
    let texts = documents::find(app, of.user, &reasons).await?;
    let attempt = |row: &&account::VersionedRow<Identity>| {
        let of = &row.item;
        let by: Vec<u32> = of.approvals.iter().map(|approval| approval.operator.0).collect();
        json!({
            "id": of.submission.0, "level": if of.level == KycLevel::Basic { 1 } else { 2 }, "status": queue_rows::identity_state(of.status),
            "submitted_at_ms": of.submitted.0, "changed_at_ms": row.changed_ms, "approved_by": by,
            "reason": of.reason.and_then(|digest| texts.get(&digest)),
        })
    };
    let refused = past.iter().filter(|row| matches!(row.item.status, Status::Rejected | Status::Unverified)).count();
    let detail = if refused == 0 { String::new() } else { format!("{refused} of {}", past.len()) };
    Ok((past.iter().map(attempt).collect(), check("no_refused_attempt", refused == 0, detail)))
}

/// Days of 24 hours that have begun since a loan was due and was not repaid; none are counted after its time of grace.
fn overdue_days(of: &Loan) -> u32 {
    of.periods.saturating_sub(of.terms.days)
}

/// What a loan still takes by its due date; nothing once it is over.
fn to_be_repaid(of: &Loan) -> Option<u64> {
    let interest = of.interest_to_due().saturating_sub(of.interest.paid);
    match of.status {
        LoanStatus::Pending => Some(of.amount.saturating_add(interest)),
        LoanStatus::InLoan | LoanStatus::Overdue => Some(of.outstanding.saturating_add(interest).saturating_add(of.penalty_due())),
        LoanStatus::Finished | LoanStatus::Cancelled => None,
    }
}

/// When a loan is due, what is still to be repaid by then, and from when on its collateral is sold. One that waits is due so long after it is
/// paid out.
pub(super) fn schedule(engine: &Engine, of: &Loan) -> Map<String, Json> {
    let lent = |atoms| amount(engine.catalog(), of.terms.asset, atoms);
    let grace = u64::from(of.terms.grace_days).saturating_mul(DAY_MS);
    let days = u64::from(of.terms.days).saturating_mul(DAY_MS);
    let when = |at: Option<Time>| at.map(|at| at.0);
    let fields = json!({
        "applied_at_ms": of.applied.0, "start_at_ms": when(of.start), "due_at_ms": when(of.due()),
        "due_if_paid_out_now_ms": (of.status == LoanStatus::Pending).then(|| engine.time().0.saturating_add(days)),
        "total_return": to_be_repaid(of).map(lent), "sold_from_ms": when(of.due().map(|due| due.plus(grace))),
        "grace_days": of.terms.grace_days, "overdue_multiplier": of.terms.overdue_multiple, "overdue_days": overdue_days(of),
    });
    if let Json::Object(fields) = fields { fields } else { Map::new() }
}

/// The member's other loans that were paid out, newest first, with their overdue days, and what they say.
pub(super) async fn loans(app: &App, of: &Loan) -> Result<(Json, ItemCheck), DbError> {
    let (pages, limit) = APPLICATIONS;
    let (mut paid_out, mut seen, mut all) = (Vec::new(), 0, 0);
    for page in 1..=pages {
        let (rows, total) = account::list::<Loan>(&app.db, Some(of.user), None, Page { page, limit }).await?;
        (seen, all) = (seen + rows.len() as u64, total);
        paid_out.extend(rows.into_iter().map(|row| row.item).filter(|other| other.start.is_some() && other.id != of.id));
        if seen >= all {
            break;
        }
    }
    let engine = app.sequencer.engine();
    let facts = engine.catalog();
    // A running loan is shown as it is now.
    let others: Vec<&Loan> = paid_out.iter().map(|other| engine.loan(other.id).unwrap_or(other)).collect();
    let line = |other: &&Loan| {
        json!({
            "id": other.id.0, "amount": amount(facts, other.terms.asset, other.amount), "currency_name": code(facts, other.terms.asset),
            "day": other.terms.days, "state": queue_rows::loan_state(other.status), "end": other.reason.map(EndReason::name),
            "applied_at_ms": other.applied.0, "due_at_ms": other.due().map(|at| at.0), "ended_at_ms": other.ended.map(|at| at.0),
            "overdue_days": overdue_days(other),
        })
    };
    let late = others.iter().filter(|other| overdue_days(other) > 0).count();
    let detail = match late {
        0 if seen < all => format!("only {seen} of {all} applications were looked at"),
        0 => String::new(),
        late => format!("{late} of {}", others.len()),
    };
    Ok((others.iter().take(LOANS).map(line).collect(), check("no_overdue_loan", late == 0 && seen >= all, detail)))
}

/// Whether the basic level, on which the advanced one is based, is verified, and by whom.
pub(super) fn basic(known: Option<&Identity>) -> ItemCheck {
    let verified = known.filter(|basic| basic.status == Status::Verified);
    let by = verified.and_then(|basic| basic.approvals.last()).map(|last| format!("by operator {} at {}", last.operator.0, last.at.0));
    check("basic_verified", verified.is_some(), by.unwrap_or_default())
}

/// Whether the papers are of the country that the member named at sign-up.
pub(super) async fn country(app: &App, user: UserId, submitted: &Json) -> Result<ItemCheck, DbError> {
    let (named, papers) = (people::country(&app.db, user).await?, submitted["country"].as_str().unwrap_or_default());
    if named.is_empty() || papers.is_empty() {
        return Ok(not_known(COUNTRY));
    }
    Ok(check(COUNTRY, named == papers, format!("{named} at sign-up, {papers} in the papers")))
}

/// Whether the account is young, whether its owner lately logged in from another device, and whether the log of their coin ties out with
/// what they have of it.
pub(super) async fn withdrawal(app: &App, of: &Withdrawal) -> Result<[ItemCheck; 3], DbError> {
    let born = people::some(app, &[of.user]).await?.first().map_or(0, |person| person.created_at_ms);
    let is_old = born + YOUNG_MS <= of.submitted.0;
    let device = security::newest_device(&app.db, of.user).await?;
    let young = device.filter(|since| since + YOUNG_MS > app.clock.wall_ms());
    let (seq, whole) = {
        let engine = app.sequencer.engine();
        let balance = engine.balance(of.user, Wallet::Spot, of.asset).unwrap_or_default();
        (engine.seq().0, i128::from(balance.available) + i128::from(balance.held))
    };
    // The rows and the balance belong to the same entry.
    let written = app.wait_for(seq).await.is_ok();
    let sum = balance_changes::sum(&app.db, of.user, Wallet::Spot, of.asset, seq).await?;
    let figure =
        |atoms: i128| u64::try_from(atoms).map_or_else(|_| format!("{atoms} atoms"), |atoms| amount(&app.catalog, of.asset, atoms));
    let detail = if written { format!("{} of {}", figure(sum.into()), figure(whole)) } else { "the log is behind".to_owned() };
    // All devices of a young account are new.
    let no_device = match device {
        None if !is_old => not_known(NO_DEVICE),
        _ => check(NO_DEVICE, young.is_none(), device.map_or_else(String::new, |since| format!("since {since}"))),
    };
    Ok([
        check("account_older_than_a_week", is_old, format!("since {born}")),
        no_device,
        check("log_ties_out", written && i128::from(sum) == whole, detail),
    ])
}
