//! A posting: one amount of one coin from one owner to another, with its purpose. Plain data; the [ledger](super) moves the money.

use serde::{Deserialize, Serialize};

use crate::amount::Amount;
use crate::catalog::Wallet;
use crate::ids::{AssetId, UserId};

/// Accounts of the house, one for each coin (`docs/rules.md` 0.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum HouseAccount {
    /// Trading fees.
    Fee,
    /// Counterparty of binary options.
    OptionPool,
    /// Counterparty of futures.
    ContractPool,
    /// Liquidation fees; covers losses beyond margin.
    Insurance,
    /// Pays the yield of plans.
    PlanTreasury,
    /// Lends.
    LoanTreasury,
    /// Payments and tokens of running offerings.
    SubEscrow,
    /// Payments of launched offerings.
    SubProceeds,
    /// Both sides of conversions.
    FlashPool,
    /// The outside: minus everything paid in net of everything paid out. The only account that may be negative.
    External,
}

impl HouseAccount {
    /// All house accounts but [`HouseAccount::External`], in the order of the public list.
    pub const POOLS: [HouseAccount; 9] = [
        HouseAccount::Fee,
        HouseAccount::OptionPool,
        HouseAccount::ContractPool,
        HouseAccount::Insurance,
        HouseAccount::PlanTreasury,
        HouseAccount::LoanTreasury,
        HouseAccount::SubEscrow,
        HouseAccount::SubProceeds,
        HouseAccount::FlashPool,
    ];
    pub(super) const COUNT: usize = 10;

    pub(super) fn at(self) -> usize {
        match self {
            HouseAccount::Fee => 0,
            HouseAccount::OptionPool => 1,
            HouseAccount::ContractPool => 2,
            HouseAccount::Insurance => 3,
            HouseAccount::PlanTreasury => 4,
            HouseAccount::LoanTreasury => 5,
            HouseAccount::SubEscrow => 6,
            HouseAccount::SubProceeds => 7,
            HouseAccount::FlashPool => 8,
            HouseAccount::External => 9,
        }
    }
}

/// Which balance of a wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Part {
    /// Free to use.
    Available,
    /// Bound by exactly one open object (L-1).
    Held,
}

/// The purpose of a posting; the wire's account log kinds (`docs/api.md` 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LineKind {
    /// Transfer between two wallets of a member.
    Transfer,
    /// Hold of a new spot order.
    SpotHold,
    /// Value of a trade.
    SpotTrade,
    /// Release of a hold.
    SpotRelease,
    /// Fee of a trade.
    SpotFee,
    /// Paper funds.
    Faucet,
    /// Paper capital of the house at genesis.
    Endowment,
    /// A withdrawal was applied for (W-6).
    WithdrawalHold,
    /// A withdrawal left (W-7).
    WithdrawalDone,
    /// Fee of a withdrawal (W-7).
    WithdrawalFee,
    /// A withdrawal was rejected, cancelled or returned (W-7, W-8).
    WithdrawalBack,
    /// A deposit was credited (D-6).
    Deposit,
    /// Reversal of a deposit that vanished from its chain (D-7).
    DepositCorrection,
    /// House capital, moved by two operators (L-3).
    TreasuryMove,
    /// Stake and fee of an option (O-4).
    OptionBought,
    /// Payout of an option (O-6, O-7).
    OptionSettled,
    /// Stake and fee of an option without a delivery price (O-9).
    OptionRefunded,
    /// The fee of an option that ended with a price (O-6 to O-8).
    OptionFee,
    /// Margin of a contract that was opened (4.4).
    ContractMargin,
    /// Result and margin of a contract that was closed (4.5).
    ContractClose,
    /// The same of one that was liquidated (4.6).
    ContractLiquidation,
    /// Fee of a night (4.8).
    ContractOvernight,
    /// Fee of opening and closing (C-4).
    ContractFee,
    /// Release of a waiting order's hold (4.7).
    ContractRelease,
    /// Hold of a waiting order (4.7).
    ContractHold,
    /// The coin sold in a conversion (F-5).
    ConversionSold,
    /// The coin bought in a conversion (F-5).
    ConversionReceived,
    /// Fee of a conversion (F-5).
    ConversionFee,
    /// Collateral of a loan, held (B-1, B-8).
    LoanCollateral,
    /// Release of a loan's collateral (B-6, B-9).
    LoanRelease,
    /// A loan was paid out (B-3).
    LoanPaidOut,
    /// A loan was repaid, in part or as a whole (B-6, B-7).
    LoanRepayment,
    /// Collateral of a loan, sold (B-9).
    LoanSold,
    /// A payment for new coins, into escrow (N-1).
    SubscriptionPaid,
    /// The returned part of it (N-4, 6.2).
    SubscriptionRefunded,
    /// The charged part of it, at the launch (N-5).
    SubscriptionProceeds,
    /// New coins, delivered and locked (N-5).
    TokensAllotted,
    /// New coins, released (N-6).
    TokensReleased,
    /// A share of the fees of members whom a member invited (G-2).
    Rebate,
    /// Principal of a plan that was bought (P-1).
    PlanLocked,
    /// Principal of one that ended (P-4, P-6).
    PlanReleased,
    /// Interest of a plan (P-4, P-6).
    PlanInterest,
    /// Damages and penalty of an early redemption (P-5).
    PlanDeduction,
}

impl LineKind {
    /// A fee of which the payer's referrer gets a share (G-1).
    pub(super) fn is_shared(self) -> bool {
        match self {
            LineKind::SpotFee | LineKind::OptionFee | LineKind::ContractFee | LineKind::ConversionFee => true,
            LineKind::Transfer
            | LineKind::SpotHold
            | LineKind::SpotTrade
            | LineKind::SpotRelease
            | LineKind::Faucet
            | LineKind::Endowment
            | LineKind::WithdrawalHold
            | LineKind::WithdrawalDone
            | LineKind::WithdrawalFee
            | LineKind::WithdrawalBack
            | LineKind::Deposit
            | LineKind::DepositCorrection
            | LineKind::TreasuryMove
            | LineKind::OptionBought
            | LineKind::OptionSettled
            | LineKind::OptionRefunded
            | LineKind::ContractMargin
            | LineKind::ContractClose
            | LineKind::ContractLiquidation
            | LineKind::ContractOvernight
            | LineKind::ContractRelease
            | LineKind::ContractHold
            | LineKind::ConversionSold
            | LineKind::ConversionReceived
            | LineKind::LoanCollateral
            | LineKind::LoanRelease
            | LineKind::LoanPaidOut
            | LineKind::LoanRepayment
            | LineKind::LoanSold
            | LineKind::SubscriptionPaid
            | LineKind::SubscriptionRefunded
            | LineKind::SubscriptionProceeds
            | LineKind::TokensAllotted
            | LineKind::TokensReleased
            | LineKind::Rebate
            | LineKind::PlanLocked
            | LineKind::PlanReleased
            | LineKind::PlanInterest
            | LineKind::PlanDeduction => false,
        }
    }
}

/// The object a posting belongs to (I-12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ObjectKind {
    /// A spot order, by its number.
    SpotOrder,
    /// A transfer, by the sequence of its entry.
    Transfer,
    /// A faucet call, by the sequence of its entry.
    Faucet,
    /// The genesis entry.
    Genesis,
    /// A deposit claim, by its number.
    Deposit,
    /// A withdrawal, by its number.
    Withdrawal,
    /// An operators' proposal, by its number.
    Proposal,
    /// A short-term option, by its number.
    Option,
    /// A contract, by its number.
    Contract,
    /// A conversion, by its number.
    Conversion,
    /// A loan, by its number.
    Loan,
    /// A commitment to an offering, by its number.
    Commitment,
    /// A rebate, by its number.
    Rebate,
    /// A plan order, by its number.
    Plan,
}

/// Owner of one side of a posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Owner {
    /// A member's wallet.
    Member(UserId, Wallet, Part),
    /// A house account.
    House(HouseAccount),
}

/// A posting: one amount of one coin from one owner to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Posting {
    /// Coin.
    pub asset: AssetId,
    /// Atoms, never 0.
    pub amount: Amount,
    /// Its purpose.
    pub kind: LineKind,
    /// Kind of the objects it belongs to.
    pub object: ObjectKind,
    /// The paying side.
    pub debit: PostingSide,
    /// The receiving side.
    pub credit: PostingSide,
}

/// One side of a posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostingSide {
    /// The owner.
    pub owner: Owner,
    /// Balance of this part afterwards; 0 for [`HouseAccount::External`], whose balance is not positive.
    pub after: Amount,
    /// Number of this side's object.
    pub object_id: u64,
}

/// A posting as its owner's statement shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The owner.
    pub owner: Owner,
    /// Coin.
    pub asset: AssetId,
    /// True: `amount` was added. False: it was taken.
    pub credit: bool,
    /// Atoms, never 0.
    pub amount: Amount,
    /// Balance of this part afterwards.
    pub after: Amount,
    /// Its purpose.
    pub kind: LineKind,
    /// Kind of the object it belongs to.
    pub object: ObjectKind,
    /// Number of that object.
    pub object_id: u64,
}

impl Posting {
    /// Its two statement lines, debit first.
    pub fn lines(&self) -> [Line; 2] {
        let Posting { asset, amount, kind, object, .. } = *self;
        [(false, self.debit), (true, self.credit)].map(|(credit, side)| {
            let PostingSide { owner, after, object_id } = side;
            Line { owner, asset, credit, amount, after, kind, object, object_id }
        })
    }
}
