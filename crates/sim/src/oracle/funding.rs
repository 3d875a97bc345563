//! Deposits (10) and withdrawals (11) by the rules. Withdrawals and payments are plain lists; what they hold and allow is recomputed each
//! time.

use engine::catalog::Wallet;
use engine::catalog::funding::Chain;
use engine::funding::deposits::{Claimed, Observed};
use engine::funding::withdrawals::{Destination, Withdraw};
use engine::identity::KycLevel;
use engine::ids::Digest;
use engine::operators::approval::Reviewer;
use engine::operators::roles::Roles;

use super::credits::Incident;
use super::operators::{Approvals, who};
use super::payouts::Dispute;
use super::people::{DAY, Person, code_name};
use super::{AMOUNT_LIMIT, COINS, Done, Oracle, Refusal, need, refuse};

/// A deposit claim.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) id: u64,
    pub(super) user: u64,
    claimed: Claimed,
    rate: i128,
    pub(super) seen: Option<u64>,
    pub(super) state: &'static str,
    pub(super) approvals: Approvals,
    reference: Option<Digest>,
    credited: Option<i128>,
    pub(super) version: u32,
}

impl Claim {
    pub(super) fn summary(&self) -> String {
        let Claim { id, seen, state, credited, version, .. } = self;
        let approvals = who(&self.approvals);
        format!("deposit {id} {state} {seen:?} {approvals:?} {credited:?} {version}")
    }
}

/// An observed payment.
#[derive(Clone, Debug)]
pub(super) struct Payment {
    pub(super) id: u64,
    pub(super) tx: Digest,
    pub(super) observed: Observed,
    pub(super) confirmations: u32,
    pub(super) watched: bool,
    entries: Vec<(u32, Observed, u64)>,
    pub(super) state: &'static str,
    claim: Option<u64>,
    pub(super) vanished: bool,
    pub(super) taken: Option<i128>,
    /// When it was credited, if no watcher had reported it.
    pub(super) silent_since: Option<u64>,
    pub(super) incident: Option<Incident>,
    /// When a decided one was last reported.
    pub(super) last_word: Option<u64>,
}

impl Payment {
    pub(super) fn summary(&self) -> String {
        let Payment { id, observed, confirmations, watched, entries, state, claim, vanished, taken, .. } = self;
        format!("payment {id} {observed:?} {confirmations} {watched} {} {state} {claim:?} {vanished} {taken:?}", entries.len())
    }
}

/// A withdrawal.
#[derive(Clone, Debug)]
pub(super) struct Paper {
    pub(super) id: u64,
    pub(super) user: u64,
    pub(super) coin: u32,
    pub(super) amount: i128,
    pub(super) fee: i128,
    /// Number of the address or card.
    pub(super) to: u64,
    /// Digest of the text of that address or card.
    pub(super) text: Digest,
    /// The chain; `None` for a card.
    pub(super) chain: Option<Chain>,
    cents: Option<i128>,
    value: i128,
    day: u64,
    pub(super) state: &'static str,
    pub(super) approvals: Approvals,
    pub(super) version: u32,
    /// The transaction it was marked with.
    pub(super) tx: Option<Digest>,
    /// When it was marked, if chains are checked.
    pub(super) marked: Option<u64>,
    pub(super) dispute: Option<Dispute>,
}

impl Paper {
    pub(super) fn summary(&self) -> String {
        let Paper { id, state, amount, fee, cents, value, version, .. } = self;
        let approvals = who(&self.approvals);
        format!("withdrawal {id} {state} {amount} {fee} {cents:?} {value} {approvals:?} {version}")
    }
}

/// `ceil(amount * price)` in USDT atoms.
fn value_up(amount: i128, price: i128, scale: u32) -> Option<i128> {
    let (below, product) = (10_i128.pow(scale + 8), amount.checked_mul(price)?.checked_mul(1_000_000)?);
    Some((product + below - 1) / below)
}

fn scale(coin: u32) -> u32 {
    COINS.iter().find(|(number, _)| *number == coin).map_or(0, |(_, scale)| *scale)
}

impl Oracle {
    /// Value of an amount in USDT atoms, rounded up; `None` without a price, and for an invalid amount.
    pub(super) fn usdt_value(&self, coin: u32, amount: i128) -> Option<i128> {
        value_up(amount, self.usdt_price(coin)?, scale(coin)).filter(|value| *value < AMOUNT_LIMIT)
    }

    /// Price of a coin in USDT by the latest sample of any age; `None` if there never was one.
    fn usdt_price(&self, coin: u32) -> Option<i128> {
        match coin {
            3 => Some(100_000_000),
            1 => self.last_sample(1).map(|(_, price)| price),
            2 => self.last_sample(2).map(|(_, price)| price),
            4 => self.last_sample(3).map(|(_, price)| price),
            _ => None,
        }
    }

    /// D-2 and 10.2.
    pub(super) fn claim(&mut self, id: u64, user: u64, claimed: Claimed) -> Result<Done, Refusal> {
        self.member(user)?;
        let coins = matches!(claimed, Claimed::Coin { .. });
        self.check_pause(if coins { "coins" } else { "bank" }, None)?;
        let mut rate = 0;
        match claimed {
            Claimed::Coin { asset, chain, amount } => {
                let network = self.world.networks.get(&(asset.0, chain));
                need(network.is_none_or(|network| network.deposit_on), "E_DISABLED")?;
                need((1..=4).contains(&asset.0), "E_ASSET")?;
                let Some(network) = network else { return refuse("E_CHAIN") };
                need(amount > 0 && i128::from(amount) < AMOUNT_LIMIT, "E_AMOUNT")?;
                need(amount >= network.deposit_min, "E_DEPOSIT_MIN")?;
            }
            Claimed::Bank { cents } => {
                let bank = &self.world.bank;
                need(bank.deposit_on, "E_DISABLED")?;
                need(cents > 0 && cents <= bank.deposit_max_cents, "E_AMOUNT")?;
                need(cents >= bank.deposit_min_cents, "E_DEPOSIT_MIN")?;
                rate = i128::from(bank.deposit_rate.0);
                let credit = i128::from(cents) * 10_000 * rate / 100_000_000;
                need(credit > 0 && credit < AMOUNT_LIMIT, "E_OVERFLOW")?;
            }
        }
        let open = self.world.claims.iter().filter(|claim| claim.user == user && claim.state == "UnderReview").count();
        need(open < self.world.limits.open_claims as usize, "E_CLAIM_LIMIT")?;
        self.open_claim(id, user, claimed, rate, None);
        Ok(self.claim_done(id))
    }

    fn open_claim(&mut self, id: u64, user: u64, claimed: Claimed, rate: i128, seen: Option<u64>) {
        let (approvals, reference) = (Vec::new(), None);
        let state = "UnderReview";
        self.world.claims.push(Claim { id, user, claimed, rate, seen, state, approvals, reference, credited: None, version: 1 });
    }

    fn claim_done(&self, id: u64) -> Done {
        Done::Object(self.world.claims.iter().find(|claim| claim.id == id).map(Claim::summary).unwrap_or_default())
    }

    fn claim_mut(&mut self, id: u64) -> Result<&mut Claim, Refusal> {
        self.world.claims.iter_mut().find(|claim| claim.id == id).ok_or(Refusal { name: "E_NOT_FOUND", short: None })
    }

    pub(super) fn payment_mut(&mut self, id: u64) -> Result<&mut Payment, Refusal> {
        self.world.payments.iter_mut().find(|payment| payment.id == id).ok_or(Refusal { name: "E_NOT_FOUND", short: None })
    }

    pub(super) fn payment_done(&self, id: u64) -> Done {
        Done::Object(self.world.payments.iter().find(|payment| payment.id == id).map(Payment::summary).unwrap_or_default())
    }

    pub(super) fn by_tx(&self, tx: Digest) -> Option<&Payment> {
        self.world.payments.iter().find(|payment| payment.tx == tx)
    }

    /// D-3 and D-5 with a watcher.
    pub(super) fn observe(&mut self, id: u64, tx: Digest, observed: Observed, confirmations: u32) -> Result<Done, Refusal> {
        self.member(observed.user.0)?;
        let Some(network) = self.world.networks.get(&(observed.asset.0, observed.chain)).copied() else { return refuse("E_CHAIN") };
        let known = self.by_tx(tx).map(|payment| (payment.id, payment.state, payment.observed));
        if self.chains_decide()
            && let Some(done) = self.chain_says(tx, observed, confirmations)
        {
            return Ok(done);
        }
        need(!self.world.finals.contains(&tx), "E_DUP_TX")?;
        let back = self.by_tx(tx).filter(|payment| payment.vanished && payment.state == "Credited" && payment.observed == observed);
        if let Some(id) = back.map(|payment| payment.id) {
            let payment = self.payment_mut(id)?;
            (payment.vanished, payment.confirmations) = (false, confirmations);
            return self.worded(id);
        }
        need(known.is_none_or(|(_, state, _)| !matches!(state, "Credited" | "Reversed")), "E_DUP_TX")?;
        let amount = i128::from(observed.amount);
        if known.is_none() && (observed.amount < network.deposit_min || amount >= AMOUNT_LIMIT) {
            return refuse(if confirmations < network.confirmations { "E_CONFIRMATIONS" } else { "E_DEPOSIT_MIN" });
        }
        let fresh = known.is_none_or(|(_, state, before)| state != "Matched" || before != observed);
        let id = known.map_or(id, |(id, ..)| id);
        if known.is_none() {
            self.blank_payment(id, tx, observed);
        }
        let payment = self.payment_mut(id)?;
        payment.confirmations = if fresh { confirmations } else { payment.confirmations.max(confirmations) };
        (payment.observed, payment.watched, payment.state) = (observed, true, "Matched");
        if fresh {
            self.match_claim(id, self.entry)?;
        }
        let payment = self.payment_mut(id)?;
        let (claim, enough) = (payment.claim, payment.confirmations >= network.confirmations);
        let value = self.usdt_price(observed.asset.0).and_then(|price| value_up(amount, price, scale(observed.asset.0)));
        let small = value.is_some_and(|value| value < i128::from(self.world.limits.deposit_unattended_below));
        if let Some(claim) = claim.filter(|_| enough && small) {
            let _ = self.credit(claim, id, None).is_ok();
        }
        Ok(self.payment_done(id))
    }

    fn blank_payment(&mut self, id: u64, tx: Digest, observed: Observed) {
        let (state, entries) = ("Entered", Vec::new());
        let payment = Payment {
            id,
            tx,
            observed,
            confirmations: 0,
            watched: false,
            entries,
            state,
            claim: None,
            vanished: false,
            taken: None,
            silent_since: None,
            incident: None,
            last_word: None,
        };
        self.world.payments.push(payment);
    }

    /// The oldest open claim with exactly these facts, else the oldest of this coin and chain, else a new one.
    fn match_claim(&mut self, id: u64, entry: u64) -> Result<(), Refusal> {
        let Observed { user, asset, chain, amount } = self.payment_mut(id)?.observed;
        let free = self.world.claims.iter().filter(|claim| claim.user == user.0 && claim.state == "UnderReview");
        let mut fitting: Vec<(bool, u64)> = free
            .filter(|claim| claim.seen.is_none_or(|seen| seen == id))
            .filter_map(|claim| match claim.claimed {
                Claimed::Coin { asset: coin, chain: way, amount: said } if (coin, way) == (asset, chain) => {
                    Some((said != amount, claim.id))
                }
                _ => None,
            })
            .collect();
        fitting.sort_unstable();
        let claim = match fitting.first() {
            Some((_, claim)) => {
                let claim = self.claim_mut(*claim)?;
                (claim.seen, claim.version) = (Some(id), claim.version + 1);
                claim.id
            }
            None => {
                self.open_claim(entry, user.0, Claimed::Coin { asset, chain, amount }, 0, Some(id));
                entry
            }
        };
        self.payment_mut(id)?.claim = Some(claim);
        Ok(())
    }

    /// D-5 by hand.
    pub(super) fn enter(&mut self, id: u64, by: Reviewer, tx: Digest, observed: Observed, confirmations: u32) -> Result<Done, Refusal> {
        self.member(observed.user.0)?;
        need(self.world.networks.contains_key(&(observed.asset.0, observed.chain)), "E_CHAIN")?;
        let cap = self.world.limits.hand_entry_max.iter().find(|(asset, _)| *asset == observed.asset).map_or(0, |(_, most)| *most);
        need(observed.amount > 0 && observed.amount <= cap, "E_AMOUNT")?;
        need(!self.world.finals.contains(&tx), "E_DUP_TX")?;
        if let Some(known) = self.by_tx(tx) {
            need(!matches!(known.state, "Credited" | "Reversed"), "E_DUP_TX")?;
            need(!known.watched, "E_STATE")?;
        }
        self.not_about(by, observed.user.0)?;
        let known = self.by_tx(tx).map(|payment| self.standing(payment, observed));
        let own = known.as_ref().and_then(|payment| payment.entries.iter().position(|(operator, ..)| self.is_one(by, *operator)));
        if let (Some(known), Some(at)) = (&known, own) {
            let more = known.entries[at].1 == observed && confirmations > known.confirmations;
            need(more || known.state == "Conflict", "E_SAME_OPERATOR")?;
        }
        let id = known.as_ref().map_or(id, |payment| payment.id);
        match known {
            None => self.blank_payment(id, tx, observed),
            Some(known) => *self.payment_mut(id)? = known,
        }
        let entry = (by.operator.0, observed, self.now);
        let payment = self.payment_mut(id)?;
        match own {
            Some(at) if payment.entries[at].1 != observed => payment.entries[at] = entry,
            Some(at) if payment.confirmations >= confirmations => payment.entries[at] = entry,
            Some(_) => {}
            None => payment.entries.push(entry),
        }
        payment.confirmations = payment.confirmations.max(confirmations);
        let entries = payment.entries.clone();
        let agreed = entries.iter().map(|(_, said, _)| *said).find(|said| entries.iter().filter(|(_, other, _)| other == said).count() > 1);
        let before = payment.state;
        match agreed {
            Some(said) => (payment.state, payment.observed) = ("Matched", said),
            None if entries.len() > 1 => payment.state = "Conflict",
            None => {}
        }
        if before != "Matched" && agreed.is_some() {
            self.match_claim(id, self.entry)?;
        }
        Ok(self.payment_done(id))
    }

    /// A payment with the entries that still count; without any it is the one that is entered now.
    fn standing(&self, payment: &Payment, observed: Observed) -> Payment {
        let mut left = payment.clone();
        if ["Entered", "Conflict"].contains(&left.state) {
            let counts = |operator: u32, said: &Observed, at: u64| {
                !self.counting(&vec![(operator, at)], said.user.0, Roles::TREASURY, None).is_empty()
            };
            left.entries.retain(|(operator, said, at)| counts(*operator, said, *at));
        }
        if left.entries.is_empty() {
            left.observed = observed;
        }
        left
    }

    /// D-4 and D-6.
    pub(super) fn credit(&mut self, claim: u64, seen: u64, by: Option<u32>) -> Result<Done, Refusal> {
        let found = self.claim_mut(claim)?.clone();
        need(found.state == "UnderReview", "E_STATE")?;
        let Some(payment) = self.world.payments.iter().find(|payment| payment.id == seen && payment.observed.user.0 == found.user) else {
            return refuse("E_NOT_FOUND");
        };
        let (Observed { asset, chain, amount, .. }, state, confirmations) = (payment.observed, payment.state, payment.confirmations);
        let Some(network) = self.world.networks.get(&(asset.0, chain)).copied() else { return refuse("E_CHAIN") };
        let fits = matches!(found.claimed, Claimed::Coin { asset: coin, chain: way, .. } if (coin, way) == (asset, chain));
        need(fits, "E_CHAIN")?;
        need(!matches!(state, "Credited" | "Reversed"), "E_DUP_TX")?;
        need(state == "Matched", "E_STATE")?;
        if by.is_some() && !payment.watched && self.persons_fall() {
            let said = payment.entries.iter().filter(|(_, said, _)| *said == payment.observed).map(|(operator, ..)| *operator);
            let people = self.people_of(said.filter(|operator| !self.turned_out(*operator, found.user)));
            need(people.len() > 1, "E_SAME_OPERATOR")?;
        }
        need(confirmations >= network.confirmations, "E_CONFIRMATIONS")?;
        need(amount >= network.deposit_min, "E_DEPOSIT_MIN")?;
        let amount = i128::from(amount);
        self.come_in(found.user, asset.0, amount)?;
        let payment = self.payment_mut(seen)?;
        (payment.state, payment.claim) = ("Credited", Some(claim));
        let now = self.now;
        if self.chains_decide() {
            let payment = self.payment_mut(seen)?;
            payment.silent_since = (!payment.watched).then_some(now);
        }
        self.worded(seen)?;
        let found = self.claim_mut(claim)?;
        (found.state, found.seen, found.credited, found.version) = ("Passed", Some(seen), Some(amount), found.version + 1);
        found.approvals.extend(by.map(|by| (by, now)));
        Ok(self.claim_done(claim))
    }

    fn come_in(&mut self, user: u64, coin: u32, amount: i128) -> Result<(), Refusal> {
        let outside = self.outside.entry(coin).or_default();
        need(*outside + amount < AMOUNT_LIMIT, "E_OVERFLOW")?;
        *outside += amount;
        self.add(user, Wallet::Spot, coin, amount);
        Ok(())
    }

    /// 10.2: the same reference by two operators; a different one starts the entry again.
    pub(super) fn approve_bank(&mut self, claim: u64, reference: Digest, by: Reviewer) -> Result<Done, Refusal> {
        let found = self.claim_mut(claim)?.clone();
        let Claimed::Bank { cents } = found.claimed else { return refuse("E_CHAIN") };
        let all = self.approved(by, &found.approvals, found.user, Roles::TREASURY, None)?;
        let used = self.world.claims.iter().any(|other| other.state == "Passed" && other.reference == Some(reference));
        need(!used, "E_DUP_TX")?;
        let again = found.reference == Some(reference);
        let approvals = if again { all } else { vec![(by.operator.0, self.now)] };
        if approvals.len() == 2 {
            let amount = i128::from(cents) * 10_000 * found.rate / 100_000_000;
            self.come_in(found.user, 3, amount)?;
            let found = self.claim_mut(claim)?;
            (found.state, found.credited) = ("Passed", Some(amount));
        }
        let found = self.claim_mut(claim)?;
        found.approvals = approvals;
        (found.reference, found.version) = (Some(reference), found.version + 1);
        Ok(self.claim_done(claim))
    }

    pub(super) fn reject_claim(&mut self, claim: u64) -> Result<Done, Refusal> {
        let found = self.claim_mut(claim)?;
        (found.state, found.version) = ("Rejected", found.version + 1);
        Ok(self.claim_done(claim))
    }

    /// Fee of a withdrawal on this network, or to a card, atoms.
    fn withdrawal_fee(&self, way: Option<(u32, Chain)>, amount: i128) -> i128 {
        let bank = &self.world.bank;
        let share = (amount * i128::from(bank.withdraw_fee.0) + 99_999_999) / 100_000_000;
        match way {
            Some(way) => self.world.networks.get(&way).map_or(0, |network| network.withdraw_fee.into()),
            None => share.max(i128::from(bank.withdraw_fee_min)),
        }
    }

    /// The amount that arrives: atoms, or cents for a card.
    pub(crate) fn brings(&self, way: Option<(u32, Chain)>, amount: i128) -> i128 {
        let received = amount - self.withdrawal_fee(way, amount);
        if way.is_some() { received } else { received * i128::from(self.world.bank.payout_rate.0) / 1_000_000_000_000 }
    }

    /// W-3 to W-6.
    pub(super) fn withdraw(&mut self, id: u64, wanted: &Withdraw) -> Result<Done, Refusal> {
        let Withdraw { user, asset, amount, destination, verification, arrives } = *wanted;
        let (user, coin, now) = (user.0, asset.0, self.now);
        self.member(user)?;
        let bank = self.world.bank;
        let way: Option<(u32, Chain)> = match destination {
            Destination::Address { chain, .. } => Some((coin, chain)),
            Destination::Card(_) => None,
        };
        let network = way.and_then(|way| self.world.networks.get(&way).copied());
        let on = if way.is_some() { network.is_none_or(|network| network.withdraw_on) } else { bank.withdraw_on };
        need(on, "E_DISABLED")?;
        self.person(user)?.check_frozen(now, false)?;
        need(self.verified(user, KycLevel::Basic), "E_KYC_BASIC")?;
        need(self.person(user)?.has_fund_password(), "E_FUNDPW_UNSET")?;
        need((1..=4).contains(&coin), "E_ASSET")?;
        need(way.is_some() || coin == 3, "E_ASSET")?;
        let to = match destination {
            Destination::Address { address, .. } => address.0,
            Destination::Card(card) => card.0,
        };
        let stored =
            self.world.stored.iter().find(|stored| stored.id == to && stored.user == user && stored.way.is_some() == way.is_some());
        let stored = stored.map(|stored| (stored.way, stored.created, stored.digest));
        let Some((stored_way, created, text)) = stored else { return refuse("E_ADDRESS_UNSET") };
        need(stored_way == way && (way.is_none() || network.is_some()), "E_CHAIN")?;
        let amount = i128::from(amount);
        need(amount > 0 && amount < AMOUNT_LIMIT, "E_AMOUNT")?;
        self.person(user)?.enter(now, verification.fund_password_right)?;
        if let Some(fault) = verification.code {
            return refuse(code_name(fault));
        }
        need(now - created >= DAY, "E_COOLDOWN_ADDRESS")?;
        need(self.person(user)?.changed.is_none_or(|changed| now - changed >= DAY), "E_COOLDOWN_SECURITY")?;
        let fee = self.withdrawal_fee(way, amount);
        let min = network.map_or(bank.withdraw_min, |network| network.withdraw_min).into();
        need(amount >= min, "E_WITHDRAW_MIN")?;
        let today: Vec<&Paper> = self.world.papers.iter().filter(|paper| paper.user == user && paper.day == now / DAY).collect();
        need(today.len() < self.world.limits.withdrawals_per_day as usize, "E_WITHDRAW_COUNT")?;
        let used: i128 = today.iter().map(|paper| paper.value).sum();
        let Some(price) = self.usdt_price(coin) else { return refuse("E_PRICE_STALE") };
        let advanced = self.verified(user, KycLevel::Advanced);
        let limits = &self.world.limits;
        let limit = i128::from(if advanced { limits.withdraw_day_advanced } else { limits.withdraw_day_basic });
        let value = value_up(amount, price, scale(coin)).filter(|value| used + value <= limit);
        let Some(value) = value else { return refuse("E_WITHDRAW_LIMIT") };
        let available = self.balance(user, Wallet::Spot, coin).map_or(0, |(available, _)| available);
        if available < amount {
            return Err(Refusal { name: "E_INSUFFICIENT", short: Some((coin, available, amount)) });
        }
        let brings = self.brings(way, amount);
        need(arrives.is_none_or(|arrives| i128::from(arrives) == brings), "E_TERMS")?;
        let cents = way.is_none().then_some(brings);
        let (day, state, approvals) = (now / DAY, "UnderReview", Vec::new());
        self.world.papers.push(Paper {
            id,
            user,
            coin,
            amount,
            fee,
            to,
            text,
            chain: way.map(|(_, chain)| chain),
            cents,
            value,
            day,
            state,
            approvals,
            version: 1,
            tx: None,
            marked: None,
            dispute: None,
        });
        Ok(self.paper_done(id))
    }

    pub(super) fn paper_done(&self, id: u64) -> Done {
        Done::Object(self.world.papers.iter().find(|paper| paper.id == id).map(Paper::summary).unwrap_or_default())
    }

    pub(super) fn paper(&mut self, id: u64) -> Result<&mut Paper, Refusal> {
        self.world.papers.iter_mut().find(|paper| paper.id == id).ok_or(Refusal { name: "E_NOT_FOUND", short: None })
    }

    pub(super) fn cancel_paper(&mut self, user: u64, id: u64) -> Result<Done, Refusal> {
        self.member(user)?;
        let paper = self.paper(id)?.clone();
        need(paper.user == user, "E_NOT_FOUND")?;
        let changed = self.person(user)?.changed;
        need(paper.state == "UnderReview" && self.counting(&paper.approvals, user, Roles::TREASURY, changed).is_empty(), "E_STATE")?;
        let paper = self.paper(id)?;
        (paper.state, paper.version) = ("Cancelled", paper.version + 1);
        Ok(self.paper_done(id))
    }

    /// W-7.
    pub(super) fn approve_paper(&mut self, id: u64, by: Reviewer) -> Result<Done, Refusal> {
        let present = self.paper(id)?.clone();
        let changed = self.person(present.user)?.changed;
        let approvals = self.approved(by, &present.approvals, present.user, Roles::TREASURY, changed)?;
        let paper = self.paper(id)?;
        paper.approvals = approvals;
        paper.version += 1;
        if paper.approvals.len() == 2 {
            paper.state = "Passed";
            let Paper { user, coin, amount, fee, .. } = *paper;
            self.add(user, Wallet::Spot, coin, -amount);
            *self.outside.entry(coin).or_default() -= amount - fee;
            *self.fees.entry(coin).or_default() += fee;
        }
        Ok(self.paper_done(id))
    }

    /// W-8.
    pub(super) fn return_paper(&mut self, id: u64) -> Result<(), Refusal> {
        self.may_return(id)?;
        let paper = self.paper(id)?;
        let Paper { user, coin, amount, fee, .. } = *paper;
        let outside = self.outside.entry(coin).or_default();
        need(*outside + amount - fee < AMOUNT_LIMIT, "E_OVERFLOW")?;
        *outside += amount - fee;
        let paper = self.paper(id)?;
        (paper.state, paper.version) = ("Returned", paper.version + 1);
        self.add(user, Wallet::Spot, coin, amount);
        *self.fees.entry(coin).or_default() -= fee;
        Ok(())
    }

    pub(super) fn may_return(&mut self, id: u64) -> Result<u64, Refusal> {
        let paper = self.paper(id)?;
        need(paper.state == "Passed", "E_STATE")?;
        Ok(paper.user)
    }

    /// What a member still lacks for a withdrawal: verification, a fund password.
    pub fn lacks(&self, user: u64) -> (bool, bool) {
        let basic = self.world.levels.get(&(user, KycLevel::Basic));
        let submitted = basic.is_some_and(|level| matches!(level.state, "UnderReview" | "Verified"));
        (!submitted, !self.world.people.get(&user).is_some_and(Person::has_fund_password))
    }
}
