//! The wire's words for lines of a statement.

use engine::catalog::Wallet;
use engine::ledger::{LineKind, ObjectKind};

/// The wire's kind of a statement line (`api.md` 2.3). The first number of a pair is money coming in.
pub(super) fn line_kind(kind: LineKind, wallet: Wallet, credit: bool) -> u32 {
    match kind {
        LineKind::Transfer => transfer_kind(wallet, credit),
        LineKind::SpotHold => 50,
        LineKind::SpotTrade => 51,
        LineKind::SpotRelease => 52,
        LineKind::SpotFee => 53,
        LineKind::WithdrawalHold => 99,
        LineKind::WithdrawalDone | LineKind::WithdrawalFee => 100,
        LineKind::WithdrawalBack => 101,
        LineKind::Deposit => 200,
        LineKind::DepositCorrection => 201,
        // House lines are nobody's statement.
        LineKind::Faucet | LineKind::Endowment | LineKind::TreasuryMove => 210,
    }
}

/// Kinds of lines with the outside on their other side: withdrawals done, deposits, their corrections, paper money.
pub const OUTSIDE: [u32; 4] = [100, 200, 201, 210];

/// Kind of a transfer into (`credit`) or out of a wallet.
pub fn transfer_kind(wallet: Wallet, credit: bool) -> u32 {
    let into = match wallet {
        Wallet::Spot => 11,
        Wallet::Futures => 15,
        Wallet::BinaryOptions => 17,
        Wallet::Earn => 19,
    };
    into + u32::from(!credit)
}

/// What a line belongs to.
pub(super) fn object_word(object: ObjectKind) -> &'static str {
    match object {
        ObjectKind::SpotOrder => "spot_order",
        ObjectKind::Transfer => "transfer",
        ObjectKind::Faucet => "faucet",
        ObjectKind::Genesis => "genesis",
        ObjectKind::Deposit => "deposit",
        ObjectKind::Withdrawal => "withdrawal",
        ObjectKind::Proposal => "proposal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_coming_in_has_the_first_number_of_its_pair() {
        assert_eq!((transfer_kind(Wallet::Spot, true), transfer_kind(Wallet::Spot, false)), (11, 12));
        assert_eq!((transfer_kind(Wallet::Futures, true), transfer_kind(Wallet::Earn, false)), (15, 20));
        assert_eq!(line_kind(LineKind::SpotFee, Wallet::Spot, false), 53);
    }
}
