//! Rules that act from a certain entry of the log on.
//!
//! An old log replays under the rules that it was written with. So a rule that changes what an existing entry does asks
//! [`crate::Engine::active`], and acts only after the [`crate::command::Command::Activate`] of its feature. A server writes that entry for
//! every feature of its release as soon as it leads. A release that does not know the feature stops there instead of continuing under other
//! rules.
//!
//! **Adding one.** Add a variant at the end of [`Feature`] and of [`Feature::ALL`]: its number is part of every log. Put `if
//! self.active(Feature::…)` where the rule is, and add a scenario that shows both sides of `activate`. Add a value to
//! `tests/golden/entries.rs`, then run `make golden`. State that the rule needs goes into its own section of the snapshot (`snapshot.rs`),
//! so an old log keeps its state hashes. A new kind or version of an entry needs no feature, because no old log has it.

use serde::{Deserialize, Serialize};

use crate::ids::Seq;

/// A rule that acts from its entry on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Feature {
    /// A frozen member stores no bank card (0.6), as no address.
    FrozenCards,
    /// The log knows operators: only known operators may act, each person counts once (0.6).
    OperatorRegistry,
    /// Approvals expire, changes that redirect money wait a day, and two operators can stop what two agreed on (0.6).
    ProposalTerms,
    /// The state keeps only the key of an answered request, and the history its answer (`docs/api.md` 1.6).
    CompactRequests,
    /// Due work runs at its own instant and in slices, and a day's fees are settled with the work that fell due on it (T-3, L-3).
    DueWork,
    /// The last samples of every index are kept, for rules that look back (O-2).
    IndexRing,
    /// Chains have the final say on credits, and a mark of a payout can be undone (D-7, W-8).
    Payments,
    /// Final payments leave the state; a key of each stays (D-3, 10.2, W-8).
    FinalPayments,
    /// Chains confirm payouts: a confirmed one is final, and a contradicted one is flagged (W-8).
    ConfirmedPayouts,
    /// A mark or a chain's report from the very millisecond of a proposal is newer than it, so nothing is proposed about one in its own
    /// millisecond (D-7, W-8).
    NewestWord,
    /// A signature expires with the role that it needs; a change of a proposal's object ends it while it waits; the payee does not mark the
    /// payout (0.6).
    Signatures,
    /// Short-term options are sold, on the standard terms until those are changed (`docs/rules.md` 3).
    Options,
    /// Contracts are offered, on the standard terms until those are changed (`docs/rules.md` 4).
    Contracts,
    /// Coins are converted, on the standard terms until those are changed (`docs/rules.md` 8).
    Conversions,
    /// Loans are offered, on the standard terms until those are changed (`docs/rules.md` 7).
    Loans,
    /// Offerings of new coins are taken; a sandbox begins with two on paper (`docs/rules.md` 6).
    Subscriptions,
    /// Locked plans are sold, on the standard terms until those are changed (`docs/rules.md` 5).
    Plans,
    /// The link from an operator to a member never changes once it is known (0.6).
    FixedLinks,
    /// Three corrections of contracts: deleveraging waits until every pair of a sample is fixed (4.9), a contract whose pair ends refuses
    /// commands from that instant on (T-3), and fees paid for an open contract count as lost (0.8).
    ContractCorrections,
    /// Corrections of what products take for granted: while a jump waits no price is fresh; options are sold only on coins that have
    /// contracts (3.1); a coin without an index can be withdrawn (W-5); a role changes when all fees of earlier days are known
    /// (G-3).
    ProductCorrections,
    /// What somebody signed counts only while they are neither the member whom it is about nor the same person as the other signer, as far
    /// as the log knows now; and the machine moves no known link either (0.6).
    SignersAsKnown,
    /// Bounds on what somebody could take from the house, or bring upon other members, at little risk of their own: no options while
    /// their pool has lost a fifth today (O-11), no contracts in the last half hour of a pair (0.6),
    /// no quote that the rate has left by more than its edge (F-4), no pair without an index whose trades move its reference at once (S-5, W-5),
    /// no coin whose atoms are too coarse for its fees (2.1, F-1),
    /// and no multiple that the tier of everything open in a pair does not admit (C-16).
    RiskBounds,
}

impl Feature {
    /// All features of this release, in the order in which they are activated.
    pub const ALL: [Feature; 22] = [
        Feature::FrozenCards,
        Feature::OperatorRegistry,
        Feature::ProposalTerms,
        Feature::CompactRequests,
        Feature::DueWork,
        Feature::IndexRing,
        Feature::Payments,
        Feature::FinalPayments,
        Feature::ConfirmedPayouts,
        Feature::NewestWord,
        Feature::Signatures,
        Feature::Options,
        Feature::Contracts,
        Feature::Conversions,
        Feature::Loans,
        Feature::Subscriptions,
        Feature::Plans,
        Feature::FixedLinks,
        Feature::ContractCorrections,
        Feature::ProductCorrections,
        Feature::SignersAsKnown,
        Feature::RiskBounds,
    ];
}

impl Feature {
    /// Its index in [`Feature::ALL`], as a bit.
    fn bit(self) -> u64 {
        match self {
            Feature::FrozenCards => 1 << 0,
            Feature::OperatorRegistry => 1 << 1,
            Feature::ProposalTerms => 1 << 2,
            Feature::CompactRequests => 1 << 3,
            Feature::DueWork => 1 << 4,
            Feature::IndexRing => 1 << 5,
            Feature::Payments => 1 << 6,
            Feature::FinalPayments => 1 << 7,
            Feature::ConfirmedPayouts => 1 << 8,
            Feature::NewestWord => 1 << 9,
            Feature::Signatures => 1 << 10,
            Feature::Options => 1 << 11,
            Feature::Contracts => 1 << 12,
            Feature::Conversions => 1 << 13,
            Feature::Loans => 1 << 14,
            Feature::Subscriptions => 1 << 15,
            Feature::Plans => 1 << 16,
            Feature::FixedLinks => 1 << 17,
            Feature::ContractCorrections => 1 << 18,
            Feature::ProductCorrections => 1 << 19,
            Feature::SignersAsKnown => 1 << 20,
            Feature::RiskBounds => 1 << 21,
        }
    }
}

/// The features of a log, each with the entry that activated it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(Feature, Seq)>", into = "Vec<(Feature, Seq)>")]
pub(crate) struct Features {
    in_order: Vec<(Feature, Seq)>,
    /// A bit for each: every entry asks.
    active: u64,
}

impl Features {
    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.active & feature.bit() != 0
    }

    pub(crate) fn len(&self) -> usize {
        self.in_order.len()
    }

    pub(crate) fn add(&mut self, feature: Feature, since: Seq) {
        self.in_order.push((feature, since));
        self.active |= feature.bit();
    }
}

impl From<Vec<(Feature, Seq)>> for Features {
    fn from(in_order: Vec<(Feature, Seq)>) -> Features {
        let active = in_order.iter().fold(0, |active, (feature, _)| active | feature.bit());
        Features { in_order, active }
    }
}

impl From<Features> for Vec<(Feature, Seq)> {
    fn from(features: Features) -> Vec<(Feature, Seq)> {
        features.in_order
    }
}
