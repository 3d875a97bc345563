//! Names of everything that can be requested. A new kind gets a name here, and the seeds must send it and see it done.

use engine::backoffice::acts::{Decision, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::backoffice::proposals::status::Status;
use engine::codec::{KINDS, encode, name_of};
use engine::command::{Command, Entry};
use engine::contracts::position::{EndReason, Status as ContractStatus};
use engine::event::{AccountEvent, Event};
use engine::listing::change::CatalogChange;
use engine::loans::status::{EndReason as LoanEnd, Status as LoanStatus};
use engine::options::option::Status as OptionStatus;
use engine::plans::status::Status as PlanStatus;
use engine::referral::Level;
use engine::security::FundPasswordChange;
use engine::spot::{OrderKind, TimeInForce};
use engine::subscriptions::status::{CommitmentStatus, OfferingStatus};

/// A list of names and the function that returns one; the compiler requires every variant.
macro_rules! names {
    ($list:ident, $of:ident, $type:ty, { $($variant:pat => $name:literal,)* }) => {
        const $list: &[&str] = &[$($name),*];

        fn $of(value: &$type) -> &'static str {
            match value { $($variant => $name),* }
        }
    };
}

names!(ORDERS, order, OrderKind, {
    OrderKind::Limit { time_in_force: TimeInForce::GoodTillCancelled, .. } => "limit order GTC",
    OrderKind::Limit { time_in_force: TimeInForce::ImmediateOrCancel, .. } => "limit order IOC",
    OrderKind::Limit { time_in_force: TimeInForce::FillOrKill, .. } => "limit order FOK",
    OrderKind::Limit { time_in_force: TimeInForce::PostOnly, .. } => "limit order post only",
    OrderKind::Market { .. } => "market order",
    OrderKind::StopLimit { .. } => "stop order",
});

names!(PASSWORDS, password, FundPasswordChange, {
    FundPasswordChange::First => "first fund password",
    FundPasswordChange::Change { .. } => "change of the fund password",
    FundPasswordChange::Reset => "reset of the fund password",
});

names!(DECISIONS, decision, Decision, {
    Decision::Approve => "approval",
    Decision::ApproveWith(_) => "approval with a payment",
    Decision::ApproveBank(_) => "approval with a bank reference",
    Decision::Reject { .. } => "rejection",
});

names!(PROPOSALS, proposal, Proposed, {
    Proposed::TreasuryMove { .. } => "proposal: treasury move",
    Proposed::ChangeCatalog { .. } => "proposal: catalog",
    Proposed::ReverseDeposit { .. } => "proposal: reverse a deposit",
    Proposed::ReturnWithdrawal { .. } => "proposal: return a withdrawal",
    Proposed::Unfreeze { .. } => "proposal: unfreeze",
    Proposed::RevokeIdentity { .. } => "proposal: revoke an identity",
    Proposed::SetReferralRole { .. } => "proposal: referral role",
    Proposed::SetOperator { .. } => "proposal: operator",
    Proposed::RetireMarket { .. } => "proposal: retire a pair",
    Proposed::AppointOperator { .. } => "proposal: appoint an operator",
    Proposed::StopProposal { .. } => "proposal: stop another",
    Proposed::UnmarkSent { .. } => "proposal: take back a mark",
    Proposed::LaunchOffering { .. } => "proposal: launch an offering",
});

names!(CHANGES, change, CatalogChange, {
    CatalogChange::Fee { .. } => "change: fee",
    CatalogChange::MarketFilters { .. } => "change: filters",
    CatalogChange::Network(_) => "change: network",
    CatalogChange::Bank(_) => "change: bank",
    CatalogChange::Limits(_) => "change: limits",
    CatalogChange::IndexSources { .. } => "change: sources",
    CatalogChange::Text { .. } => "change: text",
    CatalogChange::ListCoin(_) | CatalogChange::ListMarket { .. } => "change: listing",
    CatalogChange::OptionDuration(_) => "change: length of options",
    CatalogChange::OptionShared(_) => "change: terms of options",
    CatalogChange::ContractTerms(_) => "change: terms of contracts",
    CatalogChange::ConversionTerms(_) => "change: terms of conversions",
    CatalogChange::LoanProduct(_) => "change: loan product",
    CatalogChange::LoanShared(_) => "change: terms of loans",
    CatalogChange::Offering(_) => "change: offering",
    CatalogChange::Plan(_) => "change: plan",
});

names!(OPTIONS, option, OptionStatus, {
    OptionStatus::Open => "option bought",
    OptionStatus::Won => "option won",
    OptionStatus::Lost => "option lost",
    OptionStatus::Pushed => "option pushed",
    OptionStatus::Refunded => "option refunded",
});

names!(ENDS, end, EndReason, {
    EndReason::User => "contract ended by its owner",
    EndReason::TakeProfit => "contract ended by take profit",
    EndReason::StopLoss => "contract ended by stop loss",
    EndReason::Liquidation => "contract liquidated",
    EndReason::ProfitCap => "contract ended at its cap",
    EndReason::Deleveraged => "contract ended for the pool",
    EndReason::Retired => "contract ended with its pair",
    EndReason::Expired => "contract order expired",
    EndReason::Refused => "contract order refused at its limit",
});

names!(CONTRACTS, contract, ContractStatus, {
    ContractStatus::Waiting => "contract order waits",
    ContractStatus::Holding => "contract held",
    ContractStatus::Closed => "contract closed",
    ContractStatus::Cancelled => "contract order cancelled",
});

names!(LOANS, loan, LoanStatus, {
    LoanStatus::Pending => "loan applied for",
    LoanStatus::InLoan => "loan paid out",
    LoanStatus::Overdue => "loan overdue",
    LoanStatus::Finished => "loan finished",
    LoanStatus::Cancelled => "loan cancelled",
});

names!(LOAN_ENDS, loan_end, LoanEnd, {
    LoanEnd::Repaid => "loan repaid",
    LoanEnd::AutoDebit => "loan repaid by itself",
    LoanEnd::Liquidated => "loan liquidated",
    LoanEnd::User => "loan taken back",
    LoanEnd::Rejected => "loan rejected",
    LoanEnd::Expired => "loan expired",
    LoanEnd::Ltv => "loan without enough collateral",
});

names!(OFFERINGS, offering, OfferingStatus, {
    OfferingStatus::Upcoming => "offering listed",
    OfferingStatus::Open => "offering opened",
    OfferingStatus::SoldOut => "offering sold out",
    OfferingStatus::Allocated => "offering closed",
    OfferingStatus::Launched => "offering launched",
    OfferingStatus::Ended => "offering ended",
    OfferingStatus::Cancelled => "offering cancelled",
});

names!(COMMITMENTS, commitment, CommitmentStatus, {
    CommitmentStatus::Review => "commitment made",
    CommitmentStatus::Passed => "commitment allotted",
    CommitmentStatus::Locked => "commitment delivered",
    CommitmentStatus::Released => "commitment released",
    CommitmentStatus::Refunded => "commitment refunded",
});

names!(LEVELS, level, Level, {
    Level::First => "rebate of the first level",
    Level::Second => "rebate of the second level",
});

names!(PLANS, plan, PlanStatus, {
    PlanStatus::Hosting => "plan bought",
    PlanStatus::Completed => "plan matured",
    PlanStatus::Redeemed => "plan redeemed",
});

/// All names.
pub fn all() -> impl Iterator<Item = &'static str> {
    let acts = [&OperatorAct::KINDS[..], ORDERS, PASSWORDS, DECISIONS, PROPOSALS, CHANGES];
    let states = [OPTIONS, ENDS, CONTRACTS, PLANS, LOANS, LOAN_ENDS, OFFERINGS, COMMITMENTS, LEVELS];
    let lists = [&acts[..], &states[..]].concat();
    KINDS.iter().map(|(_, name)| *name).chain(lists.into_iter().flatten().copied())
}

/// The request in an entry.
pub(crate) fn asked(entry: &Entry) -> Vec<&'static str> {
    let mut names: Vec<_> = name_of(encode(entry.request, &entry.command).kind).into_iter().collect();
    match &entry.command {
        Command::PlaceSpotOrder(place) => names.push(order(&place.kind)),
        Command::SetFundPassword { change, .. } => names.push(password(change)),
        Command::Operate(operate) => {
            names.push(OperatorAct::KINDS[usize::from(operate.act.kind())]);
            if let OperatorAct::Decide { decision: how, .. } = &operate.act {
                names.push(decision(how));
            }
        }
        _ => {}
    }
    names
}

/// The proposals that acted, and the outcomes of options, contracts, loans and subscriptions. A mere proposal is not enough.
pub(crate) fn acted(event: &Event) -> Vec<&'static str> {
    let Event::Account(happened) = event else { return Vec::new() };
    match &**happened {
        AccountEvent::ProposalChanged(found) if found.status == Status::Done => match &found.proposed {
            Proposed::ChangeCatalog { change: what, .. } => vec![proposal(&found.proposed), change(what)],
            _ => vec![proposal(&found.proposed)],
        },
        AccountEvent::OptionChanged(found) => vec![option(&found.status)],
        AccountEvent::LoanChanged(found, _) => found.reason.iter().map(loan_end).chain([loan(&found.status)]).collect(),
        AccountEvent::OfferingChanged(found) => vec![offering(&found.status)],
        AccountEvent::CommitmentChanged(found) => vec![commitment(&found.status)],
        AccountEvent::RebatePaid(found) => vec![level(&found.level)],
        AccountEvent::PlanChanged(found) => vec![plan(&found.status)],
        AccountEvent::ContractChanged(found) => found.reason.iter().map(end).chain([contract(&found.status)]).collect(),
        _ => Vec::new(),
    }
}
