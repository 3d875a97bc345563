//! The closed list of refusals of a call (`docs/api.md` 11): each code with its name on the wire and its HTTP status.

use std::fmt;

use axum::http::StatusCode;
use engine::reject::{CodeFault, Reject};

macro_rules! codes {
    ($($variant:ident = $name:literal,)*) => {
        /// Why a call was refused. The sentence for it is in the locale files, under its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$variant),*];

            /// The stable name on the wire.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Code::$variant => $name,)*
                }
            }
        }
    };
}

codes! {
    // Transport errors.
    UnreadableBody = "E_BODY",
    UnknownPath = "E_PATH",
    WrongMethod = "E_METHOD",
    TooLarge = "E_TOO_LARGE",
    MediaType = "E_MEDIA_TYPE",
    TooManyCalls = "E_RATE",
    LoginWait = "E_LOGIN_WAIT",
    Internal = "E_INTERNAL",
    NotReady = "E_NOT_READY",
    OutcomeUnknown = "E_OUTCOME_UNKNOWN",
    // Errors of the caller's session, and of any call.
    LoggedOut = "E_AUTH",
    WrongRole = "E_ROLE",
    BadField = "E_FIELD",
    DuplicateRequest = "E_DUP_REQUEST",
    AnswerGone = "E_ANSWER_GONE",
    NotFound = "E_NOT_FOUND",
    WrongState = "E_STATE",
    TooManyOpen = "E_OPEN_LIMIT",
    Overflow = "E_OVERFLOW",
    BadTime = "E_TIME",
    // Registration, log-in and secrets.
    UnknownLanguage = "E_LANG",
    BadEmail = "E_EMAIL",
    BadPhone = "E_PHONE",
    PasswordShort = "E_PASSWORD_SHORT",
    PasswordLong = "E_PASSWORD_LONG",
    PasswordCommon = "E_PASSWORD_COMMON",
    PasswordMismatch = "E_PASSWORD_MATCH",
    PasswordWrong = "E_PASSWORD_OLD",
    PasswordSame = "E_PASSWORD_SAME",
    NotAgreed = "E_AGREEMENT",
    UnknownInviter = "E_INVITE",
    WrongCode = "E_CODE",
    CodeLocked = "E_CODE_LOCKED",
    WrongCredentials = "E_CREDENTIALS",
    UnknownChallenge = "E_CHALLENGE",
    SecondFactorRequired = "E_2FA_REQUIRED",
    SecondFactorWrong = "E_2FA_WRONG",
    AccountFrozen = "E_ACCOUNT_FROZEN",
    FundPasswordForm = "E_FUNDPW_FORM",
    FundPasswordUnset = "E_FUNDPW_UNSET",
    FundPasswordLocked = "E_FUNDPW_LOCKED",
    FundPasswordWrong = "E_FUNDPW_WRONG",
    FundPasswordSame = "E_FUNDPW_SAME",
    // Documents, identity, and where a product is offered.
    BadFile = "E_FILE",
    UploadQuota = "E_UPLOAD_QUOTA",
    BasicIdentityMissing = "E_KYC_BASIC",
    AdvancedIdentityMissing = "E_KYC_ADVANCED",
    IdentityLimit = "E_KYC_LIMIT",
    IdentityDuplicate = "E_KYC_DUP",
    CountryForbids = "E_COUNTRY",
    ProductDisabled = "E_DISABLED",
    // Money and markets.
    UnknownAsset = "E_ASSET",
    UnknownMarket = "E_MARKET",
    UnknownWallet = "E_ACCOUNT",
    BadAmount = "E_AMOUNT",
    Insufficient = "E_INSUFFICIENT",
    PriceStale = "E_PRICE_STALE",
    UnknownPeriod = "E_PERIOD",
    UnknownSide = "E_SIDE",
    UnknownOrderType = "E_TYPE",
    TimeInForce = "E_TIF",
    OffTick = "E_TICK",
    OffStep = "E_STEP",
    QuantityMin = "E_QTY_MIN",
    QuantityMax = "E_QTY_MAX",
    NotionalMin = "E_NOTIONAL_MIN",
    NotionalMax = "E_NOTIONAL_MAX",
    OutsideBand = "E_BAND",
    StopSide = "E_STOP_SIDE",
    PostOnly = "E_POST_ONLY",
    ClientOrderId = "E_CLIENT_ID",
    MaxOrders = "E_MAX_ORDERS",
    NoLiquidity = "E_NO_LIQUIDITY",
    FaucetMax = "E_FAUCET_MAX",
    // Options and contracts.
    SelfLimit = "E_SELF_LIMIT",
    UnknownDuration = "E_DURATION",
    TermsChanged = "E_TERMS",
    StakeMin = "E_STAKE_MIN",
    StakeMax = "E_STAKE_MAX",
    PoolShort = "E_POOL_SHORT",
    Lots = "E_LOTS",
    LotsMax = "E_LOTS_MAX",
    Leverage = "E_LEVERAGE",
    Tier = "E_TIER",
    LiquidatedAtOpen = "E_LIQ_AT_OPEN",
    TakeProfit = "E_TP",
    StopLoss = "E_SL",
    PoolLossLimit = "E_POOL_LOSS_LIMIT",
    // Loans.
    KeyMissing = "E_IDEM_KEY",
    UnknownCycle = "E_CYCLE",
    LoanMin = "E_LOAN_MIN",
    LoanMax = "E_LOAN_MAX",
    DebtMoved = "E_DEBT_MOVED",
    // Conversions.
    SameAsset = "E_SAME_ASSET",
    ConversionMin = "E_FLASH_MIN",
    ConversionMax = "E_FLASH_MAX",
    ConversionDay = "E_FLASH_DAY",
    QuoteExpired = "E_QUOTE_EXPIRED",
    PriceMoved = "E_PRICE_MOVED",
    // Subscriptions.
    OutsideWindow = "E_WINDOW",
    PayCurrency = "E_PAY_CURRENCY",
    SubscriptionMin = "E_SUB_MIN",
    UserCap = "E_USER_CAP",
    SoldOut = "E_SOLD_OUT",
    // Deposits and withdrawals.
    UnknownChain = "E_CHAIN",
    BadAddress = "E_ADDRESS",
    AddressUnset = "E_ADDRESS_UNSET",
    AddressDuplicate = "E_ADDRESS_DUP",
    AddressMax = "E_ADDRESS_MAX",
    BadIban = "E_IBAN",
    BadSwift = "E_SWIFT",
    HolderMismatch = "E_HOLDER",
    CardDuplicate = "E_CARD_DUP",
    CardMax = "E_CARD_MAX",
    AddressCooldown = "E_COOLDOWN_ADDRESS",
    SecurityCooldown = "E_COOLDOWN_SECURITY",
    WithdrawMin = "E_WITHDRAW_MIN",
    WithdrawCount = "E_WITHDRAW_COUNT",
    WithdrawLimit = "E_WITHDRAW_LIMIT",
    ProofMissing = "E_PROOF",
    DepositMin = "E_DEPOSIT_MIN",
    ClaimLimit = "E_CLAIM_LIMIT",
    DuplicateTx = "E_DUP_TX",
    Confirmations = "E_CONFIRMATIONS",
    // Plans.
    PlanMin = "E_PLAN_MIN",
    PlanMax = "E_PLAN_MAX",
    // Operators.
    ReasonMissing = "E_REASON",
    ChangedSince = "E_VERSION",
    SelfReview = "E_SELF_REVIEW",
    SameOperator = "E_SAME_OPERATOR",
    FreeShort = "E_FREE_SHORT",
    TreasuryShort = "E_TREASURY_SHORT",
    LoanToValue = "E_LTV",
    BadCatalog = "E_CATALOG",
}

impl Code {
    /// HTTP status (`docs/api.md` 11).
    pub fn status(self) -> StatusCode {
        match self {
            Code::UnreadableBody => StatusCode::BAD_REQUEST,
            Code::UnknownPath => StatusCode::NOT_FOUND,
            Code::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::TooManyCalls | Code::LoginWait => StatusCode::TOO_MANY_REQUESTS,
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Code::OutcomeUnknown | Code::NotReady => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::OK,
        }
    }

    /// `type` of the envelope: what the app does about it beside showing the sentence.
    pub fn kind(self) -> &'static str {
        match self {
            Code::LoggedOut => "999",
            Code::BasicIdentityMissing | Code::AdvancedIdentityMissing => "998",
            _ => "error",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<&Reject> for Code {
    fn from(reject: &Reject) -> Code {
        match reject {
            Reject::DuplicateRequest => Code::DuplicateRequest,
            Reject::NotFound => Code::NotFound,
            Reject::WrongState | Reject::MemberExists | Reject::AwaitsTrigger => Code::WrongState,
            Reject::BadAmount => Code::BadAmount,
            Reject::Overflow => Code::Overflow,
            Reject::BadAsset => Code::UnknownAsset,
            Reject::UnknownMarket => Code::UnknownMarket,
            Reject::SameWallet => Code::UnknownWallet,
            Reject::Insufficient { .. } => Code::Insufficient,
            Reject::PriceStale => Code::PriceStale,
            Reject::Disabled(_) => Code::ProductDisabled,
            Reject::TimeInForce => Code::TimeInForce,
            Reject::Tick => Code::OffTick,
            Reject::Step => Code::OffStep,
            Reject::QuantityMin => Code::QuantityMin,
            Reject::QuantityMax => Code::QuantityMax,
            Reject::NotionalMin => Code::NotionalMin,
            Reject::NotionalMax => Code::NotionalMax,
            Reject::Band { .. } => Code::OutsideBand,
            Reject::StopSide { .. } => Code::StopSide,
            Reject::PostOnly => Code::PostOnly,
            Reject::ClientOrderId => Code::ClientOrderId,
            Reject::MaxOrders => Code::MaxOrders,
            Reject::NoLiquidity => Code::NoLiquidity,
            Reject::FaucetMax { .. } => Code::FaucetMax,
            Reject::NotAllowed => Code::UnknownPath,
            Reject::BadTime => Code::BadTime,
            Reject::Frozen { .. } => Code::AccountFrozen,
            Reject::KycBasic => Code::BasicIdentityMissing,
            Reject::KycLimit => Code::IdentityLimit,
            Reject::KycDuplicate => Code::IdentityDuplicate,
            Reject::FundPasswordUnset => Code::FundPasswordUnset,
            Reject::FundPasswordLocked { .. } => Code::FundPasswordLocked,
            Reject::FundPasswordWrong { .. } => Code::FundPasswordWrong,
            Reject::Code(CodeFault::Wrong) => Code::WrongCode,
            Reject::Code(CodeFault::Locked) => Code::CodeLocked,
            Reject::Code(CodeFault::SecondFactorMissing) => Code::SecondFactorRequired,
            Reject::Code(CodeFault::SecondFactorWrong) => Code::SecondFactorWrong,
            Reject::AddressUnset { .. } => Code::AddressUnset,
            Reject::BadChain => Code::UnknownChain,
            Reject::AddressDuplicate => Code::AddressDuplicate,
            Reject::AddressMax { .. } => Code::AddressMax,
            Reject::CardDuplicate => Code::CardDuplicate,
            Reject::CardMax { .. } => Code::CardMax,
            Reject::CooldownAddress { .. } => Code::AddressCooldown,
            Reject::CooldownSecurity { .. } => Code::SecurityCooldown,
            Reject::WithdrawMin { .. } => Code::WithdrawMin,
            Reject::WithdrawCount { .. } => Code::WithdrawCount,
            Reject::WithdrawLimit { .. } => Code::WithdrawLimit,
            Reject::DepositMin { .. } => Code::DepositMin,
            Reject::ClaimLimit { .. } => Code::ClaimLimit,
            Reject::DuplicateTx => Code::DuplicateTx,
            Reject::Confirmations { .. } => Code::Confirmations,
            Reject::ChangedSince { .. } => Code::ChangedSince,
            Reject::SelfReview => Code::SelfReview,
            Reject::SameOperator => Code::SameOperator,
            Reject::FreeShort { .. } => Code::FreeShort,
            Reject::BadCatalog => Code::BadCatalog,
            Reject::Role => Code::WrongRole,
            Reject::Duration => Code::UnknownDuration,
            Reject::SelfLimit { .. } => Code::SelfLimit,
            Reject::StakeMin { .. } => Code::StakeMin,
            Reject::StakeMax { .. } => Code::StakeMax,
            Reject::OpenLimit { .. } | Reject::OpenStakes { .. } => Code::TooManyOpen,
            Reject::OrderType => Code::UnknownOrderType,
            Reject::PoolShort { .. } => Code::PoolShort,
            Reject::PlanCycle => Code::UnknownCycle,
            Reject::Agreement => Code::NotAgreed,
            Reject::PlanMin { .. } => Code::PlanMin,
            Reject::PlanMax { .. } => Code::PlanMax,
            Reject::TreasuryShort { .. } => Code::TreasuryShort,
            Reject::FeeMoved { .. } => Code::PriceMoved,
            Reject::TermsChanged => Code::TermsChanged,
            Reject::DebtMoved { .. } => Code::DebtMoved,
            Reject::Lots => Code::Lots,
            Reject::LotsMax { .. } => Code::LotsMax,
            Reject::Leverage { .. } => Code::Leverage,
            Reject::Tier { .. } => Code::Tier,
            Reject::LiquidatedAtOpen => Code::LiquidatedAtOpen,
            Reject::TakeProfit { .. } => Code::TakeProfit,
            Reject::StopLoss { .. } => Code::StopLoss,
            Reject::UnknownInviter => Code::UnknownInviter,
            Reject::PoolLossLimit => Code::PoolLossLimit,
            Reject::Cycle => Code::UnknownCycle,
            Reject::LoanMin { .. } => Code::LoanMin,
            Reject::LoanMax { .. } => Code::LoanMax,
            Reject::LoanToValue { .. } => Code::LoanToValue,
            Reject::SameAsset => Code::SameAsset,
            Reject::ConversionMin { .. } => Code::ConversionMin,
            Reject::ConversionMax { .. } => Code::ConversionMax,
            Reject::ConversionDay { .. } => Code::ConversionDay,
            Reject::QuoteExpired => Code::QuoteExpired,
            Reject::PriceMoved { .. } => Code::PriceMoved,
            Reject::Window { .. } => Code::OutsideWindow,
            Reject::PayCurrency => Code::PayCurrency,
            Reject::SubscriptionMin { .. } => Code::SubscriptionMin,
            Reject::UserCap { .. } => Code::UserCap,
            Reject::SoldOut => Code::SoldOut,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, text};

    #[test]
    fn every_code_has_a_name_of_its_own_and_a_sentence_in_every_language() {
        let names: std::collections::BTreeSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for code in Code::ALL {
            for lang in Lang::ALL {
                assert_ne!(text(lang, code.name()), code.name(), "{}", lang.code());
            }
        }
    }
}
