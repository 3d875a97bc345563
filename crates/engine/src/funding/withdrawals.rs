//! Withdrawals (11): the guards of W-3 in their order, the hold, two different approvals, and the outcome.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::destinations::usable_at;
use super::finals::{Dated, FinalKind, Finals};
use super::status::{WithdrawalStatus, WithdrawalTrigger, next_withdrawal};
use super::withdrawal::Dispute;
pub use super::withdrawal::{Destination, EXPECTED_MS, Verification, Withdraw, Withdrawal};
use super::{Destinations, FundingContext, ObjectStore};
use crate::amount::{Amount, MAX_AMOUNT, Price};
use crate::catalog::funding::{BankTerms, FundingTerms};
use crate::catalog::{Catalog, Wallet};
use crate::event::AccountEvent;
use crate::exact::{COUNTED, Exact};
use crate::identity::KycLevel;
use crate::ids::{AddressId, AssetId, CardId, Digest, MemberIndex, UserId, WithdrawalId};
use crate::ledger::{AssetIndex, Available, HoldKey, Holder, HouseAccount, Ledger, LineKind, ObjectKind, Reason, Reserve};
use crate::operators::Actor;
use crate::operators::approval::all_different;
use crate::operators::roles::Roles;
use crate::product::Product;
use crate::reject::Reject;
use crate::security::{AccountControls, FreezeScope};
use crate::time::Time;
use crate::units::{Base, Scales};

/// Operators that must approve a withdrawal (W-7).
pub const APPROVALS: usize = 2;
const UNDER_LIMITS: &str = "the limits of the day bound its count and its value (W-4, W-5)";

/// Accepted applications of one member on one UTC day (W-4, W-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WithdrawalDay {
    /// UTC day number.
    pub day: u64,
    /// How many.
    pub count: u32,
    /// Their value, atoms of the coin of the bank terms.
    pub value: Amount,
}

/// The owner's data that the guards of a withdrawal use.
pub(crate) struct Applicant<'a> {
    pub(crate) holder: Holder,
    pub(crate) security: &'a mut AccountControls,
    /// Highest verified level.
    pub(crate) level: Option<KycLevel>,
    /// Latest price of the coin in the coin of the bank terms, whatever its age (decision: withdrawals never wait for a price).
    pub(crate) price: Option<Price>,
}

/// What the guards of W-3 before the fund password examine.
pub(crate) struct Screen<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) ledger: &'a Ledger,
    pub(crate) destinations: &'a Destinations,
    pub(crate) security: &'a AccountControls,
    /// Highest verified level.
    pub(crate) level: Option<KycLevel>,
    pub(crate) now: Time,
}

/// The result of those guards.
pub(crate) struct Screened {
    fee_terms: FeeTerms,
    level: KycLevel,
    /// Decimals of the coin.
    scale: u8,
    ledger_asset: AssetIndex,
    created: Time,
    destination_digest: Digest,
}

impl Screen<'_> {
    /// The guards of W-3 in their order, as far as they change nothing.
    pub(crate) fn check(&self, wanted: &Withdraw) -> Result<Screened, Reject> {
        let Withdraw { asset, amount, destination, .. } = *wanted;
        let terms = &self.catalog.funding;
        let fee_terms = fee_terms(terms, asset, destination, amount);
        if let Some(shut) = fee_terms.as_ref().filter(|terms| !terms.on) {
            return Err(Reject::Disabled(Some(shut.product)));
        }
        self.security.freezes.check(self.now, FreezeScope::Withdrawals)?;
        let level = self.level.ok_or(Reject::KycBasic)?;
        if !self.security.fund_password.set {
            return Err(Reject::FundPasswordUnset);
        }
        let scale = self.catalog.asset(asset).ok_or(Reject::BadAsset)?.scale;
        let ledger_asset = self.ledger.asset(asset).ok_or(Reject::BadAsset)?;
        let (created, destination_digest) = find(self.destinations, terms, wanted)?;
        let fee_terms = fee_terms.ok_or(Reject::BadChain)?;
        if amount == 0 || amount >= MAX_AMOUNT {
            return Err(Reject::BadAmount);
        }
        Ok(Screened { fee_terms, level, scale, ledger_asset, created, destination_digest })
    }
}

/// Fee and fixed data of the destination.
struct FeeTerms {
    product: Product,
    on: bool,
    min: Amount,
    fee: Option<Amount>,
}

/// All withdrawals.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Withdrawals {
    pub(super) store: ObjectStore<Withdrawal>,
    /// Open and passed ones by owner; what they hold is I-3.
    pub(super) open: BTreeSet<(UserId, WithdrawalId)>,
    days: BTreeMap<MemberIndex, WithdrawalDay>,
    /// Transactions and bank references of sent withdrawals that are not final.
    pub(super) sent: BTreeSet<Digest>,
    /// When each of those whose mark can still be undone was marked as sent; its own section of the snapshot.
    #[serde(skip)]
    pub(super) marks: Dated<WithdrawalId>,
    /// Those marks that their chain contradicts; likewise. They are not among the others.
    #[serde(skip)]
    pub(crate) disputes: BTreeMap<WithdrawalId, Dispute>,
    /// Transactions and bank references of finally sent withdrawals; likewise.
    #[serde(skip)]
    pub(super) finals: Finals,
}

fn fee_terms(terms: &FundingTerms, asset: AssetId, destination: Destination, amount: Amount) -> Option<FeeTerms> {
    match destination {
        Destination::Address { chain, .. } => {
            let network = terms.network(asset, chain)?;
            Some(FeeTerms {
                product: Product::CoinWithdrawal,
                on: network.withdraw_on,
                min: network.withdraw_min,
                fee: Some(network.withdraw_fee),
            })
        }
        Destination::Card(_) => {
            let BankTerms { withdraw_on, withdraw_min, .. } = terms.bank;
            Some(FeeTerms { product: Product::BankWithdrawal, on: withdraw_on, min: withdraw_min, fee: terms.bank.fee(amount) })
        }
    }
}

impl Withdrawals {
    pub(crate) fn get(&self, id: WithdrawalId) -> Option<&Withdrawal> {
        self.store.get(id.0)
    }

    /// Waiting or passed ones of a member, oldest first.
    pub(crate) fn open_of(&self, user: UserId) -> impl Iterator<Item = &Withdrawal> {
        self.open.range((user, WithdrawalId(0))..=(user, WithdrawalId(u64::MAX))).filter_map(|(_, id)| self.get(*id))
    }

    /// All that wait for operators or for being sent.
    pub(crate) fn open(&self) -> impl Iterator<Item = &Withdrawal> {
        self.open.iter().filter_map(|(_, id)| self.get(*id))
    }

    pub(crate) fn day(&self, member: MemberIndex, now: Time) -> WithdrawalDay {
        let today = WithdrawalDay { day: now.day(), ..WithdrawalDay::default() };
        self.days.get(&member).copied().filter(|day| day.day == today.day).unwrap_or(today)
    }

    /// L-2: fees of unsent withdrawals: they are returned with the withdrawal.
    pub(crate) fn reserves(&self) -> impl Iterator<Item = Reserve> {
        let passed = self.open().filter(|withdrawal| withdrawal.status == WithdrawalStatus::Passed);
        passed.map(|withdrawal| Reserve { account: HouseAccount::Fee, asset: withdrawal.asset, amount: withdrawal.fee })
    }

    /// W-1, W-9, K-3: a destination stays while a withdrawal to it is open.
    pub(crate) fn uses(&self, user: UserId, address: Option<AddressId>, card: Option<CardId>) -> bool {
        self.open_of(user).any(|withdrawal| match withdrawal.destination {
            Destination::Address { address: to, .. } => Some(to) == address,
            Destination::Card(to) => Some(to) == card,
        })
    }

    /// W-3 in its order, then W-4 to W-6. A wrong fund password is a refusal that counts.
    pub(crate) fn apply(
        &mut self,
        context: &mut FundingContext<'_>,
        catalog: &Catalog,
        destinations: &Destinations,
        applicant: Applicant<'_>,
        wanted: &Withdraw,
    ) -> Result<Withdrawal, Reject> {
        let Withdraw { user, asset, amount, destination, verification, arrives } = *wanted;
        let (terms, now) = (context.terms, context.now);
        let (ledger, security, level) = (&*context.ledger, &*applicant.security, applicant.level);
        let Screened { fee_terms, level, scale, ledger_asset, created, destination_digest } =
            Screen { catalog, ledger, destinations, security, level, now }.check(wanted)?;
        applicant.security.fund_password.enter(now, verification.fund_password_right)?;
        if let Some(fault) = verification.code {
            return Err(Reject::Code(fault));
        }
        if now < usable_at(created) {
            return Err(Reject::CooldownAddress { until: usable_at(created) });
        }
        if let Some(until) = applicant.security.hold_until(now) {
            return Err(Reject::CooldownSecurity { until });
        }
        let fee = fee_terms.fee.filter(|_| amount >= fee_terms.min).ok_or(Reject::WithdrawMin { min: fee_terms.min })?;
        let today = self.day(applicant.holder.member, now);
        if today.count >= terms.limits.withdrawals_per_day {
            return Err(Reject::WithdrawCount { resets: now.next_day() });
        }
        let price = applicant.price.ok_or(Reject::PriceStale)?;
        let quote_scale = catalog.scale(terms.bank.asset);
        let worth = Base(amount).value_ceil(price, Scales { base: scale, quote: quote_scale }).map(|value| value.0);
        let value = check_value(terms, level, today, worth)?;
        let available = context.ledger.available(applicant.holder.member, Wallet::Spot, ledger_asset);
        if available < amount {
            return Err(Reject::Insufficient { asset, available, needed: amount });
        }
        let payout_cents = match destination {
            Destination::Address { .. } => None,
            Destination::Card(_) => {
                Some(amount.checked_sub(fee).and_then(|received| terms.bank.payout_cents(received)).ok_or(Reject::Overflow)?)
            }
        };
        let told = payout_cents.or_else(|| amount.checked_sub(fee));
        if arrives.is_some() && arrives != told {
            return Err(Reject::TermsChanged);
        }
        let id = WithdrawalId(context.seq);
        let withdrawal = Withdrawal {
            id,
            user,
            asset,
            amount,
            fee,
            destination,
            destination_digest,
            payout_cents,
            value,
            submitted: now,
            status: WithdrawalStatus::UnderReview,
            approvals: Vec::new(),
            reason: None,
            tx: None,
            version: 1,
        };
        let (count, value_of_day) = (today.count.plus(1, UNDER_LIMITS), today.value.plus(value, UNDER_LIMITS));
        let today = WithdrawalDay { count, value: value_of_day, ..today };
        self.days.insert(applicant.holder.member, today);
        let (from, to) = wallet(applicant.holder);
        context.ledger.transfer(ledger_asset, from, to, amount, reason(LineKind::WithdrawalHold, id), context.events);
        self.open.insert((user, id));
        self.store.put(id.0, withdrawal.clone());
        context.events.push(AccountEvent::WithdrawalChanged(withdrawal.clone()).into());
        Ok(withdrawal)
    }

    /// By its owner, before the first approval that counts.
    pub(crate) fn cancel(
        &mut self,
        context: &mut FundingContext<'_>,
        user: UserId,
        holder: Holder,
        id: WithdrawalId,
        approved: bool,
    ) -> Result<Withdrawal, Reject> {
        let present = self.get(id).filter(|withdrawal| withdrawal.user == user).ok_or(Reject::NotFound)?;
        let cancelled = next_withdrawal(present.status, WithdrawalTrigger::Cancel)?;
        if approved {
            return Err(Reject::WrongState);
        }
        self.give_back(context, holder, id);
        self.close(context, id, |withdrawal| withdrawal.status = cancelled)
    }

    /// W-7: any one operator, with a reason.
    pub(crate) fn reject(
        &mut self,
        context: &mut FundingContext<'_>,
        holder: Holder,
        id: WithdrawalId,
        why: Digest,
    ) -> Result<Withdrawal, Reject> {
        let present = self.get(id).ok_or(Reject::NotFound)?;
        let rejected = next_withdrawal(present.status, WithdrawalTrigger::Reject)?;
        self.give_back(context, holder, id);
        self.close(context, id, |withdrawal| (withdrawal.status, withdrawal.reason) = (rejected, Some(why)))
    }

    /// W-7: the second person lets the money go. An earlier approval falls with the owner's security change (`changed`).
    pub(crate) fn approve(
        &mut self,
        context: &mut FundingContext<'_>,
        holder: Holder,
        id: WithdrawalId,
        reviewer: &Actor,
        changed: Option<Time>,
    ) -> Result<Withdrawal, Reject> {
        let present = self.get(id).ok_or(Reject::NotFound)?;
        let passed = next_withdrawal(present.status, WithdrawalTrigger::Pass)?;
        let mut counting = reviewer.counting(&present.approvals, present.user, Roles::TREASURY, changed);
        reviewer.check_new(&counting)?;
        counting.push(reviewer.approval());
        let last = counting.len() >= APPROVALS;
        let (asset, received, fee) = (context.ledger.asset(present.asset).ok_or(Reject::BadAsset)?, present.received(), present.fee);
        if last {
            let (_, held) = wallet(holder);
            let outside = HouseAccount::External;
            context.ledger.transfer(asset, held, outside, received, reason(LineKind::WithdrawalDone, id), context.events);
            context.ledger.transfer(asset, held, HouseAccount::Fee, fee, reason(LineKind::WithdrawalFee, id), context.events);
            context.ledger.reserve(asset, HouseAccount::Fee, fee)?;
        }
        self.change(context, id, |withdrawal| {
            withdrawal.approvals = counting;
            if last {
                withdrawal.status = passed;
            }
        })
    }

    /// The transaction of a passed withdrawal; its fee belongs to the house from now on (L-3).
    pub(crate) fn mark_sent(&mut self, context: &mut FundingContext<'_>, id: WithdrawalId, tx: Digest) -> Result<Withdrawal, Reject> {
        let present = self.get(id).ok_or(Reject::NotFound)?;
        let sent = next_withdrawal(present.status, WithdrawalTrigger::Send)?;
        let (asset, fee) = (context.ledger.asset(present.asset).ok_or(Reject::BadAsset)?, present.fee);
        if self.finals.has(FinalKind::Payout, tx) || !self.sent.insert(tx) {
            return Err(Reject::DuplicateTx);
        }
        context.ledger.release(asset, HouseAccount::Fee, fee);
        if context.payments {
            if !context.finals {
                self.finish_marks(context.now);
            }
            self.marks.date(id, context.now);
        }
        let marked = self.change(context, id, |withdrawal| (withdrawal.status, withdrawal.tx) = (sent, Some(tx)))?;
        self.open.remove(&(marked.user, id));
        if !context.payments {
            self.finish_payout(id, context.finals);
        }
        Ok(marked)
    }

    /// Whether it may be returned: it passed and was not sent.
    pub(crate) fn check_return(&self, id: WithdrawalId) -> Result<UserId, Reject> {
        let present = self.get(id).ok_or(Reject::NotFound)?;
        next_withdrawal(present.status, WithdrawalTrigger::Return).map(|_| present.user)
    }

    /// W-8: everything comes back, the fee too.
    pub(crate) fn give_returned(
        &mut self,
        context: &mut FundingContext<'_>,
        holder: Holder,
        id: WithdrawalId,
        why: Digest,
    ) -> Result<Withdrawal, Reject> {
        let present = self.get(id).ok_or(Reject::NotFound)?;
        let returned = next_withdrawal(present.status, WithdrawalTrigger::Return)?;
        let (asset, received, fee) = (context.ledger.asset(present.asset).ok_or(Reject::BadAsset)?, present.received(), present.fee);
        if !context.ledger.may_come_in(asset, received) {
            return Err(Reject::Overflow);
        }
        let (available, _) = wallet(holder);
        let back = reason(LineKind::WithdrawalBack, id);
        context.ledger.release(asset, HouseAccount::Fee, fee);
        context.ledger.transfer(asset, HouseAccount::External, available, received, back, context.events);
        context.ledger.transfer(asset, HouseAccount::Fee, available, fee, back, context.events);
        self.close(context, id, |withdrawal| (withdrawal.status, withdrawal.reason) = (returned, Some(why)))
    }

    fn give_back(&self, context: &mut FundingContext<'_>, holder: Holder, id: WithdrawalId) {
        let Some((asset, amount)) = self.get(id).and_then(|w| Some((context.ledger.asset(w.asset)?, w.amount))) else { return };
        let (available, held) = wallet(holder);
        context.ledger.transfer(asset, held, available, amount, reason(LineKind::WithdrawalBack, id), context.events);
    }

    fn close(
        &mut self,
        context: &mut FundingContext<'_>,
        id: WithdrawalId,
        how: impl FnOnce(&mut Withdrawal),
    ) -> Result<Withdrawal, Reject> {
        let closed = self.change(context, id, how)?;
        self.open.remove(&(closed.user, id));
        self.store.finish(id.0);
        Ok(closed)
    }

    pub(super) fn change(
        &mut self,
        context: &mut FundingContext<'_>,
        id: WithdrawalId,
        how: impl FnOnce(&mut Withdrawal),
    ) -> Result<Withdrawal, Reject> {
        let withdrawal = self.store.change(id.0).ok_or(Reject::NotFound)?;
        how(withdrawal);
        withdrawal.version = withdrawal.version.plus(1, COUNTED);
        context.events.push(AccountEvent::WithdrawalChanged(withdrawal.clone()).into());
        Ok(withdrawal.clone())
    }

    /// I-3: atoms that each open withdrawal holds.
    pub(crate) fn holds(&self) -> impl Iterator<Item = (UserId, AssetId, Amount)> {
        self.open().filter(|w| w.status == WithdrawalStatus::UnderReview).map(|w| (w.user, w.asset, w.amount))
    }

    /// `docs/rules.md` 11: every one that passed has two different approvals, no other has two; no member is over the day's count.
    pub(crate) fn fault(&self) -> Option<String> {
        let sound = |w: &Withdrawal| {
            let passed = match w.status {
                WithdrawalStatus::Passed | WithdrawalStatus::Sent | WithdrawalStatus::Returned | WithdrawalStatus::Confirmed => true,
                WithdrawalStatus::UnderReview | WithdrawalStatus::Rejected | WithdrawalStatus::Cancelled => false,
            };
            let open = matches!(w.status, WithdrawalStatus::UnderReview | WithdrawalStatus::Passed);
            all_different(&w.approvals)
                && passed == (w.approvals.len() == APPROVALS)
                && w.fee < w.amount
                && open == self.open.contains(&(w.user, w.id))
        };
        let wrong = self.store.all().find(|withdrawal| !sound(withdrawal)).map(|withdrawal| format!("W-7: withdrawal {}", withdrawal.id.0));
        wrong.or_else(|| self.dispute_fault())
    }
}

/// E_ASSET for a card, E_ADDRESS_UNSET, E_CHAIN: when the destination was stored, and its digest.
fn find(destinations: &Destinations, terms: &FundingTerms, wanted: &Withdraw) -> Result<(Time, Digest), Reject> {
    match wanted.destination {
        Destination::Address { address, chain } => {
            let found = destinations.address(wanted.user, address).ok_or(Reject::AddressUnset { card: false })?;
            if (found.asset, found.chain) != (wanted.asset, chain) {
                return Err(Reject::BadChain);
            }
            Ok((found.created, found.destination))
        }
        Destination::Card(card) => {
            if wanted.asset != terms.bank.asset {
                return Err(Reject::BadAsset);
            }
            let found = destinations.card(wanted.user, card).ok_or(Reject::AddressUnset { card: true })?;
            Ok((found.created, found.destination))
        }
    }
}

/// W-5: the value of this application, if the day's limit of the level allows it. A value that is not an amount is over every limit.
fn check_value(terms: &FundingTerms, level: KycLevel, today: WithdrawalDay, value: Result<Amount, Reject>) -> Result<Amount, Reject> {
    let (basic, advanced) = (terms.limits.withdraw_day_basic, terms.limits.withdraw_day_advanced);
    let limit = match level {
        KycLevel::Basic => basic,
        KycLevel::Advanced => advanced,
    };
    let left = limit.saturating_sub(today.value);
    match value {
        Ok(value) if value <= left => Ok(value),
        Ok(value) => {
            let upgrade = level == KycLevel::Basic && value <= advanced.saturating_sub(today.value);
            Err(Reject::WithdrawLimit { left, upgrade })
        }
        Err(_) => Err(Reject::WithdrawLimit { left, upgrade: false }),
    }
}

fn wallet(holder: Holder) -> (Available, HoldKey) {
    (Available(holder, Wallet::Spot), HoldKey(holder, Wallet::Spot))
}

fn reason(kind: LineKind, id: WithdrawalId) -> Reason {
    Reason { kind, object: ObjectKind::Withdrawal, debit_id: id.0, credit_id: id.0 }
}
