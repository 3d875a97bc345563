//! Rows of deposits, withdrawals and identity, and the notices to their owners.

use std::collections::BTreeMap;

use engine::catalog::Catalog;
use engine::event::AccountEvent;
use engine::funding::deposits::{Claimed, Deposit, Observation};
use engine::funding::status::{DepositStatus, WithdrawalStatus};
use engine::funding::withdrawals::Withdrawal;
use engine::identity::status::Status;
use engine::identity::{Identity, KycLevel};
use engine::ids::{AssetId, Seq, UserId};
use engine::loans::loan::Loan;
use engine::options::option::Status as OptionStatus;
use engine::plans::status::Status as PlanStatus;
use engine::spot::SpotOrder;
use engine::subscriptions::offering::Commitment;
use engine::subscriptions::status::CommitmentStatus;
use engine::time::Time;

use crate::account::{NEWER, NEWER_WAITING, StoredState, cells};
use crate::db::{self, Sql, Value};
use crate::notices::{self, Topic, insert_once};
use crate::people::HOUSE;
use crate::rows::endings;
use crate::stats::{self, OptionMinute};
use crate::{contracts, conversions, loans, observations, operators, options, plans, rebates, subscriptions};

/// Rows of one transaction.
#[derive(Debug, Default)]
pub(super) struct Rows {
    deposits: BTreeMap<u64, Vec<Value>>,
    withdrawals: BTreeMap<u64, Vec<Value>>,
    submissions: BTreeMap<u64, Vec<Value>>,
    observations: BTreeMap<u64, [Value; 4]>,
    options: BTreeMap<u64, Vec<Value>>,
    contracts: BTreeMap<u64, Vec<Value>>,
    loans: BTreeMap<u64, Vec<Value>>,
    conversions: BTreeMap<u64, [Value; 4]>,
    commitments: BTreeMap<u64, Vec<Value>>,
    rebates: BTreeMap<u64, Vec<Value>>,
    plans: BTreeMap<u64, Vec<Value>>,
    /// By minute and coin.
    option_minutes: BTreeMap<(u64, u32), OptionMinute>,
    /// By contract and whether it is the closing.
    contract_trades: BTreeMap<(u64, bool), [Value; 7]>,
    notices: db::Rows,
    /// Those that an object has once.
    notices_once: Vec<Sql>,
    operators: Vec<Sql>,
    /// Members with new notices.
    pub(super) told: Vec<UserId>,
    /// Members with new notices about orders. These do not flush the rows at once: orders are many, and the sockets know of each already.
    pub(super) told_of_orders: Vec<UserId>,
}

impl Rows {
    pub(super) fn is_empty(&self) -> bool {
        self.deposits.is_empty()
            && self.withdrawals.is_empty()
            && self.submissions.is_empty()
            && self.observations.is_empty()
            && self.options.is_empty()
            && self.option_minutes.is_empty()
            && self.contracts.is_empty()
            && self.loans.is_empty()
            && self.conversions.is_empty()
            && self.contract_trades.is_empty()
            && self.commitments.is_empty()
            && self.rebates.is_empty()
            && self.plans.is_empty()
            && self.notices.is_empty()
            && self.notices_once.is_empty()
            && self.operators.is_empty()
    }

    pub(super) fn take(&mut self, catalog: &Catalog, (Seq(seq), at): (Seq, Time), change: &AccountEvent) {
        match change {
            AccountEvent::DepositChanged(deposit) => {
                self.deposits.insert(deposit.id.0, cells(seq, at.0, deposit));
                let topic = match deposit.status {
                    DepositStatus::UnderReview => return,
                    DepositStatus::Passed => Topic::DepositCredited,
                    DepositStatus::Rejected => Topic::DepositRejected,
                };
                let (amount, coin) = deposit_figures(catalog, deposit);
                self.tell(at, deposit.user, topic, &[("amount", &amount), ("coin", &coin)], deposit.id.0);
            }
            AccountEvent::WithdrawalChanged(withdrawal) => {
                self.withdrawals.insert(withdrawal.id.0, cells(seq, at.0, withdrawal));
                let Some(topic) = withdrawal_topic(withdrawal, at) else { return };
                let (amount, coin) = figures(catalog, withdrawal.asset, withdrawal.amount);
                self.tell(at, withdrawal.user, topic, &[("amount", &amount), ("coin", &coin)], withdrawal.id.0);
            }
            AccountEvent::IdentityChanged(identity) => {
                self.submissions.insert(identity.submission.0, cells(seq, at.0, identity));
                let Some(topic) = identity_topic(identity) else { return };
                self.tell(at, identity.user, topic, &[], identity.submission.0);
            }
            AccountEvent::ObservationChanged(seen) => {
                self.observations.insert(seen.id.0, observations::cells(seen));
                self.tell_reversal(catalog, at, seen);
            }
            AccountEvent::OperatorChanged(known) => self.operators.push(operators::logged(known)),
            AccountEvent::OptionChanged(option) => {
                if option.status != OptionStatus::Open && option.user != HOUSE {
                    self.options.insert(option.id.0, options::cells(seq, option));
                    self.tell_ending(at, option.user, option.id.0, endings::of_option(catalog, option));
                }
            }
            AccountEvent::RebatePaid(rebate) => {
                self.rebates.insert(rebate.id.0, rebates::cells(seq, rebate));
                // One notice for both levels and all coins of a day.
                let day = rebates::day_text(rebate.day);
                self.notices_once.push(insert_once(rebate.user, Topic::RebatesCredited, &[("day", &day)], rebate.day, at.0));
                self.told.push(rebate.user);
            }
            AccountEvent::ContractChanged(position) => {
                if !position.is_open() {
                    self.contracts.insert(position.id.0, contracts::cells(seq, position));
                }
                self.tell_ending(at, position.user, position.id.0, endings::of_contract(catalog, at, position));
                if let Some(cells) = contracts::trade_cells(position) {
                    self.contract_trades.entry((position.id.0, !position.is_open())).or_insert(cells);
                }
            }
            AccountEvent::LoanChanged(loan, step) => {
                self.loans.insert(loan.id.0, cells(seq, at.0, loan));
                let Some((topic, atoms)) = loans::news(loan, step) else { return };
                let (amount, coin) = figures(catalog, loan.terms.asset, atoms);
                self.tell(at, loan.user, topic, &[("amount", &amount), ("coin", &coin)], loan.id.0);
            }
            AccountEvent::Converted(done) => drop(self.conversions.insert(done.id.0, conversions::cells(seq, done))),
            AccountEvent::CommitmentChanged(commitment) => {
                if commitment.is_over() {
                    self.commitments.insert(commitment.id.0, subscriptions::cells(seq, commitment));
                }
                self.tell_commitment(catalog, at, commitment);
            }
            AccountEvent::PlanChanged(order) => {
                let Some(cells) = plans::cells(order) else { return };
                self.plans.insert(order.id.0, cells);
                // An early redemption is the owner's own act and needs no notice.
                if let (PlanStatus::Completed, Some(ended)) = (order.status, order.ended) {
                    let (returned, coin) = figures(catalog, order.asset, ended.returned);
                    let (interest, _) = figures(catalog, order.asset, ended.interest);
                    let args = [("amount", returned.as_str()), ("interest", &interest), ("coin", &coin)];
                    self.tell(at, order.user, Topic::PlanMatured, &args, order.id.0);
                }
            }
            // The engine has the present state of these, and their history is not needed.
            AccountEvent::AddressAdded(_)
            | AccountEvent::AddressRemoved { .. }
            | AccountEvent::CardAdded(_)
            | AccountEvent::CardRemoved { .. }
            | AccountEvent::IncidentChanged(_)
            | AccountEvent::PayoutDisputed(_)
            | AccountEvent::SecurityChanged(_)
            | AccountEvent::ProposalChanged(_)
            | AccountEvent::CatalogChanged(_)
            | AccountEvent::OfferingChanged(_)
            | AccountEvent::Paused { .. }
            | AccountEvent::Audited { .. } => {}
        }
    }

    /// Counts what an entry at this time has settled.
    pub(super) fn count(&mut self, time: Time, change: &AccountEvent) {
        if let AccountEvent::OptionChanged(option) = change
            && let Some(minute) = OptionMinute::of(time, option)
        {
            self.option_minutes.entry(minute).or_default().add(option);
        }
    }

    /// D-7: the only end of an observation that its owner's claim does not show.
    fn tell_reversal(&mut self, catalog: &Catalog, at: Time, seen: &Observation) {
        let Observation { observed, taken_back: Some(taken), claim: Some(claim), watched, vanished, .. } = seen else { return };
        let (amount, coin) = figures(catalog, observed.asset, observed.amount);
        let (taken, _) = figures(catalog, observed.asset, *taken);
        let args = [("amount", amount.as_str()), ("coin", &coin), ("taken", &taken)];
        // The chain has the payment, but with other facts than were credited.
        let topic = if *watched && !*vanished { Topic::DepositCorrected } else { Topic::DepositReversed };
        self.tell(at, observed.user, topic, &args, claim.0);
    }

    /// An order ends once.
    pub(super) fn tell_order(&mut self, catalog: &Catalog, order: &SpotOrder) {
        let Some(endings::Ending { topic, args }) = endings::of_order(catalog, order) else { return };
        let args: Vec<(&str, &str)> = args.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.notices.push(notices::cells(order.user, topic, &args, Some(order.id.0), order.updated.0));
        self.told_of_orders.push(order.user);
    }

    /// Once, because a position may be reported again at the instant at which it was opened.
    fn tell_ending(&mut self, at: Time, user: UserId, id: u64, ending: Option<endings::Ending>) {
        let Some(endings::Ending { topic, args }) = ending else { return };
        let args: Vec<(&str, &str)> = args.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.notices_once.push(insert_once(user, topic, &args, id, at.0));
        self.told.push(user);
    }

    /// The outcome since it was paid. A tranche reports what is released by then.
    fn tell_commitment(&mut self, catalog: &Catalog, at: Time, commitment: &Commitment) {
        let Commitment { id, user, asset, token, charge, refund, tokens, released, .. } = commitment;
        let (topic, (amount, coin), back) = match commitment.status {
            CommitmentStatus::Review => return,
            CommitmentStatus::Passed => {
                (Topic::TokensAllotted, figures(catalog, *asset, *charge), Some(figures(catalog, *asset, *refund).0))
            }
            CommitmentStatus::Refunded => (Topic::SubscriptionRefunded, figures(catalog, *asset, *refund), None),
            CommitmentStatus::Locked if *released == 0 => (Topic::TokensLaunched, figures(catalog, *token, *tokens), None),
            CommitmentStatus::Locked | CommitmentStatus::Released => (Topic::TokensReleased, figures(catalog, *token, *released), None),
        };
        let args = [("amount", amount.as_str()), ("coin", &coin), ("back", back.as_deref().unwrap_or_default())];
        let given = if back.is_some() { &args[..] } else { &args[..2] };
        self.tell(at, *user, topic, given, id.0);
    }

    fn tell(&mut self, at: Time, user: UserId, topic: Topic, args: &[(&str, &str)], id: u64) {
        self.notices.push(notices::cells(user, topic, args, Some(id), at.0));
        self.told.push(user);
    }

    pub(super) fn statements(self) -> Vec<Sql> {
        let rows: [(_, _, db::Rows); 14] = [
            (Deposit::INSERT, NEWER, self.deposits.into_values().collect()),
            (Withdrawal::INSERT, NEWER_WAITING, self.withdrawals.into_values().collect()),
            (Identity::INSERT, NEWER, self.submissions.into_values().collect()),
            (observations::INSERT, observations::NEWER, self.observations.into_values().collect()),
            (options::INSERT, "", self.options.into_values().collect()),
            (stats::INSERT, stats::ADD, self.option_minutes.into_iter().map(|(minute, sums)| sums.cells(minute)).collect()),
            (contracts::INSERT, "", self.contracts.into_values().collect()),
            (Loan::INSERT, NEWER, self.loans.into_values().collect()),
            (conversions::INSERT, "", self.conversions.into_values().collect()),
            (contracts::TRADE, contracts::KNOWN, self.contract_trades.into_values().collect()),
            (subscriptions::INSERT, "", self.commitments.into_values().collect()),
            (rebates::INSERT, "", self.rebates.into_values().collect()),
            (plans::INSERT, "", self.plans.into_values().collect()),
            (notices::INSERT, "", self.notices),
        ];
        let rows = rows.into_iter().filter(|(.., rows)| !rows.is_empty());
        rows.map(|(head, tail, rows)| Sql::bulk(head, tail, rows)).chain(self.notices_once).chain(self.operators).collect()
    }
}

/// An amount as shown in a sentence, without trailing zeros, and its coin.
pub(super) fn figures(catalog: &Catalog, asset: AssetId, atoms: u64) -> (String, String) {
    match catalog.asset(asset) {
        Some(asset) if asset.scale > 0 => {
            let text = engine::amount::format_decimal(atoms, asset.scale, asset.scale);
            (text.trim_end_matches('0').trim_end_matches('.').to_owned(), asset.code.clone())
        }
        Some(asset) => (atoms.to_string(), asset.code.clone()),
        None => (atoms.to_string(), String::new()),
    }
}

/// The credited amount, else the claimed one.
fn deposit_figures(catalog: &Catalog, deposit: &Deposit) -> (String, String) {
    match (deposit.claimed, deposit.credited) {
        (Claimed::Coin { asset, amount, .. }, credited) => figures(catalog, asset, credited.unwrap_or(amount)),
        (Claimed::Bank { .. }, Some(credited)) => figures(catalog, catalog.funding.bank.asset, credited),
        (Claimed::Bank { cents }, None) => (engine::amount::format_decimal(cents, 2, 2), "USD".to_owned()),
    }
}

fn withdrawal_topic(withdrawal: &Withdrawal, now: Time) -> Option<Topic> {
    match withdrawal.status {
        // Owners' own acts are not news, except that a withdrawal was requested.
        WithdrawalStatus::UnderReview if withdrawal.version == 1 => Some(Topic::WithdrawalAsked),
        WithdrawalStatus::UnderReview | WithdrawalStatus::Cancelled | WithdrawalStatus::Confirmed => None,
        // A withdrawal passes with its last approval. It passes again later only if its payout mark was reversed.
        WithdrawalStatus::Passed if withdrawal.approvals.iter().all(|approval| approval.at < now) => Some(Topic::WithdrawalUnmarked),
        WithdrawalStatus::Passed => Some(Topic::WithdrawalPassed),
        WithdrawalStatus::Sent => Some(Topic::WithdrawalSent),
        WithdrawalStatus::Rejected => Some(Topic::WithdrawalRejected),
        WithdrawalStatus::Returned => Some(Topic::WithdrawalReturned),
    }
}

fn identity_topic(identity: &Identity) -> Option<Topic> {
    match (identity.status, identity.level) {
        (Status::UnderReview, _) => None,
        (Status::Verified, KycLevel::Basic) => Some(Topic::BasicVerified),
        (Status::Verified, KycLevel::Advanced) => Some(Topic::AdvancedVerified),
        (Status::Rejected, _) => Some(Topic::IdentityRejected),
        // The lower level was revoked, and that has its own notice.
        (Status::Unverified, _) => None,
    }
}
