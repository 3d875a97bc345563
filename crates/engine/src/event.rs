//! Everything that may leave the engine: the events that histories, sockets and candles are made from.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, Price};
use crate::backoffice::acts::AuditNote;
use crate::backoffice::proposals::Proposal;
use crate::contracts::position::Position;
use crate::convert::conversion::Conversion;
use crate::funding::deposit::{Deposit, Incident, Observation};
use crate::funding::destinations::{Address, Card};
use crate::funding::withdrawal::{Dispute, Withdrawal};
use crate::identity::Identity;
use crate::ids::{AddressId, CardId, MarketId, OperatorId, OrderId, TradeId, UserId};
use crate::index::IndexSample;
use crate::ledger::posting::Posting;
use crate::listing::change::CatalogVersion;
use crate::loans::loan::{Loan, LoanStep};
use crate::operators::Operator;
use crate::options::option::BinaryOption;
use crate::plans::order::PlanOrder;
use crate::product::Product;
use crate::referral::Rebate;
use crate::security::SecurityChange;
use crate::spot::order::{Side, SpotOrder};
use crate::subscriptions::offering::{Commitment, Offering};
use crate::time::Time;

/// A fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// A member exists now (0.4).
    MemberRegistered {
        /// The member.
        user: UserId,
        /// Runs the labelled house liquidity.
        house: bool,
    },
    /// Money moved from one account to another (0.4, I-12).
    Posted(Posting),
    /// A spot order was placed, filled, triggered, cancelled or completed: its new state (2.2).
    SpotOrderChanged(SpotOrder),
    /// A trade (S-1, S-9); it precedes the changed orders of both sides.
    Traded(Trade),
    /// The open quantity of one price level (S-1), 0 when the level is gone.
    LevelChanged {
        /// Pair.
        market: MarketId,
        /// Side of the book.
        side: Side,
        /// Price of the level.
        price: Price,
        /// Base atoms resting at it.
        quantity: Amount,
    },
    /// An accepted index sample.
    IndexSampled(IndexSample),
    /// A command moved money between two wallets of a member (TR-2).
    Transferred(Transfer),
    /// Something besides trading (10 to 15). Shared, because dropping it is then one call, and dropping the events of a trade none.
    Account(Arc<AccountEvent>),
    /// The following events happened at this instant: due work at its own, then the command at that of its entry (T-3). Never before the
    /// last entry, so the lines of a wallet stay in the order of time.
    HappenedAt(Time),
}

/// Events besides trading: rare, and too large to be part of every trading event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub enum AccountEvent {
    /// A withdrawal address was stored (W-1).
    AddressAdded(Address),
    /// A withdrawal address was removed (W-9).
    AddressRemoved { user: UserId, address: AddressId },
    /// A bank card was stored (K-3).
    CardAdded(Card),
    /// A bank card was removed (K-3).
    CardRemoved { user: UserId, card: CardId },
    /// A deposit claim was opened or changed: its new state (D-2).
    DepositChanged(Deposit),
    /// An observed payment is new or changed: its new state (D-3).
    ObservationChanged(Observation),
    /// A withdrawal was applied for or changed: its new state (W-6).
    WithdrawalChanged(Withdrawal),
    /// A level of verification changed: its new state (V-1).
    IdentityChanged(Identity),
    /// A member's fund password, security hold (W-2), freezes (0.6) or referral role (G-3) changed. A wrong fund password emits
    /// nothing.
    SecurityChanged(SecurityChange),
    /// A proposal is new or changed: its new state (0.6).
    ProposalChanged(Proposal),
    /// A catalog change acts from now on (0.6).
    CatalogChanged(CatalogVersion),
    /// Opening a product was stopped or resumed (0.6).
    Paused {
        product: Product,
        /// One pair of it; `None` means all.
        market: Option<MarketId>,
        /// True: stopped.
        on: bool,
    },
    /// An operator viewed something, or did something that changes no money (0.6).
    Audited {
        /// The operator.
        operator: OperatorId,
        /// The note.
        note: AuditNote,
    },
    /// An operator is new or changed: the log's present data about them (0.6).
    OperatorChanged(Operator),
    /// An incident was opened, changed or closed: its new state (D-7).
    IncidentChanged(Incident),
    /// A chain contradicts the mark of a payout (W-8).
    PayoutDisputed(Dispute),
    /// An option was bought or settled: its new state (3.2).
    OptionChanged(BinaryOption),
    /// A contract was opened, changed or ended: its new state (4.2).
    ContractChanged(Position),
    /// Coins were converted (F-5).
    Converted(Conversion),
    /// A loan was applied for, changed or ended: its new state, and what happened (7.2).
    LoanChanged(Loan, LoanStep),
    /// An offering was listed or moved on: its new state (6.2). Interim commitments are reported by their own events.
    OfferingChanged(Box<Offering>),
    /// A commitment was made or moved on: its new state (6.2).
    CommitmentChanged(Commitment),
    /// A rebate was credited (G-2).
    RebatePaid(Rebate),
    /// A plan was bought, matured or was redeemed: the new state of its order (5.2).
    PlanChanged(PlanOrder),
}

impl From<AccountEvent> for Event {
    fn from(change: AccountEvent) -> Event {
        Event::Account(Arc::new(change))
    }
}

/// Appends an event that is built in place: `push` would build it elsewhere first, then copy it.
#[inline]
pub(crate) fn emit(events: &mut Vec<Event>, event: impl FnOnce() -> Event) {
    events.extend(std::iter::once_with(event));
}

/// A trade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trade {
    /// Number of the trade.
    pub id: TradeId,
    /// Pair.
    pub market: MarketId,
    /// The resting order's price.
    pub price: Price,
    /// Base atoms.
    pub quantity: Amount,
    /// Quote atoms, exact (U-1).
    pub value: Amount,
    /// Direction of the order that took.
    pub taker_side: Side,
    /// The order that took.
    pub taker: TradeParty,
    /// The order that rested.
    pub maker: TradeParty,
    /// When.
    pub time: Time,
}

impl Trade {
    /// One of its sides is the labelled house liquidity.
    pub fn with_house(&self) -> bool {
        self.taker.house || self.maker.house
    }
}

/// One side of a trade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TradeParty {
    /// Order.
    pub order: OrderId,
    /// Owner.
    pub user: UserId,
    /// Fee in the coin received (S-9).
    pub fee: Amount,
    /// The owner is the labelled house liquidity.
    pub house: bool,
}

/// A transfer between two wallets of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    /// Number: the sequence of the entry.
    pub id: u64,
    /// Owner.
    pub user: UserId,
    /// Coin.
    pub asset: crate::ids::AssetId,
    /// Wallet that paid.
    pub from: crate::catalog::Wallet,
    /// Wallet that received.
    pub to: crate::catalog::Wallet,
    /// Atoms.
    pub amount: Amount,
    /// Available in `from` afterwards.
    pub from_available: Amount,
    /// Available in `to` afterwards.
    pub to_available: Amount,
}
