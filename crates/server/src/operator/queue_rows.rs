//! One line for each kind of item. A line identifies the member only by their masked account.

use engine::Engine;
use engine::catalog::funding::BankTerms;
use engine::funding::deposits::{BANK_APPROVALS, Claimed, Deposit};
use engine::funding::status::{DepositStatus, WithdrawalStatus};
use engine::funding::withdrawals::{APPROVALS, Destination, Withdrawal};
use engine::identity::status::Status;
use engine::identity::{Identity, KycLevel};
use engine::ids::AssetId;
use engine::loans::loan::Loan;
use engine::loans::status::Status as LoanStatus;
use engine::operators::approval::Approval;
use engine::units::{Base, Scales};
use sha2::{Digest, Sha256};
use store::fund_passwords::{Reset, ResetStatus};
use store::messages::{Status as TicketStatus, Ticket};
use store::queues::Chat;
use store::secrets::hex;

use super::Roles;
use super::checks;
use super::hash_text;
use super::observations::OperatorMark;
use super::proposals::plain;
use super::queue::{Draft, Kind};
use crate::http::units::{amount, code};

pub(super) fn marks(approvals: &[Approval]) -> Vec<OperatorMark> {
    approvals.iter().map(|approval| OperatorMark { operator_id: approval.operator.0, at_ms: approval.at.0 }).collect()
}

/// The exact state of a withdrawal, as a word.
pub(super) fn withdrawal_state(status: WithdrawalStatus) -> &'static str {
    match status {
        WithdrawalStatus::UnderReview => "under_review",
        WithdrawalStatus::Passed => "passed",
        WithdrawalStatus::Sent => "sent",
        WithdrawalStatus::Rejected => "rejected",
        WithdrawalStatus::Cancelled => "cancelled",
        WithdrawalStatus::Returned => "returned",
        WithdrawalStatus::Confirmed => "confirmed",
    }
}

fn usdt(engine: &Engine, asset: AssetId, atoms: u64) -> Option<String> {
    let facts = engine.catalog();
    let to = facts.funding.bank.asset;
    let scale = |asset| facts.asset(asset).map(|asset| asset.scale);
    let scales = Scales { base: scale(asset)?, quote: scale(to)? };
    let value = Base(atoms).value_ceil(engine.value_price(asset)?, scales).ok()?.0;
    Some(amount(facts, to, value))
}

/// The state of a deposit notice, as a word.
pub(super) fn deposit_state(status: DepositStatus) -> &'static str {
    match status {
        DepositStatus::UnderReview => "under_review",
        DepositStatus::Passed => "passed",
        DepositStatus::Rejected => "rejected",
    }
}

pub(super) fn deposit(engine: &Engine, deposit: &Deposit) -> Draft {
    let facts = engine.catalog();
    let open = deposit.status == DepositStatus::UnderReview;
    let (kind, summary, value_usdt, needs) = match deposit.claimed {
        Claimed::Coin { asset, chain, amount: atoms } => {
            let seen = deposit.observation.map_or("not matched yet", |_| "seen");
            let summary = format!("{} {} on {}, {seen}", amount(facts, asset, atoms), code(facts, asset), chain.name());
            (Kind::Deposit, summary, usdt(engine, asset, atoms), 1)
        }
        Claimed::Bank { cents } => {
            let summary = format!("{} USD by bank", plain(cents, 2));
            let credit = BankTerms::credit(cents, deposit.rate);
            (Kind::BankDeposit, summary, credit.map(|atoms| amount(facts, facts.funding.bank.asset, atoms)), BANK_APPROVALS as u64)
        }
    };
    Draft {
        kind,
        id: deposit.id.0,
        version: u64::from(deposit.version),
        hash: hash_text(deposit.hash()),
        user: deposit.user,
        summary,
        value_usdt,
        needs,
        approvals: marks(&if open {
            engine.still_counting(&deposit.approvals, deposit.user, Roles::TREASURY, None)
        } else {
            deposit.approvals.clone()
        }),
        failed_checks: Vec::new(),
        status: deposit_state(deposit.status),
        open,
        created_at_ms: deposit.created.0,
    }
}

/// The state of a loan, as a word: an undecided one is under review.
pub(super) fn loan_state(status: LoanStatus) -> &'static str {
    match status {
        LoanStatus::Pending => "under_review",
        LoanStatus::InLoan => "in_loan",
        LoanStatus::Overdue => "overdue",
        LoanStatus::Finished => "finished",
        LoanStatus::Cancelled => "cancelled",
    }
}

pub(super) fn loan(engine: &Engine, loan: &Loan) -> Draft {
    let facts = engine.catalog();
    let open = loan.status == LoanStatus::Pending;
    let (lent, bound) = (amount(facts, loan.terms.asset, loan.amount), amount(facts, loan.collateral_asset, loan.collateral));
    let (coin, of) = (code(facts, loan.terms.asset), code(facts, loan.collateral_asset));
    Draft {
        kind: Kind::Loan,
        id: loan.id.0,
        version: u64::from(loan.version),
        hash: hash_text(loan.hash()),
        user: loan.user,
        summary: format!("{lent} {coin} for {} days against {bound} {of}", loan.terms.days),
        value_usdt: usdt(engine, loan.terms.asset, loan.amount),
        needs: u64::from(loan.terms.approvals),
        approvals: marks(&if open {
            engine.still_counting(&loan.approvals, loan.user, Roles::TREASURY, None)
        } else {
            loan.approvals.clone()
        }),
        failed_checks: if open { checks::failed(&checks::loan(engine, loan)) } else { Vec::new() },
        status: loan_state(loan.status),
        open,
        created_at_ms: loan.applied.0,
    }
}

pub(super) fn withdrawal(engine: &Engine, withdrawal: &Withdrawal) -> Draft {
    let facts = engine.catalog();
    let network = match withdrawal.destination {
        Destination::Address { chain, .. } => chain.name(),
        Destination::Card(_) => "card",
    };
    let open = matches!(withdrawal.status, WithdrawalStatus::UnderReview | WithdrawalStatus::Passed);
    Draft {
        kind: Kind::Withdrawal,
        id: withdrawal.id.0,
        version: u64::from(withdrawal.version),
        hash: hash_text(withdrawal.hash()),
        user: withdrawal.user,
        summary: format!("{} {} to {network}", amount(facts, withdrawal.asset, withdrawal.amount), code(facts, withdrawal.asset)),
        value_usdt: Some(amount(facts, facts.funding.bank.asset, withdrawal.value)),
        needs: APPROVALS as u64,
        approvals: marks(&if withdrawal.status == WithdrawalStatus::UnderReview {
            engine.counting_approvals(withdrawal)
        } else {
            withdrawal.approvals.clone()
        }),
        failed_checks: if open { checks::failed(&checks::withdrawal(engine, withdrawal)) } else { Vec::new() },
        status: withdrawal_state(withdrawal.status),
        open,
        created_at_ms: withdrawal.submitted.0,
    }
}

/// The state of a submission, as a word.
pub(super) fn identity_state(status: Status) -> &'static str {
    match status {
        Status::Unverified => "revoked",
        Status::UnderReview => "under_review",
        Status::Verified => "passed",
        Status::Rejected => "rejected",
    }
}

pub(super) fn identity(engine: &Engine, identity: &Identity) -> Draft {
    let open = identity.status == Status::UnderReview;
    Draft {
        kind: Kind::Identity,
        id: identity.submission.0,
        version: u64::from(identity.version),
        hash: hash_text(identity.hash()),
        user: identity.user,
        summary: if identity.level == KycLevel::Basic { "basic level" } else { "advanced level" }.to_owned(),
        value_usdt: None,
        needs: identity.level.approvals_needed() as u64,
        approvals: marks(&if open {
            engine.still_counting(&identity.approvals, identity.user, Roles::VERIFIER, None)
        } else {
            identity.approvals.clone()
        }),
        failed_checks: if open { checks::failed(&checks::identity(engine, identity)) } else { Vec::new() },
        status: identity_state(identity.status),
        open,
        created_at_ms: identity.submitted.0,
    }
}

/// Hash of what a reviewer of a reset must have seen: number, owner and time.
pub(super) fn reset_hash(reset: &Reset) -> [u8; 32] {
    Sha256::digest(format!("fund_reset:{}:{}:{}", reset.id, reset.user.0, reset.created_at_ms)).into()
}

pub(super) fn reset(engine: &Engine, reset: &Reset) -> Draft {
    let open = reset.status.is_open();
    Draft {
        kind: Kind::FundReset,
        id: reset.id,
        version: reset.version,
        hash: hex(&reset_hash(reset)),
        user: reset.user,
        summary: "new fund password".to_owned(),
        value_usdt: None,
        needs: 1,
        approvals: Vec::new(),
        failed_checks: if open { checks::failed(&[checks::not_frozen(engine, reset.user)]) } else { Vec::new() },
        status: match reset.status {
            ResetStatus::Waiting | ResetStatus::Approved => "under_review",
            ResetStatus::Done => "passed",
            ResetStatus::Rejected => "rejected",
        },
        open,
        created_at_ms: reset.created_at_ms,
    }
}

pub(super) fn ticket(ticket: &Ticket) -> Draft {
    Draft {
        kind: Kind::Ticket,
        id: ticket.id,
        version: ticket.updated_at_ms,
        hash: String::new(),
        user: ticket.user,
        summary: format!("ticket about {}", ticket.category),
        value_usdt: None,
        needs: 0,
        approvals: Vec::new(),
        failed_checks: Vec::new(),
        status: match ticket.status {
            TicketStatus::Open => "open",
            TicketStatus::Answered => "answered",
            TicketStatus::Closed => "closed",
        },
        open: ticket.status == TicketStatus::Open,
        created_at_ms: ticket.updated_at_ms,
    }
}

/// The number of a chat is that of its member.
pub(super) fn chat(chat: &Chat) -> Draft {
    Draft {
        kind: Kind::Chat,
        id: chat.user.0,
        version: chat.last_id,
        hash: String::new(),
        user: chat.user,
        summary: "chat".to_owned(),
        value_usdt: None,
        needs: 0,
        approvals: Vec::new(),
        failed_checks: Vec::new(),
        status: if chat.waits { "open" } else { "answered" },
        open: chat.waits,
        created_at_ms: chat.at_ms,
    }
}
