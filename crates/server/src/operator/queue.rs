//! The queues: items waiting for operators, oldest first, so late ones are on top; and decided items, newest first.

use engine::funding::withdrawals::{EXPECTED_MS, Withdrawal};
use engine::identity::Identity;
use engine::ids::UserId;
use engine::loans::loan::Loan;
use engine::loans::terms::DECISION_MS;
use engine::time::HOUR_MS;
use serde::Serialize;
use store::db::DbError;
use store::queues::{self, QueuePart};
use store::{Page, fund_passwords, operators};
use utoipa::ToSchema;

use super::observations::OperatorMark;
use super::queue_rows as rows;
use super::{Roles, masked, need_role, session};
use crate::http::page::{Paginator, ts};
use crate::http::reply::{Answer, Refusal, Reply, bad_field};
use crate::http::request::{Input, request, words};
use crate::http::{App, Call, types};

/// A queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Coins on a chain.
    Deposit,
    /// Bank transfers.
    BankDeposit,
    /// Withdrawals, until they are sent.
    Withdrawal,
    /// Identity submissions.
    Identity,
    /// Applications for loans.
    Loan,
    /// Resets of fund passwords.
    FundReset,
    /// Tickets.
    Ticket,
    /// Chats.
    Chat,
}

impl Kind {
    /// All.
    pub const ALL: [Kind; 8] =
        [Kind::Deposit, Kind::BankDeposit, Kind::Withdrawal, Kind::Identity, Kind::Loan, Kind::FundReset, Kind::Ticket, Kind::Chat];

    /// The word of the wire.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Deposit => "deposit",
            Kind::BankDeposit => "bank_deposit",
            Kind::Withdrawal => "withdrawal",
            Kind::Identity => "identity",
            Kind::Loan => "loan",
            Kind::FundReset => "fund_reset",
            Kind::Ticket => "ticket",
            Kind::Chat => "chat",
        }
    }

    /// The queue with this word.
    pub fn parse(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The roles that decide.
    pub fn deciders(self) -> Roles {
        match self {
            Kind::Deposit | Kind::BankDeposit | Kind::Withdrawal | Kind::Loan => Roles::TREASURY,
            Kind::Identity | Kind::FundReset => Roles::VERIFIER,
            Kind::Ticket | Kind::Chat => Roles::SUPPORT,
        }
    }

    /// How long a case may wait, in milliseconds: for its first decision, an internal target, and in total, as communicated to the member.
    pub fn target(self) -> (u64, u64) {
        match self {
            Kind::Deposit | Kind::Chat => (HOUR_MS, HOUR_MS),
            // A bank transfer takes a day or two.
            Kind::BankDeposit => (48 * HOUR_MS, 48 * HOUR_MS),
            Kind::Withdrawal => (3 * HOUR_MS, EXPECTED_MS),
            Kind::Identity => (6 * HOUR_MS, 24 * HOUR_MS),
            // If no operator has decided by then, the application ends.
            Kind::Loan => (6 * HOUR_MS, DECISION_MS),
            Kind::FundReset | Kind::Ticket => (24 * HOUR_MS, 24 * HOUR_MS),
        }
    }

    /// The roles that may view it.
    pub fn readers(self) -> Roles {
        self.deciders().or(Roles::AUDITOR)
    }
}

/// A row of a queue.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueRow {
    #[schema(value_type = types::QueueKind)]
    pub(super) kind: &'static str,
    pub(super) id: u64,
    pub(super) version: u64,
    pub(super) hash: String,
    pub(super) user_id: u64,
    pub(super) user_mask: String,
    pub(super) summary: String,
    pub(super) value_usdt: Option<String>,
    pub(super) needs: u64,
    pub(super) approvals: Vec<OperatorMark>,
    pub(super) failed_checks: Vec<&'static str>,
    #[schema(value_type = types::Flag)]
    pub(super) late: u8,
    pub(super) first_by_ms: u64,
    pub(super) promised_by_ms: u64,
    pub(super) status: String,
    pub(super) created_at: String,
    pub(super) created_at_ms: u64,
}

/// A line before the member is looked up.
pub(super) struct Draft {
    pub(super) kind: Kind,
    pub(super) id: u64,
    pub(super) version: u64,
    pub(super) hash: String,
    pub(super) user: UserId,
    pub(super) summary: String,
    pub(super) value_usdt: Option<String>,
    pub(super) needs: u64,
    pub(super) approvals: Vec<OperatorMark>,
    /// Checks that need a person; none once it is decided.
    pub(super) failed_checks: Vec<&'static str>,
    pub(super) status: &'static str,
    /// It waits for operators.
    pub(super) open: bool,
    pub(super) created_at_ms: u64,
}

/// The queue of a call, if its caller may view it.
pub(super) fn kind(call: &Call, word: &Input<String>, roles: impl Fn(Kind) -> Roles) -> Result<Kind, Refusal> {
    let kind = Kind::parse(&word.required()?).ok_or_else(|| bad_field("kind", "enum"))?;
    need_role(session(call)?, roles(kind))?;
    Ok(kind)
}

/// The lines with their members.
pub(super) async fn finish(app: &App, drafts: Vec<Draft>) -> Result<Vec<QueueRow>, DbError> {
    let users: Vec<UserId> = drafts.iter().map(|draft| draft.user).collect();
    let accounts = operators::accounts(&app.db, &users).await?;
    let now = app.now_ms();
    let row = |draft: Draft| {
        let (first, promised) = draft.kind.target();
        let promised_by_ms = draft.created_at_ms + promised;
        QueueRow {
            kind: draft.kind.word(),
            id: draft.id,
            version: draft.version,
            hash: draft.hash,
            user_id: draft.user.0,
            user_mask: accounts.get(&draft.user).map_or_else(String::new, |account| masked(account)),
            summary: draft.summary,
            value_usdt: draft.value_usdt,
            needs: draft.needs,
            approvals: draft.approvals,
            failed_checks: draft.failed_checks,
            late: (draft.open && now > promised_by_ms).into(),
            first_by_ms: draft.created_at_ms + first,
            promised_by_ms,
            status: draft.status.to_owned(),
            created_at: ts(draft.created_at_ms),
            created_at_ms: draft.created_at_ms,
        }
    };
    Ok(drafts.into_iter().map(row).collect())
}

/// Queues in which nothing ever waits: subscriptions need no review.
const EMPTY: [&str; 1] = ["subscription"];

words! {
    /// Which items of a queue.
    pub enum QueueFilter {
        Open = "open",
        Done = "done",
        All = "all",
    }
}

request! {
    /// What `queue` takes.
    pub struct ListQueue checked by handler {
        required kind: Input<String>,
        optional status: Option<QueueFilter>,
        optional page: Page,
    }
}

/// `GET /operator/api/queue`
pub async fn list(call: Call, request: ListQueue) -> Answer {
    let (which, page) = (request.status.unwrap_or(QueueFilter::Open), request.page);
    if request.kind.readable().is_some_and(|kind| EMPTY.contains(&kind.as_str())) {
        need_role(session(&call)?, Roles::TREASURY.or(Roles::AUDITOR))?;
        return Ok(Reply::ok(Paginator::<QueueRow>::new(Vec::new(), 0, page)));
    }
    let kind = kind(&call, &request.kind, Kind::readers)?;
    let (drafts, total) = lines(&call.app, kind, which, page).await?;
    Ok(Reply::ok(Paginator::new(finish(&call.app, drafts).await?, total, page)))
}

async fn lines(app: &App, kind: Kind, which: QueueFilter, page: Page) -> Result<(Vec<Draft>, u64), Refusal> {
    let which = match which {
        QueueFilter::Open => QueuePart::Open,
        QueueFilter::Done => QueuePart::Done,
        QueueFilter::All => QueuePart::All,
    };
    if which == QueuePart::Open && matches!(kind, Kind::Deposit | Kind::BankDeposit | Kind::Withdrawal | Kind::Loan) {
        // Includes items that wait now and have no rows yet.
        app.wait_for(app.sequencer.newest()).await?;
    }
    match kind {
        Kind::Deposit | Kind::BankDeposit => {
            let bank = kind == Kind::BankDeposit;
            let (found, total) = queues::deposits(&app.db, bank, which, page).await?;
            let engine = app.sequencer.engine();
            Ok((found.iter().map(|deposit| rows::deposit(&engine, engine.deposit(deposit.id).unwrap_or(deposit))).collect(), total))
        }
        Kind::Withdrawal => {
            let (found, total) = queues::withdrawals(&app.db, which, page).await?;
            let engine = app.sequencer.engine();
            let newest = |kept: &Withdrawal| rows::withdrawal(&engine, engine.withdrawal(kept.id).unwrap_or(kept));
            Ok((found.iter().map(newest).collect(), total))
        }
        Kind::Identity => {
            let (found, total) = queues::submissions(&app.db, which, page).await?;
            let engine = app.sequencer.engine();
            let newest = |kept: &Identity| rows::identity(&engine, engine.submission(kept.submission).unwrap_or(kept));
            Ok((found.iter().map(newest).collect(), total))
        }
        Kind::Loan => {
            let (found, total) = queues::loans(&app.db, which, page).await?;
            let engine = app.sequencer.engine();
            let newest = |kept: &Loan| rows::loan(&engine, engine.loan(kept.id).unwrap_or(kept));
            Ok((found.iter().map(newest).collect(), total))
        }
        Kind::FundReset => {
            let (found, total) = fund_passwords::resets(&app.db, which, page).await?;
            let engine = app.sequencer.engine();
            Ok((found.iter().map(|reset| rows::reset(&engine, reset)).collect(), total))
        }
        Kind::Ticket => {
            let (found, total) = queues::tickets(app, which, page).await?;
            Ok((found.iter().map(rows::ticket).collect(), total))
        }
        Kind::Chat => {
            let (found, total) = queues::chats(&app.db, which, page).await?;
            Ok((found.iter().map(rows::chat).collect(), total))
        }
    }
}
