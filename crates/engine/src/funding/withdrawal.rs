//! The data of withdrawals: what a member asks for, the withdrawal, what its chain says about the payout.

use serde::{Deserialize, Serialize};

use super::deposit::REVERSAL_MS;
use super::status::WithdrawalStatus;
use crate::amount::Amount;
use crate::catalog::funding::Chain;
use crate::exact::Exact;
use crate::ids::{AddressId, AssetId, CardId, Digest, UserId, WithdrawalId};
use crate::operators::approval::{Approval, SignedVersion};
use crate::reject::CodeFault;
use crate::time::{HOUR_MS, Time};

/// A withdrawal is expected to be sent within this time, ms (W-6).
pub const EXPECTED_MS: u64 = 12 * HOUR_MS;

/// The edge's findings about secrets; the secrets themselves never enter the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// The fund password was right.
    pub fund_password_right: bool,
    /// What was wrong with the code or second factor, if anything.
    pub code: Option<CodeFault>,
}

/// Where a withdrawal goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Destination {
    /// A stored address.
    Address {
        /// Which.
        address: AddressId,
        /// Requested chain; it must be that of the address.
        chain: Chain,
    },
    /// A stored bank card, paid from the coin of the bank terms.
    Card(CardId),
}

/// Apply for a withdrawal (W-3 to W-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdraw {
    /// Owner.
    pub user: UserId,
    /// Coin.
    pub asset: AssetId,
    /// Atoms, fee inside.
    pub amount: Amount,
    /// Where to.
    pub destination: Destination,
    /// Secrets that the edge checked.
    pub verification: Verification,
    /// The amount shown to the member: atoms after the fee, for a card cents. Terms that give another amount refuse it. `None` from clients
    /// that do not send it.
    pub arrives: Option<Amount>,
}

/// A withdrawal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub struct Withdrawal {
    pub id: WithdrawalId,
    pub user: UserId,
    pub asset: AssetId,
    /// Atoms, fee inside.
    pub amount: Amount,
    /// Atoms of the fee.
    pub fee: Amount,
    /// Where to.
    pub destination: Destination,
    /// Digest of the destination's text, copied at submission.
    pub destination_digest: Digest,
    /// US cents paid out to a card, fixed at submission (W-10).
    pub payout_cents: Option<u64>,
    /// Value for the day limit, atoms of the coin of the bank terms (W-5).
    pub value: Amount,
    /// When it was applied for.
    pub submitted: Time,
    pub status: WithdrawalStatus,
    /// Operators who approved.
    pub approvals: Vec<Approval>,
    /// Digest of the reason of a rejection or return.
    pub reason: Option<Digest>,
    /// Digest of the transaction or bank reference.
    pub tx: Option<Digest>,
    /// Rises with every change.
    pub version: u32,
}

impl Withdrawal {
    /// Atoms that arrive (W-6).
    pub fn received(&self) -> Amount {
        self.amount.less(self.fee, "a fee is below its amount (W-6)")
    }

    /// When it should be sent (W-6).
    pub fn expected_at(&self) -> Time {
        self.submitted.plus(EXPECTED_MS)
    }

    /// Hash of exactly what an approver signs: number, owner, coin, amounts, destination.
    pub fn hash(&self) -> Digest {
        let Withdrawal { id, user, asset, amount, fee, destination, destination_digest, payout_cents, submitted, .. } = self;
        Digest::of("withdrawal", &(id, user, asset, amount, fee, destination, destination_digest, payout_cents, submitted))
    }

    /// Its version and hash.
    pub fn seen(&self) -> SignedVersion {
        SignedVersion { version: self.version, hash: self.hash() }
    }

    /// What its chain must hold; `None` for one paid by a bank.
    pub(crate) fn payout(&self) -> Option<(Chain, Paid)> {
        let Destination::Address { chain, .. } = self.destination else { return None };
        Some((chain, Paid { asset: self.asset, amount: self.received(), destination: self.destination_digest }))
    }
}

/// What an output of a transaction pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paid {
    /// Coin.
    pub asset: AssetId,
    /// Atoms, from 1.
    pub amount: Amount,
    /// SHA-256 of the canonical text of the address.
    pub destination: Digest,
}

/// A watcher's findings about the output that should have paid a sent withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayoutReport {
    /// The withdrawal.
    pub withdrawal: WithdrawalId,
    /// Its mark: the digest of the transaction with the output.
    pub tx: Digest,
    /// What the chain holds there; `None`: it dropped the transaction, never had it, or that output pays none of our coins.
    pub paid: Option<Paid>,
    /// Confirmations, blocks; 0 without a payment.
    pub confirmations: u32,
}

/// A mark that its chain contradicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    /// The withdrawal.
    pub withdrawal: WithdrawalId,
    /// What the chain holds in its place, if anything.
    pub paid: Option<Paid>,
    /// When it was marked.
    pub marked: Time,
    /// When the chain first contradicted it.
    pub opened: Time,
}

impl Dispute {
    /// The last instant at which two operators may take the mark back.
    pub(super) fn until(&self) -> Time {
        self.opened.plus(REVERSAL_MS)
    }
}
