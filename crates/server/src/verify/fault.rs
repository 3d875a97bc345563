//! Why a check failed. The app names the same reasons (`web/src/lib/verify/fault.ts`); shared test cases compare the two.

use std::fmt;

/// Which check failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is not a receipt, or not in a known format.
    Format,
    /// It carries no proof, or not the entries that decide.
    Proof,
    /// The head is not signed with its key.
    Signature,
    /// The key differs from the known one.
    Key,
    /// The first entry is not the one that the head names.
    Genesis,
    /// An entry does not have its hash, or does not continue the one before.
    Chain,
    /// An entry is not in the log of the head.
    Inclusion,
    /// A log does not continue the one that was signed before.
    Consistency,
    /// The purchase is not the entry that it names.
    Purchase,
    /// The rule is not the one of the purchase.
    Rule,
    /// Terms, amounts or times do not match purchase and rule.
    Terms,
    /// The open sample is not the one that the log gives.
    OpenSample,
    /// The delivery sample, or the one after it, is not the one that the log gives.
    DeliverySample,
    /// The outcome does not follow from the samples.
    Outcome,
    /// The payment does not follow from the outcome.
    Payout,
    /// The stops are neither those of the order nor those set by the entries shown.
    Stops,
    /// The lines of a statement do not follow one another, or not from the entries.
    Statement,
    /// The entry does not have the roots of this coin and cut.
    Cut,
    /// A leaf is not made of its member, nonce and balance.
    Leaf,
    /// Sums of a path do not add up to the total.
    Sum,
    /// Another root follows than the log has.
    Root,
    /// Another price follows from the log than the venue shows.
    Price,
}

impl Reason {
    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Format => "format",
            Reason::Proof => "proof",
            Reason::Signature => "signature",
            Reason::Key => "key",
            Reason::Genesis => "genesis",
            Reason::Chain => "chain",
            Reason::Inclusion => "inclusion",
            Reason::Consistency => "consistency",
            Reason::Purchase => "purchase",
            Reason::Rule => "rule",
            Reason::Terms => "terms",
            Reason::OpenSample => "open_sample",
            Reason::DeliverySample => "delivery_sample",
            Reason::Outcome => "outcome",
            Reason::Payout => "payout",
            Reason::Stops => "stops",
            Reason::Statement => "statement",
            Reason::Cut => "cut",
            Reason::Leaf => "leaf",
            Reason::Sum => "sum",
            Reason::Root => "root",
            Reason::Price => "price",
        }
    }

    /// A fault of this kind.
    pub fn because(self, detail: impl Into<String>) -> Fault {
        Fault { reason: self, detail: detail.into() }
    }
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which.
    pub reason: Reason,
    /// What is wrong, in words.
    pub detail: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason.name(), self.detail)
    }
}
