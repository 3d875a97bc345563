//! The wire names of statement lines.

use engine::catalog::Wallet;
use engine::ledger::{LineKind, ObjectKind};

/// The wire's kind of a statement line (`docs/api.md` 2.3). The first number of a pair is money coming in.
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
        LineKind::OptionBought => 501,
        LineKind::OptionSettled => 502,
        LineKind::OptionRefunded => 503,
        LineKind::ContractMargin => 30,
        LineKind::ContractClose => 31,
        LineKind::ContractLiquidation => 32,
        LineKind::ContractOvernight => 34,
        LineKind::ContractFee => 35,
        LineKind::ContractRelease => 36,
        LineKind::ContractHold => 37,
        LineKind::LoanCollateral => 3_001,
        LineKind::LoanRelease => 3_002,
        LineKind::LoanPaidOut => 3_003,
        LineKind::LoanRepayment => LOAN_REPAYMENT,
        LineKind::LoanSold => 3_005,
        LineKind::ConversionSold => 600,
        LineKind::ConversionReceived => 601,
        LineKind::ConversionFee => 602,
        LineKind::SubscriptionPaid => 2_022,
        LineKind::SubscriptionRefunded => 2_023,
        LineKind::TokensAllotted => 2_024,
        LineKind::TokensReleased => 2_025,
        LineKind::Rebate => 33,
        LineKind::PlanInterest => 44,
        LineKind::PlanDeduction => 45,
        LineKind::PlanLocked => 1_004,
        LineKind::PlanReleased => 1_005,
        // No member's statement has lines of the house.
        LineKind::Faucet | LineKind::Endowment | LineKind::TreasuryMove | LineKind::OptionFee | LineKind::SubscriptionProceeds => 210,
    }
}

/// The kind of a line of the house: that of a member's line, except where a statement makes no distinction.
pub(super) fn house_kind(kind: LineKind) -> u32 {
    match kind {
        LineKind::WithdrawalFee => 102,
        LineKind::Endowment => 211,
        LineKind::TreasuryMove => 212,
        LineKind::OptionFee => 213,
        LineKind::SubscriptionProceeds => 214,
        // Wallets of the house are not told apart.
        _ => line_kind(kind, Wallet::Spot, true),
    }
}

/// Text key for a line of this kind; the only ones are those of [`line_kind`].
pub fn kind_key(kind: u32) -> Option<&'static str> {
    Some(match kind {
        11 | 15 | 17 | 19 => "log.transfer_in",
        12 | 16 | 18 | 20 => "log.transfer_out",
        30 => "log.contract_margin",
        31 => "log.contract_closed",
        32 => "log.contract_liquidated",
        34 => "log.contract_overnight",
        35 => "log.contract_fee",
        36 => "log.contract_released",
        33 => "log.rebate",
        37 => "log.contract_hold",
        44 => "log.plan_interest",
        45 => "log.plan_deduction",
        50 => "log.spot_hold",
        51 => "log.spot_trade",
        52 => "log.spot_release",
        53 => "log.spot_fee",
        99 => "log.withdrawal_hold",
        100 => "log.withdrawal_done",
        101 => "log.withdrawal_back",
        200 => "log.deposit",
        201 => "log.deposit_correction",
        210 => "log.faucet",
        501 => "log.option_bought",
        502 => "log.option_settled",
        503 => "log.option_refunded",
        3_001 => "log.loan_collateral",
        3_002 => "log.loan_release",
        3_003 => "log.loan_paid_out",
        3_004 => "log.loan_repayment",
        3_005 => "log.loan_sold",
        600 => "log.conversion_sold",
        601 => "log.conversion_received",
        602 => "log.conversion_fee",
        2_022 => "log.subscription_paid",
        2_023 => "log.subscription_refunded",
        2_024 => "log.tokens_allotted",
        2_025 => "log.tokens_released",
        1_004 => "log.plan_locked",
        1_005 => "log.plan_released",
        _ => return None,
    })
}

/// Kind of a line that pays back a loan.
pub const LOAN_REPAYMENT: u32 = 3_004;

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

/// The object that a line belongs to.
pub(super) fn object_word(object: ObjectKind) -> &'static str {
    match object {
        ObjectKind::SpotOrder => "spot_order",
        ObjectKind::Transfer => "transfer",
        ObjectKind::Faucet => "faucet",
        ObjectKind::Genesis => "genesis",
        ObjectKind::Deposit => "deposit",
        ObjectKind::Withdrawal => "withdrawal",
        ObjectKind::Proposal => "proposal",
        ObjectKind::Option => "option",
        ObjectKind::Contract => "contract",
        ObjectKind::Loan => "loan",
        ObjectKind::Conversion => "conversion",
        ObjectKind::Commitment => "subscription",
        ObjectKind::Rebate => "rebate",
        ObjectKind::Plan => "plan",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_member_has_its_own_key() {
        let key = |kind| kind_key(line_kind(kind, Wallet::Spot, true)).unwrap();
        let keys = [
            (LineKind::Transfer, "log.transfer_in"),
            (LineKind::SpotHold, "log.spot_hold"),
            (LineKind::SpotTrade, "log.spot_trade"),
            (LineKind::SpotRelease, "log.spot_release"),
            (LineKind::SpotFee, "log.spot_fee"),
            (LineKind::WithdrawalHold, "log.withdrawal_hold"),
            (LineKind::WithdrawalDone, "log.withdrawal_done"),
            (LineKind::WithdrawalFee, "log.withdrawal_done"),
            (LineKind::WithdrawalBack, "log.withdrawal_back"),
            (LineKind::Deposit, "log.deposit"),
            (LineKind::DepositCorrection, "log.deposit_correction"),
            (LineKind::Faucet, "log.faucet"),
            (LineKind::OptionBought, "log.option_bought"),
            (LineKind::OptionSettled, "log.option_settled"),
            (LineKind::OptionRefunded, "log.option_refunded"),
            (LineKind::ContractMargin, "log.contract_margin"),
            (LineKind::ContractClose, "log.contract_closed"),
            (LineKind::ContractLiquidation, "log.contract_liquidated"),
            (LineKind::ContractOvernight, "log.contract_overnight"),
            (LineKind::ContractFee, "log.contract_fee"),
            (LineKind::ContractRelease, "log.contract_released"),
            (LineKind::ContractHold, "log.contract_hold"),
            (LineKind::LoanCollateral, "log.loan_collateral"),
            (LineKind::LoanRelease, "log.loan_release"),
            (LineKind::LoanPaidOut, "log.loan_paid_out"),
            (LineKind::LoanRepayment, "log.loan_repayment"),
            (LineKind::LoanSold, "log.loan_sold"),
            (LineKind::ConversionSold, "log.conversion_sold"),
            (LineKind::ConversionReceived, "log.conversion_received"),
            (LineKind::ConversionFee, "log.conversion_fee"),
            (LineKind::SubscriptionPaid, "log.subscription_paid"),
            (LineKind::SubscriptionRefunded, "log.subscription_refunded"),
            (LineKind::TokensAllotted, "log.tokens_allotted"),
            (LineKind::TokensReleased, "log.tokens_released"),
            (LineKind::Rebate, "log.rebate"),
            (LineKind::PlanInterest, "log.plan_interest"),
            (LineKind::PlanDeduction, "log.plan_deduction"),
            (LineKind::PlanLocked, "log.plan_locked"),
            (LineKind::PlanReleased, "log.plan_released"),
        ];
        for (kind, expected) in keys {
            assert_eq!(key(kind), expected);
        }
    }

    #[test]
    fn money_coming_in_has_the_first_number_of_its_pair() {
        assert_eq!((transfer_kind(Wallet::Spot, true), transfer_kind(Wallet::Spot, false)), (11, 12));
        assert_eq!((transfer_kind(Wallet::Futures, true), transfer_kind(Wallet::Earn, false)), (15, 20));
        assert_eq!(line_kind(LineKind::SpotFee, Wallet::Spot, false), 53);
    }
}
