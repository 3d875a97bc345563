//! The numbers that enums have in entries and snapshots, with the word of each.

use serde::de::DeserializeOwned;

/// Variants that have another name than when their golden line was written: type, name, and the word of the line. Their numbers stay.
const RENAMED: [(&str, &str, &str); 1] = [("event", "Account", "Outside")];

/// `type number word` for every variant, found by reading the number and then nothing but zeros: no list can forget one.
pub fn all() -> Vec<String> {
    let mut lines = Vec::new();
    macro_rules! number {
        ($($name:literal $kind:ty),* $(,)?) => { $(lines.extend(numbers::<$kind>().into_iter().map(|line| format!("{} {line}", $name)));)* };
    }
    number! {
        "account" engine::ledger::HouseAccount,
        "action" engine::backoffice::acts::AuditAction,
        "act" engine::backoffice::acts::OperatorAct,
        "cancel_reason" engine::spot::CancelReason,
        "catalog_key" engine::listing::change::CatalogKey,
        "chain" engine::catalog::funding::Chain,
        "commitment" engine::subscriptions::status::CommitmentStatus,
        "change" engine::listing::change::CatalogChange,
        "claimed" engine::funding::deposits::Claimed,
        "code" engine::reject::CodeFault,
        "contract" engine::contracts::position::Status,
        "contract_direction" engine::contracts::formulas::Direction,
        "contract_end" engine::contracts::position::EndReason,
        "contract_work" engine::contracts::triggered::Work,
        "decision" engine::backoffice::acts::Decision,
        "deposit" engine::funding::status::DepositStatus,
        "destination" engine::funding::withdrawals::Destination,
        "dropped" engine::index::Dropped,
        "event" engine::event::Event,
        "feed" engine::index::Feed,
        "feature" engine::feature::Feature,
        "freeze_scope" engine::security::FreezeScope,
        "frozen_by" engine::reject::FrozenBy,
        "fund_password" engine::security::FundPasswordChange,
        "identity" engine::identity::status::Status,
        "index_origin" engine::catalog::IndexOrigin,
        "incident" engine::funding::incidents::IncidentStatus,
        "item" engine::backoffice::acts::Item,
        "kyc_level" engine::identity::KycLevel,
        "line" engine::ledger::LineKind,
        "line_object" engine::ledger::ObjectKind,
        "loan" engine::loans::status::Status,
        "loan_end" engine::loans::status::EndReason,
        "loan_step" engine::loans::loan::LoanStep,
        "mode" engine::command::Mode,
        "object" engine::backoffice::acts::AuditObject,
        "observation" engine::funding::status::ObservationStatus,
        "offering" engine::subscriptions::status::OfferingStatus,
        "offering_step" engine::subscriptions::offering::Step,
        "operator_cause" engine::operators::Cause,
        "option" engine::options::option::Status,
        "option_direction" engine::options::option::Direction,
        "option_tie" engine::options::option::TieRule,
        "order_kind" engine::spot::OrderKind,
        "outside" engine::event::AccountEvent,
        "owner" engine::ledger::Owner,
        "part" engine::ledger::Part,
        "plan" engine::plans::status::Status,
        "product" engine::product::Product,
        "proposal" engine::backoffice::proposals::status::Status,
        "proposed" engine::backoffice::proposals::Proposed,
        "rebate_level" engine::referral::Level,
        "referral_role" engine::security::ReferralRole,
        "reject" engine::reject::Reject,
        "reply" engine::reply::Reply,
        "self_limit" engine::self_limits::SelfLimit,
        "side" engine::spot::Side,
        "spot_order" engine::spot::status::Status,
        "text" engine::listing::change::TextKind,
        "time_in_force" engine::spot::TimeInForce,
        "wallet" engine::catalog::Wallet,
        "withdrawal" engine::funding::status::WithdrawalStatus,
    }
    for (name, word, formerly) in RENAMED {
        let suffix = format!(" {word}");
        let renamed = lines.iter_mut().find(|line| line.starts_with(&format!("{name} ")) && line.ends_with(&suffix));
        let line = renamed.unwrap_or_else(|| panic!("{name} {word} is gone"));
        line.truncate(line.len() - word.len());
        line.push_str(formerly);
    }
    let wire = |number: u8| read::<engine::reject::Reject>(number).map(|reject| format!("reject_name {number} {}", reject.name()));
    lines.extend((0..128).map_while(wire));
    lines
}

/// A value of every variant whose numbers are 1, options and lists have something in them, and flags are set.
pub fn with_ones<T: DeserializeOwned>() -> Vec<T> {
    (0..128).map_while(|number| before(number, 1)).collect()
}

/// The same of what is no enum.
pub fn of_ones<T: DeserializeOwned>() -> T {
    before(1, 1).expect("ones are a value")
}

fn read<T: DeserializeOwned>(number: u8) -> Option<T> {
    before(number, 0)
}

/// The meaning of this number followed only by `rest`.
fn before<T: DeserializeOwned>(number: u8, rest: u8) -> Option<T> {
    let mut bytes = [rest; 512];
    bytes[0] = number;
    postcard::take_from_bytes(&bytes).ok().map(|(value, _)| value)
}

fn numbers<T: DeserializeOwned + std::fmt::Debug>() -> Vec<String> {
    let word = |value: T| {
        let text = format!("{value:?}");
        text.chars().take_while(|letter| letter.is_alphanumeric()).collect::<String>()
    };
    let found: Vec<String> = (0..128).map_while(|number| Some(format!("{number} {}", word(read::<T>(number)?)))).collect();
    assert!(!found.is_empty(), "{} reads nothing", std::any::type_name::<T>());
    found
}
