//! What operators may do. This list is closed and published; a test fails when it grows.
//!
//! None of it sets a price, an outcome, a fill, a balance, or the amount or address of a withdrawal. The one human credit, a deposit entered
//! by hand or a bank transfer, needs an outside reference and two operators (D-5).

use serde::{Deserialize, Serialize};

use crate::backoffice::proposals::Proposed;
use crate::funding::deposit::Observed;
use crate::ids::{DepositId, Digest, LoanId, MarketId, ObservationId, OperatorId, ProposalId, SubmissionId, UserId, WithdrawalId};
use crate::operators::approval::{Reviewer, SignedVersion};
use crate::product::Product;
use crate::security::FreezeScope;

/// One act of one operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operate {
    /// The operator who acts.
    pub by: Reviewer,
    /// Their act.
    pub act: OperatorAct,
}

/// What an operator may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub enum OperatorAct {
    /// Decide about an item of a queue.
    Decide {
        item: Item,
        /// How.
        decision: Decision,
        /// Version and hash that they saw.
        seen: SignedVersion,
    },
    /// Enter an observed payment by hand (D-5).
    EnterDeposit {
        /// SHA-256 of `chain:transaction:output`.
        tx: Digest,
        /// The observed payment.
        observed: Observed,
        /// Confirmations seen.
        confirmations: u32,
    },
    /// Note the transaction of a passed withdrawal.
    MarkSent {
        withdrawal: WithdrawalId,
        /// Digest of the transaction with the output that pays it, or of the bank reference.
        tx: Digest,
    },
    /// Freeze a member. Lifting it needs two.
    Freeze {
        /// The member.
        user: UserId,
        /// What is blocked.
        scope: FreezeScope,
        /// Digest of the reason.
        reason: Digest,
    },
    /// Stop or resume opening a product ([`Product::may_pause`]). Closing, cancelling and withdrawing are never paused.
    Pause {
        product: Product,
        /// One pair of it; `None` means all.
        market: Option<MarketId>,
        /// True: stop. False: resume.
        on: bool,
        /// Digest of the reason.
        reason: Digest,
    },
    /// Propose an act under dual control.
    Propose {
        /// The proposed act.
        proposed: Proposed,
        /// Digest of the reason.
        reason: Digest,
    },
    /// Confirm another operator's proposal.
    Confirm {
        proposal: ProposalId,
        /// Hash that they saw.
        hash: Digest,
    },
    /// Withdraw an own proposal.
    CancelProposal { proposal: ProposalId },
    /// Note a view or an act that changes no money, so it is in the same chain.
    Record(AuditNote),
    /// Release the log-in of a new operator whom this operator proposed: until then no one can log in as them.
    ReleaseOperator {
        /// The new operator.
        subject: OperatorId,
    },
}

impl OperatorAct {
    /// The kinds with their names, in the order of their public numbers from 0. This is the closed list.
    pub const KINDS: [&str; 13] = [
        "decide_deposit",
        "decide_withdrawal",
        "decide_identity",
        "enter_deposit",
        "mark_sent",
        "freeze",
        "pause",
        "propose",
        "confirm",
        "cancel_proposal",
        "record",
        "release_operator",
        "decide_loan",
    ];

    /// Public number of its kind.
    pub fn kind(&self) -> u8 {
        match self {
            OperatorAct::Decide { item: Item::Deposit(_), .. } => 0,
            OperatorAct::Decide { item: Item::Withdrawal(_), .. } => 1,
            OperatorAct::Decide { item: Item::Identity(_), .. } => 2,
            OperatorAct::EnterDeposit { .. } => 3,
            OperatorAct::MarkSent { .. } => 4,
            OperatorAct::Freeze { .. } => 5,
            OperatorAct::Pause { .. } => 6,
            OperatorAct::Propose { .. } => 7,
            OperatorAct::Confirm { .. } => 8,
            OperatorAct::CancelProposal { .. } => 9,
            OperatorAct::Record(_) => 10,
            OperatorAct::ReleaseOperator { .. } => 11,
            OperatorAct::Decide { item: Item::Loan(_), .. } => 12,
        }
    }

    /// It concerns no member, so everyone may read all of it.
    pub fn concerns_the_house(&self) -> bool {
        match self {
            OperatorAct::Pause { .. }
            | OperatorAct::Confirm { .. }
            | OperatorAct::CancelProposal { .. }
            | OperatorAct::ReleaseOperator { .. } => true,
            OperatorAct::Propose { proposed, .. } => matches!(
                proposed,
                Proposed::TreasuryMove { .. }
                    | Proposed::ChangeCatalog { .. }
                    | Proposed::RetireMarket { .. }
                    | Proposed::LaunchOffering { .. }
                    | Proposed::StopProposal { .. }
            ),
            OperatorAct::Decide { .. }
            | OperatorAct::EnterDeposit { .. }
            | OperatorAct::MarkSent { .. }
            | OperatorAct::Freeze { .. }
            | OperatorAct::Record(_) => false,
        }
    }
}

/// An item of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Item {
    /// A deposit claim.
    Deposit(DepositId),
    /// A withdrawal.
    Withdrawal(WithdrawalId),
    /// An identity submission.
    Identity(SubmissionId),
    /// An application for a loan.
    Loan(LoanId),
}

/// A decision about an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// Approve a withdrawal, an identity submission or a loan.
    Approve,
    /// Approve a deposit of coins with this observed payment; its amount is credited, not the claimed one (D-3).
    ApproveWith(ObservationId),
    /// Approve a bank deposit with the digest of this bank reference (10.2).
    ApproveBank(Digest),
    /// Reject.
    Reject {
        /// Digest of the reason, which the member sees.
        reason: Digest,
    },
}

/// A view or an act that changes no money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditNote {
    /// The action.
    pub action: AuditAction,
    /// Its object.
    pub object: AuditObject,
    /// Number of that object; 0 when it has none.
    pub id: u64,
    /// Digest of the reason.
    pub reason: Digest,
}

/// The action of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuditAction {
    /// Logged in.
    LogIn,
    /// Logged out.
    LogOut,
    /// Looked at it.
    View,
    /// Searched.
    Search,
    /// Answered.
    Reply,
    /// Wrote or changed it.
    Save,
    /// Removed it.
    Delete,
    /// Changed the own password or second factor.
    ChangeSecret,
}

/// The object of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuditObject {
    /// The console itself.
    Console,
    /// A queue.
    Queue,
    /// A deposit claim.
    Deposit,
    /// An observed payment.
    Observation,
    /// A withdrawal.
    Withdrawal,
    /// An identity submission.
    Identity,
    /// A picture.
    File,
    /// A member.
    Member,
    /// House accounts.
    Treasury,
    /// The catalog.
    Catalog,
    /// A proposal.
    Proposal,
    /// An operator.
    Operator,
    /// A ticket.
    Ticket,
    /// A chat.
    Chat,
    /// An article.
    Article,
    /// The audit log.
    Audit,
    /// A credit that its chain contradicts.
    Incident,
    /// A loan.
    Loan,
}
