//! Loans by the rules (`docs/rules.md` 7): a list of loans, searched at each sample, with the debt at the start of each period.

use std::collections::{BTreeMap, VecDeque};

use engine::backoffice::acts::Decision;
use engine::catalog::Wallet;
use engine::identity::KycLevel;
use engine::ledger::HouseAccount;
use engine::loans::FINISHED_KEPT;
use engine::loans::loan::ApplyForLoan;
use engine::loans::terms::{LoanProduct, LoanTerms, SharedTerms};
use engine::operators::approval::{Reviewer, SignedVersion};
use engine::operators::roles::Roles;

use super::operators::Approvals;
use super::people::DAY;
use super::{AMOUNT_LIMIT, Done, Oracle, Refusal, WRONG_HASH, need, refuse};

const TREASURY: HouseAccount = HouseAccount::LoanTreasury;
const ONE: i128 = 100_000_000;

fn up(value: i128, by: i128) -> i128 {
    (value + by - 1).div_euclid(by)
}

/// A loan that has not ended.
#[derive(Clone, Debug)]
struct Debt {
    user: u64,
    pair: u32,
    coin: u32,
    amount: i128,
    bound_coin: u32,
    bound: i128,
    product: LoanProduct,
    shared: SharedTerms,
    needs: usize,
    approvals: Approvals,
    version: u32,
    applied: u64,
    start: Option<u64>,
    /// The principal owed at the start of each period.
    periods: Vec<i128>,
    owed: i128,
    paid_interest: i128,
    paid_penalty: i128,
    called: bool,
    /// The automatic repayment failed at the end of the present period.
    tried: bool,
}

/// Something that a sample triggered.
#[derive(Clone, Copy, Debug)]
struct Queued {
    at: u64,
    id: u64,
    price: i128,
    sells: bool,
}

/// Everything about loans.
#[derive(Debug, Default)]
pub(super) struct Shop {
    terms: Option<LoanTerms>,
    open: BTreeMap<u64, Debt>,
    finished: VecDeque<(u64, u64)>,
    queue: Vec<Queued>,
}

/// The lent coin has 6 decimals, collateral 8: quote atoms of base atoms at a price.
fn worth(atoms: i128, price: i128) -> i128 {
    atoms * price / 10_i128.pow(10)
}

impl Debt {
    fn days(&self) -> usize {
        self.product.days as usize
    }

    /// B-4, B-5: interest and penalty of all periods, less what was paid.
    fn charges(&self) -> (i128, i128) {
        let rate = i128::from(self.product.rate.0);
        let inside: i128 = self.periods.iter().take(self.days()).map(|owed| owed * rate).sum();
        let times = i128::from(self.shared.overdue_multiple);
        let beyond: i128 = self.periods.iter().skip(self.days()).map(|owed| owed * rate * times).sum();
        (up(inside, ONE) - self.paid_interest, up(beyond, ONE) - self.paid_penalty)
    }

    fn debt(&self) -> i128 {
        let (interest, penalty) = self.charges();
        self.owed + interest + penalty
    }

    fn is_forfeit(&self) -> bool {
        self.periods.len() > self.days() + self.shared.grace_days as usize
    }

    /// When something is due: an application expires, a period begins, or the loan is repaid automatically.
    fn next(&self) -> Option<u64> {
        let Some(start) = self.start else { return Some(self.applied + 3 * DAY + 1) };
        let boundary = start + self.periods.len() as u64 * DAY;
        let debits = self.periods.len() >= self.days() && !self.tried;
        (!self.is_forfeit()).then_some(if debits { boundary } else { boundary + 1 })
    }

    fn reaches(&self, price: i128, share: u64) -> bool {
        self.debt() * ONE >= worth(self.bound, price) * i128::from(share)
    }

    fn state(&self) -> &'static str {
        match self.periods.len() {
            0 => "Pending",
            begun if begun > self.days() => "Overdue",
            _ => "InLoan",
        }
    }

    fn summary(&self, id: u64) -> String {
        let (interest, penalty) = self.charges();
        let (state, Debt { amount, owed, bound, called, version, approvals, .. }) = (self.state(), self);
        let (begun, next, signed) = (self.periods.len(), self.next(), approvals.len());
        format!(
            "loan {id} {state} None {amount} owed {owed} {interest} {penalty} bound {bound} in {begun} called {called} signed {signed} \
             version {version} next {next:?}"
        )
    }

    /// The same once it is over.
    fn ended(&self, id: u64, state: &str, why: &str) -> String {
        let Debt { amount, version, approvals, .. } = self;
        let (begun, signed) = (self.periods.len(), approvals.len());
        format!(
            "loan {id} {state} Some({why}) {amount} owed 0 0 0 bound 0 in {begun} called false signed {signed} version {} next None",
            version + 1
        )
    }
}

impl Oracle {
    pub(super) fn begin_loans(&mut self) {
        self.loans.terms = Some(LoanTerms::standard());
    }

    pub(super) fn set_loan_product(&mut self, product: &LoanProduct) {
        if let Some(terms) = &mut self.loans.terms {
            terms.products.retain(|present| present.id != product.id);
            terms.products.push(*product);
        }
    }

    pub(super) fn set_loan_shared(&mut self, shared: &SharedTerms) {
        self.loans.terms.iter_mut().for_each(|terms| terms.shared = shared.clone());
    }

    fn most_owed(product: &LoanProduct, shared: &SharedTerms) -> i128 {
        let charged = i128::from(product.days) + i128::from(shared.overdue_multiple) * (i128::from(shared.grace_days) + 1);
        up(i128::from(product.max) * (ONE + charged * i128::from(product.rate.0)), ONE) + 2
    }

    pub(super) fn check_loan_product(&self, product: &LoanProduct) -> Result<(), Refusal> {
        let Some(terms) = &self.loans.terms else { return refuse("E_NOT_FOUND") };
        let rate = i128::from(product.rate.0) < ONE;
        let bounds = product.min > 0 && product.min <= product.max && Oracle::most_owed(product, &terms.shared) < AMOUNT_LIMIT;
        let known = (1..=4).contains(&product.asset.0) && product.id.0 > 0 && (1..=3_650).contains(&product.days);
        let room = terms.products.len() < 50 || terms.products.iter().any(|present| present.id == product.id);
        need(rate && bounds && known && room, "E_CATALOG")
    }

    pub(super) fn check_loan_shared(&self, shared: &SharedTerms) -> Result<(), Refusal> {
        let Some(terms) = &self.loans.terms else { return refuse("E_NOT_FOUND") };
        let coins = &shared.collateral;
        let once = coins.iter().enumerate().all(|(at, coin)| !coins[..at].contains(coin) && (1..=4).contains(&coin.0));
        let [start, call, sold] = [shared.start, shared.call, shared.liquidation].map(|share| i128::from(share.0));
        let rising = 0 < start && start < call && call < sold && sold <= ONE && i128::from(shared.liquidation_fee.0) < ONE;
        let late = (1..=100).contains(&shared.overdue_multiple) && (1..=3_650).contains(&shared.grace_days);
        let value = i128::from(shared.one_approves_up_to) < AMOUNT_LIMIT;
        let fits = terms.products.iter().all(|product| Oracle::most_owed(product, shared) < AMOUNT_LIMIT);
        need(once && coins.len() <= 50 && rising && late && value && fits, "E_CATALOG")
    }

    /// B-1, in the order of its refusals.
    pub(super) fn apply_for_loan(&mut self, id: u64, apply: &ApplyForLoan) -> Result<Done, Refusal> {
        let (user, now) = (apply.user.0, self.now);
        let Some(terms) = self.loans.terms.clone() else { return refuse("E_DISABLED") };
        self.check_pause("loan", None)?;
        self.member(user)?;
        self.person(user)?.check_frozen(now, true)?;
        need(self.verified(user, KycLevel::Basic), "E_KYC_BASIC")?;
        let (amount, bound) = (i128::from(apply.amount), i128::from(apply.collateral));
        need([amount, bound].into_iter().all(|atoms| atoms > 0 && atoms < AMOUNT_LIMIT), "E_AMOUNT")?;
        let Some(product) = terms.products.iter().find(|product| product.id == apply.product && product.on) else {
            return refuse("E_CYCLE");
        };
        need(apply.rule.is_none_or(|shown| shown == product.rule(&terms.shared)), "E_TERMS")?;
        need(apply.amount >= product.min, "E_LOAN_MIN")?;
        need(apply.amount <= product.max, "E_LOAN_MAX")?;
        let (coin, bound_coin) = (product.asset.0, apply.collateral_asset.0);
        let pair = match (bound_coin, coin) {
            (1, 3) => 1,
            (2, 3) => 2,
            (1, 4) => 4,
            (2, 4) => 5,
            _ => return refuse("E_ASSET"),
        };
        need(terms.shared.collateral.contains(&apply.collateral_asset), "E_ASSET")?;
        let live = self.loans.open.values().filter(|debt| debt.user == user).count();
        need(live < terms.shared.live_loans as usize, "E_OPEN_LIMIT")?;
        let Some(price) = self.fresh(pair) else { return refuse("E_PRICE_STALE") };
        need(amount * ONE <= worth(bound, price).min(AMOUNT_LIMIT) * i128::from(terms.shared.start.0), "E_LTV")?;
        let available = self.balance(user, Wallet::Spot, bound_coin).map_or(0, |(available, _)| available);
        if available < bound {
            return Err(Refusal { name: "E_INSUFFICIENT", short: Some((bound_coin, available, bound)) });
        }
        need(self.free(TREASURY, coin) >= amount, "E_TREASURY_SHORT")?;
        let most = i128::from(terms.shared.one_approves_up_to);
        let needs = if self.usdt_value(coin, amount).is_some_and(|value| value <= most) { 1 } else { 2 };
        let debt = Debt {
            user,
            pair,
            coin,
            amount,
            bound_coin,
            bound,
            product: *product,
            shared: terms.shared,
            needs,
            approvals: Vec::new(),
            version: 1,
            applied: now,
            start: None,
            periods: Vec::new(),
            owed: 0,
            paid_interest: 0,
            paid_penalty: 0,
            called: false,
            tried: false,
        };
        let done = Done::Object(debt.summary(id));
        self.loans.open.insert(id, debt);
        Ok(done)
    }

    fn is_idle(&self, id: u64, debt: &Debt) -> bool {
        debt.next().is_none_or(|next| next > self.now) && self.loans.queue.iter().all(|queued| queued.id != id)
    }

    fn own_loan(&self, user: u64, id: u64, runs: bool) -> Result<Debt, Refusal> {
        self.member(user)?;
        let Some(debt) = self.loans.open.get(&id) else {
            return refuse(if self.loans.finished.contains(&(id, user)) { "E_STATE" } else { "E_NOT_FOUND" });
        };
        need(debt.user == user, "E_NOT_FOUND")?;
        need(self.is_idle(id, debt) && debt.start.is_some() == runs, "E_STATE")?;
        Ok(debt.clone())
    }

    fn end_loan(&mut self, id: u64, debt: &Debt) {
        self.loans.open.remove(&id);
        self.loans.queue.retain(|queued| queued.id != id);
        self.loans.finished.push_back((id, debt.user));
        if self.loans.finished.len() > FINISHED_KEPT {
            self.loans.finished.pop_front();
        }
    }

    /// B-6.
    pub(super) fn repay_loan(&mut self, user: u64, id: u64, (amount, most): (Option<u64>, Option<u64>)) -> Result<Done, Refusal> {
        let debt = self.own_loan(user, id, true)?;
        let amount = amount.map(i128::from);
        need(amount.is_none_or(|amount| amount > 0 && amount < AMOUNT_LIMIT), "E_AMOUNT")?;
        need(most.is_none_or(|most| debt.debt() <= i128::from(most)), "E_DEBT_MOVED")?;
        let taken = amount.map_or(debt.debt(), |amount| amount.min(debt.debt()));
        let available = self.balance(user, Wallet::Spot, debt.coin).map_or(0, |(available, _)| available);
        if available < taken {
            return Err(Refusal { name: "E_INSUFFICIENT", short: Some((debt.coin, available, taken)) });
        }
        Ok(Done::Object(self.take(id, debt, taken, "Repaid")))
    }

    fn take(&mut self, id: u64, mut debt: Debt, amount: i128, why: &str) -> String {
        let (interest, penalty) = debt.charges();
        let penalty = amount.min(penalty);
        let interest = (amount - penalty).min(interest);
        let principal = (amount - penalty - interest).min(debt.owed);
        debt.paid_penalty += penalty;
        debt.paid_interest += interest;
        debt.owed -= principal;
        let taken = penalty + interest + principal;
        self.add(debt.user, Wallet::Spot, debt.coin, -taken);
        *self.world.pools.entry((TREASURY, debt.coin)).or_default() += taken;
        let paid = format!("{penalty} {interest} {principal}");
        if debt.debt() == 0 {
            self.end_loan(id, &debt);
            return format!("{} {paid}", debt.ended(id, "Finished", why));
        }
        debt.version += 1;
        let done = format!("{} {paid}", debt.summary(id));
        self.loans.open.insert(id, debt);
        done
    }

    /// B-8.
    pub(super) fn add_collateral(&mut self, user: u64, id: u64, amount: u64) -> Result<Done, Refusal> {
        let mut debt = self.own_loan(user, id, true)?;
        let amount = i128::from(amount);
        need(amount > 0 && amount < AMOUNT_LIMIT, "E_AMOUNT")?;
        let available = self.balance(user, Wallet::Spot, debt.bound_coin).map_or(0, |(available, _)| available);
        if available < amount {
            return Err(Refusal { name: "E_INSUFFICIENT", short: Some((debt.bound_coin, available, amount)) });
        }
        debt.bound += amount;
        debt.version += 1;
        let done = Done::Object(debt.summary(id));
        self.loans.open.insert(id, debt);
        Ok(done)
    }

    pub(super) fn cancel_loan(&mut self, user: u64, id: u64) -> Result<Done, Refusal> {
        let debt = self.own_loan(user, id, false)?;
        self.end_loan(id, &debt);
        Ok(Done::Object(debt.ended(id, "Cancelled", "User")))
    }

    /// B-3.
    pub(super) fn decide_loan(&mut self, by: Reviewer, id: u64, decision: Decision, seen: SignedVersion) -> Result<Done, Refusal> {
        let Some(mut debt) = self.loans.open.get(&id).cloned() else {
            return refuse(if self.loans.finished.iter().any(|(known, _)| *known == id) { "E_STATE" } else { "E_NOT_FOUND" });
        };
        need(self.is_idle(id, &debt) && debt.start.is_none(), "E_STATE")?;
        need(seen.version == debt.version && seen.hash != WRONG_HASH, "E_VERSION")?;
        self.not_about(by, debt.user)?;
        match decision {
            Decision::Approve => {}
            Decision::Reject { .. } => {
                self.end_loan(id, &debt);
                return Ok(Done::Object(debt.ended(id, "Cancelled", "Rejected")));
            }
            Decision::ApproveWith(_) | Decision::ApproveBank(_) => return refuse("E_STATE"),
        }
        let now = self.now;
        self.person(debt.user)?.check_frozen(now, true)?;
        need(self.verified(debt.user, KycLevel::Basic), "E_KYC_BASIC")?;
        debt.approvals = self.approved(by, &debt.approvals, debt.user, Roles::TREASURY, None)?;
        if debt.approvals.len() >= debt.needs {
            let Some(price) = self.fresh(debt.pair) else { return refuse("E_PRICE_STALE") };
            if debt.amount * ONE > worth(debt.bound, price).min(AMOUNT_LIMIT) * i128::from(debt.shared.start.0) {
                self.end_loan(id, &debt);
                return Ok(Done::Object(debt.ended(id, "Cancelled", "Ltv")));
            }
            *self.world.pools.entry((TREASURY, debt.coin)).or_default() -= debt.amount;
            self.add(debt.user, Wallet::Spot, debt.coin, debt.amount);
            (debt.start, debt.owed) = (Some(now), debt.amount);
            debt.periods.push(debt.amount);
        }
        debt.version += 1;
        let done = Done::Object(debt.summary(id));
        self.loans.open.insert(id, debt);
        Ok(done)
    }

    /// B-4, B-5, B-7 and the ends of periods.
    pub(super) fn run_loan(&mut self, id: u64) {
        let Some(mut debt) = self.loans.open.get(&id).cloned() else { return };
        let Some(at) = debt.next() else { return };
        if debt.start.is_none() {
            self.end_loan(id, &debt);
            return;
        }
        if debt.periods.len() >= debt.days() && !debt.tried {
            let available = self.balance(debt.user, Wallet::Spot, debt.coin).map_or(0, |(available, _)| available);
            let all = debt.debt();
            if available >= all {
                drop(self.take(id, debt, all, "AutoDebit"));
            } else {
                debt.tried = true;
                self.loans.open.insert(id, debt);
            }
            return;
        }
        debt.periods.push(debt.owed);
        debt.tried = false;
        debt.version += 1;
        let known = self.price_at(debt.pair, at).filter(|_| debt.is_forfeit());
        self.loans.open.insert(id, debt);
        if let Some(price) = known {
            self.sell(id, price);
        }
    }

    /// B-9.
    fn sell(&mut self, id: u64, price: i128) {
        let Some(debt) = self.loans.open.get(&id).cloned() else { return };
        let owed = debt.debt();
        let fee = up(owed * i128::from(debt.shared.liquidation_fee.0), ONE);
        let sold = debt.bound.min(up((owed + fee) * 10_i128.pow(10), price));
        self.add(debt.user, Wallet::Spot, debt.bound_coin, -sold);
        *self.world.pools.entry((TREASURY, debt.bound_coin)).or_default() += sold;
        self.end_loan(id, &debt);
    }

    /// B-8: the effect of a sample.
    pub(super) fn sample_loans(&mut self, pair: u32) {
        let Some((_, price)) = self.last_sample(pair) else { return };
        let (at, behind) = (self.now, self.first_due().is_some());
        let queued = |id: u64, sells: bool| self.loans.queue.iter().any(|queued| queued.id == id && queued.sells == sells);
        let mut set_off = Vec::new();
        for (id, debt) in self.loans.open.iter().filter(|(_, debt)| debt.pair == pair && debt.start.is_some()) {
            if queued(*id, true) {
                continue;
            }
            let sells = debt.is_forfeit() || debt.reaches(price, debt.shared.liquidation.0);
            if sells || (debt.reaches(price, debt.shared.call.0) != debt.called && !queued(*id, false)) {
                set_off.push(Queued { at, id: *id, price, sells });
            }
        }
        self.loans.queue.extend(set_off);
        while let Some((_, 9, _)) = self.first_due().filter(|_| !behind) {
            self.carry_out_loan();
        }
    }

    /// Settles the first of the queue.
    pub(super) fn carry_out_loan(&mut self) {
        if self.loans.queue.is_empty() {
            return;
        }
        let Queued { id, price, sells, .. } = self.loans.queue.remove(0);
        if sells {
            self.sell(id, price);
            return;
        }
        let Some(debt) = self.loans.open.get_mut(&id) else { return };
        let called = debt.is_forfeit() || debt.reaches(price, debt.shared.call.0);
        if called != debt.called {
            debt.called = called;
            debt.version += 1;
        }
    }

    pub(super) fn loan_dues(&self) -> impl Iterator<Item = (u64, u8, u64)> {
        let planned = self.loans.open.iter().filter_map(|(id, debt)| Some((debt.next()?, 3, *id)));
        planned.chain(self.loans.queue.iter().zip(0..).map(|(queued, order)| (queued.at, 9, order)))
    }

    pub(super) fn bound_by_loans(&self, account: HouseAccount, coin: u32) -> i128 {
        let pending = |debt: &&Debt| account == TREASURY && debt.coin == coin && debt.start.is_none();
        self.loans.open.values().filter(pending).map(|debt| debt.amount).sum()
    }

    pub(super) fn held_by_loans(&self, user: u64, coin: u32) -> i128 {
        self.loans.open.values().filter(|debt| (debt.user, debt.bound_coin) == (user, coin)).map(|debt| debt.bound).sum()
    }

    pub(super) fn loan_summaries(&self) -> impl Iterator<Item = String> {
        self.loans.open.iter().map(|(id, debt)| debt.summary(*id))
    }
}
