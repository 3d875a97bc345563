//! The data of deposits: a member's deposit notice, an observed payment, an incident where a chain contradicts a credit.

use serde::{Deserialize, Serialize};

use super::status::{DepositStatus, ObservationStatus};
use crate::amount::{Amount, Price};
use crate::catalog::funding::Chain;
use crate::ids::{AssetId, DepositId, Digest, IncidentId, ObservationId, UserId};
use crate::operators::approval::{Approval, SignedVersion};
use crate::product::Product;
use crate::time::{DAY_MS, Time};

/// A credit may be reversed for this long: since its incident, or since the credit while no watcher has reported on it, ms.
pub const REVERSAL_MS: u64 = 30 * DAY_MS;

/// What a member says they sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Claimed {
    /// Coins on a chain.
    Coin {
        /// Coin.
        asset: AssetId,
        /// Chain.
        chain: Chain,
        /// Atoms; never the amount that is credited (D-3).
        amount: Amount,
    },
    /// A bank transfer.
    Bank {
        /// US cents.
        cents: u64,
    },
}

impl Claimed {
    /// The product that it belongs to.
    pub fn product(self) -> Product {
        match self {
            Claimed::Coin { .. } => Product::CoinDeposit,
            Claimed::Bank { .. } => Product::BankDeposit,
        }
    }
}

/// A deposit claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub struct Deposit {
    pub id: DepositId,
    pub user: UserId,
    /// What they say they sent; for a deposit opened by an observation, the observed payment.
    pub claimed: Claimed,
    /// Coins for one US dollar, fixed at the claim; 0 for coins on a chain (10.2).
    pub rate: Price,
    /// Digest of the proof; `None` when an observation opened the claim.
    pub proof: Option<Digest>,
    /// The observed payment that it is matched with.
    pub observation: Option<ObservationId>,
    pub status: DepositStatus,
    /// Operators who approved.
    pub approvals: Vec<Approval>,
    /// Digest of the bank reference of the approvals so far.
    pub reference: Option<Digest>,
    /// Atoms that were credited.
    pub credited: Option<Amount>,
    /// Digest of the reason of a rejection.
    pub reason: Option<Digest>,
    /// When it was claimed.
    pub created: Time,
    /// When it was passed or rejected.
    pub decided: Option<Time>,
    /// Rises with every change.
    pub version: u32,
}

impl Deposit {
    /// Hash of what an approver must have seen.
    pub fn hash(&self) -> Digest {
        let Deposit { id, user, claimed, rate, proof, observation, created, .. } = self;
        Digest::of("deposit", &(id, user, claimed, rate, proof, observation, created))
    }

    /// Its version and hash.
    pub fn seen(&self) -> SignedVersion {
        SignedVersion { version: self.version, hash: self.hash() }
    }
}

/// A payment observed outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// Owner of the receiving address (D-1).
    pub user: UserId,
    /// Coin.
    pub asset: AssetId,
    /// Chain.
    pub chain: Chain,
    /// Atoms.
    pub amount: Amount,
}

/// One operator's entry of an observed payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandEntry {
    /// The operator who entered it, and when.
    pub by: Approval,
    /// The entered payment.
    pub observed: Observed,
}

/// An observed payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// Number.
    pub id: ObservationId,
    /// SHA-256 of `chain:transaction:output`: credited at most once, for ever (D-3).
    pub tx: Digest,
    /// The payment as reported by the watcher, or by the first operator until two agree.
    pub observed: Observed,
    /// Most confirmations seen.
    pub confirmations: u32,
    /// A watcher saw it.
    pub watched: bool,
    /// Manual entries.
    pub entries: Vec<HandEntry>,
    /// State.
    pub status: ObservationStatus,
    /// The claim that it is matched with.
    pub claim: Option<DepositId>,
    /// Its chain dropped it after the credit: an incident (D-7).
    pub vanished: bool,
    /// Atoms taken back by a reversal; the rest of the amount is the house's loss (D-7).
    pub taken_back: Option<Amount>,
}

/// The outcome of an incident.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IncidentStatus {
    /// The chain and the credit differ.
    Open,
    /// The chain confirms the credit after all. Final.
    Settled,
    /// Two operators took the contradicted part back. Final.
    Reversed,
    /// It was not reversed in time, so the credit stays. Final.
    Lapsed,
}

/// A credit that its chain contradicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    /// Number: the sequence of the entry that opened it.
    pub id: IncidentId,
    /// The observed payment.
    pub observation: ObservationId,
    /// The credited payment and its member.
    pub credited: Observed,
    /// What the watcher sees in its place; `None`: its chain dropped it.
    pub seen: Option<Observed>,
    /// When it was opened.
    pub opened: Time,
    /// When the watcher's report last changed: signatures about an earlier report no longer count.
    pub changed: Time,
    /// State.
    pub status: IncidentStatus,
    /// When it was closed.
    pub closed: Option<Time>,
}

impl Incident {
    /// Atoms of the credit that the chain contradicts: all of them when the payment is gone, or belongs to another member or coin.
    pub fn contradicted(&self) -> Amount {
        let same = |seen: &Observed| (seen.user, seen.asset, seen.chain) == (self.credited.user, self.credited.asset, self.credited.chain);
        let held = self.seen.filter(same).map_or(0, |seen| seen.amount);
        self.credited.amount.saturating_sub(held)
    }

    /// The last instant at which two operators may take it back.
    pub fn until(&self) -> Time {
        self.opened.plus(REVERSAL_MS)
    }
}
